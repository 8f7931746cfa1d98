"""The second factor as this site shows it. allauth keeps it; this draws the picture that an app reads."""

from typing import Any, ClassVar

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from django.utils.safestring import SafeString, mark_safe

from courseware.accounts.adapter import Adapter

_QUIET_ZONE = 4  # modules of white around the code, which ISO/IEC 18004 asks for


class SecondFactor(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's second factor in this site's words."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": Adapter.error_messages["incorrect_code"],
        "cannot_generate_recovery_codes": "Turn the second factor on first; it comes with recovery codes.",
    }

    def build_totp_svg(self, url: str) -> SafeString:
        """Return the secret's address as a QR code that may stand in the page itself: one path, no style."""
        code = qrcode.QRCode(border=_QUIET_ZONE)
        code.add_data(url)
        code.make()
        rows = code.get_matrix()
        dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
        # Only numbers that were counted here stand in it.
        return mark_safe(  # noqa: S308
            f'<svg class="qr" viewBox="0 0 {len(rows)} {len(rows)}" role="img" aria-label="QR code of the secret">'
            f'<path d="{dark}"/></svg>'
        )
