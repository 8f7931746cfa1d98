"""What people type to join, to sign up and to ask for a new password: its shape, and what is wrong with it in words."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest

from courseware.accounts.models import User
from courseware.accounts.names import readable, tidy

PASSWORD_HINT = "Ten characters or more, and not a password that many people use."  # noqa: S105
_LONGEST_PASSWORD = 200  # hashing a longer text costs time and adds nothing


class CodeForm(forms.Form):
    code = forms.CharField(
        label="Join code",
        max_length=40,
        error_messages={"required": "Type the code that you were given: eight letters and digits."},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "join-code"}
        ),
    )


class SignUpForm(forms.Form):
    """A new account. Whether its address is taken is no matter of the form: it would say so to anybody."""

    name = forms.CharField(
        max_length=150,
        validators=[readable],
        error_messages={
            "required": "Type the name by which the people who teach you know you.",
            "max_length": "A name has at most 150 characters here, not %(show_value)d.",
        },
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label="E-mail address",
        max_length=254,
        error_messages={
            "required": "Type your e-mail address: you sign in with it.",
            "invalid": "This is no e-mail address. One looks like name@example.org.",
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        strip=False,
        max_length=_LONGEST_PASSWORD,
        error_messages={"required": "Choose a password."},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_name(self) -> str:
        return tidy(self.cleaned_data["name"])

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def clean(self) -> dict[str, Any]:
        """Judge the password last, since it may not be the name or the address either."""
        cleaned = super().clean() or {}
        if "password" in cleaned:
            owner = User(email=cleaned.get("email", ""), name=cleaned.get("name", ""))
            try:
                validate_password(cleaned["password"], owner)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class NewPasswordForm(ResetPasswordForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for a link to a new password; what happens looks the same whether or not the address has an account."""

    def save(self, request: HttpRequest, **options: Any) -> str:
        email: str = self.cleaned_data["email"]
        if not self.users:
            # A letter either way: the time that sending takes tells nothing, and whoever mistyped learns why none came.
            get_adapter(request).send_mail("account/email/unknown_account", email, {})
            return email
        super().save(request, **options)
        return email
