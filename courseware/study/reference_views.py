"""Pages to look things up on: the map of the module, its glossary, its notation, and all of it as one document."""

from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from courseware.accounts.requests import SignedInRequest
from courseware.concepts.course import current
from courseware.study.module_map import module_map
from courseware.study.overview import overview_of


@login_required
@require_safe
def module_map_page(request: SignedInRequest, module_id: str) -> HttpResponse:
    _refuse_other_modules(module_id)
    overview = overview_of(request.user)
    return render(
        request, "study/map.html", {"here": "concepts", "overview": overview, "drawing": module_map(overview)}
    )


@login_required
@require_safe
def whole_module(request: SignedInRequest, module_id: str) -> HttpResponse:
    """Every card at every depth in one document, for reading on paper; it is long."""
    _refuse_other_modules(module_id)
    module = current().module
    written = [concept for concept in module.concepts if concept.card is not None]
    return render(request, "study/whole.html", {"here": "concepts", "module": module, "concepts": written})


@login_required
@require_safe
def glossary(request: SignedInRequest) -> HttpResponse:
    course = current()
    terms = [(term, course.concept(term.see.concept_id)) for term in course.module.reference.terms]
    by_letter = [(letter, list(entries)) for letter, entries in groupby(terms, lambda each: each[0].term[0].upper())]
    return render(request, "study/glossary.html", {"here": "concepts", "terms": by_letter, "count": len(terms)})


@login_required
@require_safe
def notation(request: SignedInRequest) -> HttpResponse:
    course = current()
    symbols = [(symbol, course.concept(symbol.see.concept_id)) for symbol in course.module.reference.symbols]
    return render(request, "study/notation.html", {"here": "concepts", "symbols": symbols})


def _refuse_other_modules(module_id: str) -> None:
    if module_id != current().module.id:
        raise Http404("no such module")
