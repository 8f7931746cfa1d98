"""Pages of joining: enter a code, join its cohort or sign up for it; and, for staff, the code itself."""

from http import HTTPStatus

from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts import joining
from courseware.accounts.access import cohort_for_staff, instructs
from courseware.accounts.forms import PASSWORD_HINT, CodeForm, SignUpForm
from courseware.accounts.joining import CodeRefusal, Visitor
from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.accounts.origins import origin_of
from courseware.accounts.requests import SignedInRequest

NO_ACCOUNT_MADE = (
    "No account was made with this address and this password. If the address has an account here already, sign in"
    " and open the link again; a lost password can be set anew."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a code; a right one leads to its cohort."""
    if request.method != "POST":
        return _ask_for_code(request, CodeForm())
    form = CodeForm(request.POST)
    if not form.is_valid():
        return _ask_for_code(request, form)
    found = joining.cohort_for_code(form.cleaned_data["code"], _visitor(request))
    if isinstance(found, CodeRefusal):
        return _code_refused(request, form.cleaned_data["code"], found, HTTPStatus.OK)
    return redirect("join_cohort", found.join_code)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join_cohort(request: HttpRequest, code: str) -> HttpResponse:
    """Show the cohort of a code; a POST joins it, and signs a stranger up."""
    visitor = _visitor(request)
    found = joining.cohort_for_code(code, visitor)
    if isinstance(found, CodeRefusal):
        return _code_refused(request, code, found, HTTPStatus.NOT_FOUND)
    if visitor.user is None:
        return _sign_up(request, found, visitor)
    # The button names a person. Somebody else may have signed in here since the page was opened.
    if request.method == "POST" and request.POST.get("person") == str(visitor.user.uuid):
        joining.join(visitor.user, found)
        messages.success(request, f"You are in {found.name}.")
        return redirect("home")
    enrolment = Enrolment.objects.active().filter(user=visitor.user, cohort=found).first()
    return render(request, "account/join_cohort.html", _cohort_context(found) | {"enrolment": enrolment})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_join_code(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Show staff how people join their cohort; its instructors renew the code, close joining and open it again."""
    cohort = cohort_for_staff(request.user, cohort_id)
    may_change = instructs(request.user, cohort)
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied("only instructors change how people join")
        _change_joining(request, cohort)
        return redirect("cohort_join_code", cohort_id)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "may_change": may_change,
        "link": joining.join_link(cohort),
        "code": joining.grouped_code(cohort.join_code),
        "asked": request.GET.get("ask") if may_change else None,
        "entries": cohort.audit_entries.filter(verb__in=joining.VERBS).select_related("who")[:10],
    }
    return render(request, "account/cohort_join_code.html", context)


@never_cache
@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Say what happens after a new password was asked for, in the same words whether or not there is an account."""
    context = {"mail_leaves": settings.MAIL_LEAVES, "minutes": settings.PASSWORD_RESET_TIMEOUT // 60}
    return render(request, "account/password_reset_done.html", context)


def _visitor(request: HttpRequest) -> Visitor:
    user = request.user if isinstance(request.user, User) else None
    return Visitor(user, origin_of(request))


def _ask_for_code(request: HttpRequest, form: CodeForm, status: int = HTTPStatus.OK) -> HttpResponse:
    return render(request, "account/join.html", {"form": form}, status=status)


def _code_refused(request: HttpRequest, code: str, refusal: CodeRefusal, status: int) -> HttpResponse:
    form = CodeForm({"code": code[:40]})
    form.is_valid()
    form.add_error("code", refusal.value)
    return _ask_for_code(request, form, HTTPStatus.TOO_MANY_REQUESTS if refusal is CodeRefusal.TOO_MANY else status)


def _sign_up(request: HttpRequest, cohort: Cohort, visitor: Visitor) -> HttpResponse:
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if not visitor.may_sign_up():
            return render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
        typed = form.cleaned_data
        user = joining.sign_up(cohort, email=typed["email"], name=typed["name"], password=typed["password"])
        if user is not None:
            messages.success(request, f"You are in {cohort.name}.")
            return _signed_in(request, user, then=reverse("home"))
        # Somebody who has an account and types its password has shown who they are: a form sent twice does so.
        known = get_adapter(request).authenticate(request, email=typed["email"], password=typed["password"])
        if known is not None:
            return _signed_in(request, known, then=request.path)
        form.add_error(None, NO_ACCOUNT_MADE)
    context = {"form": form, "password_hint": PASSWORD_HINT, "next": request.path}
    return render(request, "account/sign_up.html", _cohort_context(cohort) | context)


def _signed_in(request: HttpRequest, user: User, *, then: str) -> HttpResponse:
    """Sign a person in as the form for it does: a second factor is asked for, and a closed account stays out."""
    response: HttpResponse = perform_login(request, user, redirect_url=then)
    return response


def _cohort_context(cohort: Cohort) -> dict[str, object]:
    taught_by = User.objects.filter(
        enrolments__in=Enrolment.objects.active().filter(cohort=cohort, role=Role.INSTRUCTOR)
    )
    return {"cohort": cohort, "taught_by": taught_by.order_by("name")}


def _change_joining(request: SignedInRequest, cohort: Cohort) -> None:
    match request.POST.get("action"):
        case "renew":
            if joining.renew_code(cohort, by=request.user, seen=request.POST.get("seen", "")):
                messages.success(request, "The code is renewed. The earlier code and link lead nowhere now.")
        case "close":
            if joining.set_joining(cohort, by=request.user, is_open=False):
                messages.success(request, "Joining is closed. The code lets nobody in until you open it.")
        case "open":
            if joining.set_joining(cohort, by=request.user, is_open=True):
                messages.success(request, "Joining is open. The code lets people in.")
