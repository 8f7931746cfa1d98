"""A display formula is spoken by its roles, and no formula, however odd, breaks the speaker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courseware.concepts.speech import MAX_DEPTH, TooDeep, speak


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)", "softmax of Q K transpose over root d k"),
        (r"\left(\frac{a}{b}\right)V", "the quantity a over b, times V"),
        (r"s_{ij}=q_i\cdot k_j", "s i j equals q i dot k j"),
        (r"\sum_{i=1}^{n}e^{z_i}", "the sum over i from 1 to n of e to the z i"),
        (r"\frac{\partial a_i}{\partial z_j}", "partial a i over partial z j"),
        (r"a_i(\delta_{ij}-a_j)", "a i, times the quantity delta i j minus a j"),
        (r"X\in\mathbb{R}^{n\times d}", "X in the reals, n by d"),
        (r"\frac{a+b}{c}", "the whole of a plus b, over c"),
        (r"x^2+y^3+z^{-1}", "x squared plus y cubed plus z to the minus 1"),
        (r"1.1\cdot10^{-7}", "1.1 times 10 to the minus 7"),
        (r"\mathbf{x}\ne\mathcal{L}", "bold x is not script L"),
        (r"\max_j z_j", "max over j of z j"),
        (r"\begin{cases}0&j\le i\\-\infty&\text{else}\end{cases}", "either 0, j is at most i, or minus infinity, else"),
        (r"\begin{pmatrix}1&0\\0&1\end{pmatrix}", "the matrix with rows 1, 0; 0, 1"),
        (
            r"\begin{pmatrix}\begin{matrix}1&0\\0&1\end{matrix}&A\\B&C\end{pmatrix}x",
            "the matrix with rows the matrix with rows 1, 0; 0, 1, A; B, C, times x",
        ),
        (
            r"\begin{cases}\begin{aligned}a&=b\\c&=d\end{aligned}&x>0\\0&\text{else}\end{cases}",
            "either a equals b, c equals d, x is greater than 0, or 0, else",
        ),
        (r"\frac{\begin{matrix}1&2\end{matrix}}{2}", "the row 1, 2, over 2"),
        (r"\underbrace{QK^\top}_{\text{scores}}", "Q K transpose, which is scores"),
        (r"\operatorname*{argmax}_j s_j", "argmax over j of s j"),
        (r"W^Q x^{(l)}", "W super Q x super l"),
        (r"\mathbb{E}[x]", "the mean of x"),
        (r"\left\|x\right\|", "the norm of x"),
        (r"1{,}000", "1 000"),
        (r"\foobar x", "foobar x"),
        (r"|V|\cdot d", "the size of V, dot d"),
        (r"2|x|+\left|y\right|", "2 the size of x, plus the size of y"),
        (r"(|a-b|)", "the size of a minus b"),
        (r"P(a|b)=p_\theta(y_t\mid x)", "P of a given b, equals p theta of y t given x"),
        (r"q(k)+F(x_l)", "q of k, plus F of x l"),
        (r"\ell(i,j)=\Phi(x)\,\sigma(z)", "l of i, j, equals capital phi of x, times sigma of z"),
        (r"d(n+1)", "d, times the quantity n plus 1"),
        (r"\Theta\left(Nd+N^2\right)", "capital theta of N d plus N squared"),
        (r"E[\mathrm{id}_t]", "E of id t"),
        (r"\mathrm{PE}_p\cdot\log_2n", "PE p dot log base 2 of n"),
        (r"0.2\,(1,0)", "0.2, times the row 1, 0"),
        (r"(2n)^2+(ZW)^\top", "the quantity 2 n, squared, plus the quantity Z W, transpose"),
        (r"\sum_i(x_i-\mu)^2", "the sum over i of the quantity x i minus mu, squared"),
        (r"b^{(d-2)/d}", "b to the power of the quantity d minus 2, over d"),
        (r"\tfrac12+x^10", "1 over 2 plus x to the 1, 0"),
        (r"K_{1:t}+y_{<t}", "K 1 to t plus y less than t"),
        (r"\text{bound:}\quad a\text{ parts}:b", "bound:, a parts, b"),
        (r"\underset{u}{\mathrm{argmax}}f(u)", "argmax over u of f of u"),
        (r"\mathrm{layer\_norm}(x)", "layer norm of x"),
    ],
)  # fmt: skip
def test_formula_is_spoken_by_its_roles(tex, words):
    assert speak(tex) == words


@given(st.text(alphabet=r"\{}[]()^_&'$abQ12+-=<>| ", max_size=60))
def test_no_text_breaks_the_speaker(tex):
    try:
        speak(tex)
    except TooDeep:
        assert tex.count("{") + tex.count("(") + tex.count("[") + tex.count("^") + tex.count("_") >= MAX_DEPTH


@pytest.mark.parametrize("opening", ["{", "(", r"\sqrt", r"\left(", "x^{", r"\frac", r"\hat", r"\begin{matrix}"])
def test_deep_nesting_is_refused_not_crashed_on(opening):
    with pytest.raises(TooDeep):
        speak(opening * 900)
