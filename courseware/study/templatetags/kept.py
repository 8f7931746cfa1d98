"""Parts of pages that are the same for every reader: each is rendered once in a process for each of its values.

In the memory of the process, so that a release or a changed course starts with none. Django's own tag would pickle,
hash and lock at each use, which takes longer than most of these parts take to render.
"""

from typing import Any

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context

register = template.Library()

# Of one part: a few for each of 19 concepts, and one for each answer that somebody gave; some 5 kB each.
_MOST = 2000


@register.tag
def kept(parser: Parser, token: Token) -> Node:
    """Keep what stands before `endkept` by the values named: `{% kept frame.content concept.id %}`.

    All that the part shows must follow from these values, and none of them may belong to one person.
    """
    values = [parser.compile_filter(each) for each in token.split_contents()[1:]]
    part = parser.parse(("endkept",))
    parser.delete_first_token()
    return _Kept(values, part)


class _Kept(Node):
    child_nodelists = ()  # no block stands inside, so nobody need look for one

    def __init__(self, values: list[FilterExpression], part: NodeList) -> None:
        self._values, self._part = values, part
        self._rendered: dict[tuple[Any, ...], str] = {}

    def render(self, context: Context) -> str:
        key = tuple([value.resolve(context) for value in self._values])
        rendered = self._rendered.get(key)
        if rendered is None:
            rendered = self._part.render(context)
            if len(self._rendered) >= _MOST:
                self._rendered.clear()
            self._rendered[key] = rendered
        return rendered
