"""Authored text becomes HTML in which nothing runs, nothing vanishes and every formula is whole."""

import re
from html.parser import HTMLParser

import pytest
from django.template import Context, Template

from courseware.concepts.markup import (
    MAX_FORMULA_CHARACTERS,
    MarkupError,
    plain_text,
    render_block,
    render_inline,
)

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<a href='javascript:alert(1)'>x</a>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<svg onload=alert(1)>",
    '<math><mtext><style><img src=x onerror="alert(1)"></style></mtext></math>',
    "$\\text{<script>alert(1)</script>}$",
    "$a<b$ <b onclick=alert(1)>",
    "`<script>`",
    "```python\n<script>alert(1)</script>\n```",
    "MATH0000000000000000X0X $x$",
    "<!-- $x$ --><b>",
    '<div class="formula" aria-label=\'$"><script>$\'>',
]


class Elements(HTMLParser):
    """Collects the elements and attributes of a piece of HTML, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value)

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("source", HOSTILE)
@pytest.mark.parametrize("render", [render_block, render_inline])
def test_nothing_of_a_hostile_text_runs(source, render):
    elements = Elements(render(source))

    assert not elements.names & {"script", "img", "svg", "style", "iframe", "b", "object"}
    assert not any(name.startswith("on") for name in elements.attributes)
    assert not any("javascript" in value for value in elements.attributes.get("href", set()))


@pytest.mark.parametrize(
    ("source", "kept"),
    [("the width $d$, and", "{},"), ("as ($d$) does", "({})"), ("is “$d$”.", "“{}”."), ("at $5d$ % of", "")],
)
def test_inline_formula_stays_on_a_line_with_the_marks_around_it(source, kept):
    html = render_inline(source)

    formula = re.search(r"<math.*?</math>", html)[0]
    assert re.findall(r'<span class="nobr">.*?</span>', html) == (
        [f'<span class="nobr">{kept.format(formula)}</span>'] if kept else []
    )


def test_display_formula_is_a_block_of_its_own_whatever_follows():
    html = render_block("Then\n\n$$d$$\n\n. And on.")

    assert "nobr" not in html


def test_raw_html_is_shown_as_it_was_written():
    assert "<script>alert(1)</script>" in Elements(render_inline("A <script>alert(1)</script> b")).text


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "/admin",
        "x.html",
        "mailto:a@b.c",
        "vbscript:x",
        "https:",
        "#Bad Id",
    ],
)
def test_links_go_to_the_web_or_to_a_section(address):
    with pytest.raises(MarkupError, match="a link goes to"):
        render_inline(f"[x](<{address}>)")


def test_a_link_hidden_in_a_reference_is_judged_too():
    with pytest.raises(MarkupError, match="a link goes to"):
        render_block("[x][1]\n\n[1]: javascript:alert(1)")


def test_links_outwards_do_not_hand_over_the_page():
    assert render_inline("[a](https://example.org/?x=1&y=2)") == (
        '<a href="https://example.org/?x=1&amp;y=2" rel="noopener">a</a>'
    )
    assert render_inline("[b](#soft-lookup)") == '<a href="#soft-lookup">b</a>'


def test_pictures_are_refused():
    with pytest.raises(MarkupError, match="pictures"):
        render_inline("![x](https://example.org/x.png)")


@pytest.mark.parametrize(
    "source",
    [
        "costs $5 and $10",
        "costs $5 or $6",
        "$5-$6",
        "`echo $HOME $PATH`",
        "q[:, :, $i]",
        r"\$x\$",
        "US$ and A$",
        "a $ b $ c",
    ],
)
def test_dollars_that_are_no_formula_stay(source):
    html = render_inline(source)

    assert "<math" not in html
    assert html.count("$") == source.count("$")


def test_a_code_span_is_never_swallowed_by_a_formula():
    assert render_inline("for $5 use `a$`") == "for $5 use <code>a$</code>"


@pytest.mark.parametrize("source", ["$x$ is 5", "$x$", "2, $x$, 3", "($x$)", "$x$-axis", r"\$5 is $x$", "$2\\times3$"])
def test_a_formula_is_found_wherever_it_stands(source):
    assert render_inline(source).count("<math>") == 1


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("$1<x$", "&lt;"),
        ("$a<b<c$", "&lt;"),
        (r"$A\&B$", "&amp;"),
        (r"$\{x\}$", "{"),
        (r"$\begin{matrix}1&2\\3&4\end{matrix}$", "<mtr>"),
    ],
)
def test_signs_that_mean_something_to_html_or_markdown_survive_in_a_formula(source, shown):
    html = render_inline(source)

    assert shown in html
    assert html.startswith("<math>")
    assert html.endswith("</math>")


def test_emphasis_does_not_reach_into_a_formula():
    assert "<em>" not in render_inline("$a_1*b_2$ and $c_1*d_2$")


def test_a_display_formula_scrolls_in_a_region_that_speaks():
    html = render_block("$$\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V$$")

    assert html.startswith(
        '<div class="formula" tabindex="0" role="group" '
        'aria-label="Formula: softmax of Q K transpose over root d k, times V"><math display="block">'
    )


def test_a_display_formula_ends_a_paragraph_without_a_blank_line():
    html = render_block("As here:\n$$\nx=1\n$$\nwith more.")

    assert re.sub(r"<div.*</div>", "FORMULA", html) == "<p>As here:</p>\nFORMULA\n<p>with more.</p>"


def test_a_display_formula_in_a_running_text_stays_in_the_line():
    assert "<div" not in render_inline("$$x$$")
    assert "<div" not in render_block("so $$x$$ it is")


def test_a_formula_may_have_two_thousand_characters_and_not_one_more():
    assert "<math>" in render_inline(f"${'x' * MAX_FORMULA_CHARACTERS}$")
    with pytest.raises(MarkupError, match="2,001 characters; at most 2,000"):
        render_inline(f"${'x' * (MAX_FORMULA_CHARACTERS + 1)}$")


def test_a_formula_nested_three_thousand_deep_never_reaches_the_converter():
    with pytest.raises(MarkupError, match="at most 2,000"):
        render_block(f"$$\n{'{' * 3000}x{'}' * 3000}\n$$")


@pytest.mark.parametrize(
    "nest",
    [
        "{" * 900 + "x" + "}" * 900,
        "\\sqrt" * 380 + "x",
        "\\left(" * 150 + "x" + "\\right)" * 150,
        "x" + "^{x" * 400 + "}" * 400,
    ],
)
def test_a_formula_nested_deeply_inside_the_cap_is_refused(nest):
    with pytest.raises(MarkupError, match="more than 30 levels deep"):
        render_inline(f"${nest}$")


@pytest.mark.parametrize("tex", [r"\frac{a", r"\nocommand", "a}", r"a & b", r"\left(x", r"\begin{cases}1"])
def test_broken_tex_is_a_fault_that_quotes_it(tex):
    with pytest.raises(MarkupError, match="a formula cannot be read") as caught:
        render_inline(f"${tex}$")

    assert tex in caught.value.reason


@pytest.mark.parametrize("source", ["$\\sqrt{x", "so \\frac{1}{2} it is", "$$\nx\n\nnever closed", "$$x"])
def test_tex_outside_a_formula_is_a_fault(source):
    with pytest.raises(MarkupError, match="outside a formula"):
        render_block(source)


def test_every_fault_is_reported_with_its_line():
    with pytest.raises(MarkupError) as caught:
        render_block(
            "fine\nso $\\nope$\n\n- [a](x:y)\n- fine\n\n| a |\n|---|\n| $\\nada$ |\n\n```klingon\n```\n\n# top"
        )

    assert [fault.line for fault in caught.value.faults] == [2, 4, 9, 11, 14]
    assert caught.value.line == 2


@pytest.mark.parametrize("cell", ["$a|b$", r"$\|c\|$", r"$p(a\|b)$"])
def test_a_bar_inside_maths_in_a_table_is_a_fault(cell):
    with pytest.raises(MarkupError, match="ends the cell") as caught:
        render_block(f"| a | b |\n|---|---|\n| x | y |\n| {cell} | z |")

    assert caught.value.line == 4


def test_tables_name_their_rows_and_columns():
    html = render_block("| key | weight |\n|---|--:|\n| $k_1$ | 0.5 |")

    assert '<th class="t" scope="col">key</th>' in html
    assert '<th class="t" scope="row"><math>' in html
    assert "<td>0.5</td>" in html
    assert html.startswith('<div class="roll" tabindex="0" role="group" aria-label="Table">')
    assert "style=" not in html


def test_code_has_classes_of_the_style_sheet_and_numbers_outside():
    html = render_block('```python\ndef f(x):  # why\n    return "a<b" + 10\n```')

    for expected in ('<span class="kw">def</span>', '<span class="cm"># why</span>', '<span class="nb">10</span>'):
        assert expected in html
    assert '<span class="st">a&lt;b</span>' in html
    assert '<pre class="ln" aria-hidden="true">1\n2</pre>' in html


def test_code_that_ends_with_a_comment_has_no_empty_line_after_it():
    assert "# why</span></code>" in render_block("```python\nx = 1  # why\n```")


def test_indented_text_is_no_code():
    assert render_block("    x = 1") == "<p>x = 1</p>"


def test_a_page_has_one_first_level_heading_and_it_is_not_the_texts():
    assert render_block("## Two") == "<h2>Two</h2>"
    for source in ("# One", "One\n===", "##### Five"):
        with pytest.raises(MarkupError, match="two to four #"):
            render_block(source)


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\x00", "\x1b", "\ufeff"])
def test_characters_that_reorder_or_hide_are_faults(hidden):
    with pytest.raises(MarkupError, match="hidden character U\\+"):
        render_inline(f"a{hidden}b")


def test_a_right_to_left_word_is_no_fault():
    assert "שלום" in render_inline("שלום $x$")


def test_a_forged_placeholder_gets_no_formula():
    html = render_inline("MATHX0X MATH00000000X0X $x$")

    assert html.count("<math>") == 1
    assert html.startswith("MATHX0X MATH00000000X0X ")


def test_templates_take_the_html_without_a_filter_and_escape_what_is_made_of_it():
    html = render_inline("a *b* & c")
    page = Template("{{ html }}|{{ joined }}").render(Context({"html": html, "joined": html + "<i>"}))

    assert page == "a <em>b</em> &amp; c|a &lt;em&gt;b&lt;/em&gt; &amp;amp; c&lt;i&gt;"


def test_plain_text_speaks_formulas_and_drops_markup():
    assert plain_text("Why **not** `d_k` but $\\sqrt{d_k}$\nat all?") == "Why not d_k but root d k at all?"
    assert plain_text("a < b & [c](https://example.org)") == "a < b & c"
    assert plain_text("") == ""


def test_plain_text_has_the_faults_of_the_page():
    with pytest.raises(MarkupError):
        plain_text("$\\nope$")


def test_empty_texts_are_empty():
    assert render_block("") == ""
    assert render_inline("") == ""


def test_quotes_and_apostrophes_are_printed_ones_except_in_code_and_formulas() -> None:
    html = render_inline("""A token's "view" of $f'$ and `it's`, $x$'s""")

    assert html.startswith("A token’s “view” of <math>")
    assert "<code>it&#x27;s</code>" in html or "<code>it's</code>" in html
    assert html.endswith("</math>’</span>s")
    assert plain_text("""the query's "budget" """) == "the query’s “budget”"
