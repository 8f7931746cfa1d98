"""Symbols of a formula are found, and a definition that leaves one out is noticed."""

import pytest

from courseware.concepts.tex import symbols, undefined


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        (r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", {"Q", "K", "V", "d_k"}),
        (r"\sum_{c=1}^{d_k}q_{ic}\,k_{jc}", {"c", "d_k", "q_ic", "k_jc"}),
        (r"e^{z_i}", {"z_i"}),
        (r"a_i(\delta_{ij}-a_j)", {"a_i", "a_j", "delta_ij"}),
        (r"X\in\mathbb{R}^{n\times d_{\text{model}}}", {"X", "n", "d_model"}),
        (r"\mathrm{Var}(q)\le\tau\text{ if }x", {"q", "tau", "x"}),
        (r"\operatorname*{argmax}_j s_j", {"j", "s_j"}),
        (r"W^Q\hat{y}\mathbf{x}", {"W", "Q", "y", "x"}),
        (r"\begin{cases}0\\1\end{cases}", set()),
    ],
)
def test_symbols_of_a_formula(tex, found):
    assert symbols(tex) == found


def test_symbol_is_defined_by_itself_or_by_its_base_and_indices():
    assert undefined(r"h_i=d_k", ["h_i", "d_k"]) == []
    assert undefined(r"h_i=1", ["h", "i"]) == []
    assert undefined(r"h_i=d_k", ["h", "d_v"]) == ["d_k", "h_i"]
