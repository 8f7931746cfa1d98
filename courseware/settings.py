"""Every setting of the site. The environment is read here and nowhere else; defaults are those for production."""

from pathlib import Path

import csp.constants

from courseware.environment import Environment
from grader.log_lines import FORMATS, logging_options
from grader.transport import celery_options, embedded_broker_url

BASE_DIR = Path(__file__).resolve().parent.parent
_env = Environment(BASE_DIR / ".env")

# --- where things are ------------------------------------------------------------------------------------------------
VAR_PATH = _env.path("VAR_PATH", BASE_DIR / "var")
VAR_PATH.mkdir(mode=0o700, parents=True, exist_ok=True)
COURSE_PATH = _env.path("COURSE_PATH", BASE_DIR / "courseware" / "content")
BACKUP_PATH = _env.path("BACKUP_PATH", VAR_PATH / "backups")
BACKUPS_KEPT = _env.integer("BACKUPS_KEPT", 14)  # two weeks of nightly ones: long enough to notice what went wrong
# The course that ships with the product is public, its test pool included; pages for staff say so.
COURSE_IS_PUBLIC = COURSE_PATH == BASE_DIR / "courseware" / "content"

# --- who may reach the site, and how ---------------------------------------------------------------------------------
_site = _env.site_url("SITE_URL", "http://127.0.0.1:8000")
SITE_URL = _site.geturl().rstrip("/")
_is_https = _site.scheme == "https"
# Only the launcher uses BIND; it is read here so that a bad value is refused by every command.
BIND = _env.listening_address("BIND", f"127.0.0.1:{_site.port or 8000}" if not _is_https else "127.0.0.1:8000")
DEBUG = _env.flag("DEBUG", default=False)
SECRET_KEY = _env.secret("SECRET_KEY", VAR_PATH / "secret_key")
ALLOWED_HOSTS = [_site.hostname or ""]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = _is_https
SECURE_HSTS_SECONDS = 31_536_000 if _is_https else 0  # a year
SECURE_HSTS_INCLUDE_SUBDOMAINS = False  # the neighbours of this host are not ours to decide about
# Both ask for what that line rules out: a promise for every host below and beside this one (W021: for ever).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Probes and the collector ask from inside, where nobody ends TLS.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
PROXY_COUNT = _env.integer("PROXY_COUNT", 0)
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "courseware.accounts.sessions"  # in the database, so that a restart signs nobody out
SESSION_COOKIE_AGE = 14 * 24 * 3600  # a learner who works weekly signs in once a fortnight
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "courseware.study.failures.form_is_old"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.constants.NONE],
        "script-src": [csp.constants.SELF],
        # The nonce lets CodeMirror add its one style sheet.
        "style-src": [csp.constants.SELF, csp.constants.NONCE],
        # MathML carries alignment as style attributes; scripts and style sheets stay strict.
        "style-src-attr": [csp.constants.UNSAFE_INLINE],
        "img-src": [csp.constants.SELF, "data:"],
        "font-src": [csp.constants.SELF],
        "connect-src": [csp.constants.SELF],
        "form-action": [csp.constants.SELF],
        "base-uri": [csp.constants.NONE],
        "frame-ancestors": [csp.constants.NONE],
    }
}

# --- parts -----------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "courseware.apps.CoursewareConfig",
    "courseware.accounts.apps.AccountsConfig",
    "courseware.study.apps.StudyConfig",
    "courseware.results.apps.ResultsConfig",
    "quizzes.apps.QuizzesConfig",
    "grader.apps.GraderConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
]
MIDDLEWARE = [
    "courseware.operations.requests.named_and_logged",
    "courseware.operations.requests.asked_from_inside",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "courseware.accounts.private_pages.private_pages",  # after static files, which everybody may keep
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it turns a lockout into the answer
]
ROOT_URLCONF = "courseware.urls"
WSGI_APPLICATION = "courseware.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "courseware" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "courseware.accounts.form_tokens.form_token",
                "courseware.study.frame.frame",
            ],
        },
    }
]

# --- data ------------------------------------------------------------------------------------------------------------
DATABASES = {"default": _env.database("DATABASE_URL", VAR_PATH / "courseware.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Never on the broker's Redis: Django's Redis cache unpickles what it reads, and a judge can write to that server.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        # It holds the tries that limits count. With Django's 300 entries anybody could push those out by trying more.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = False

# --- static files ----------------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_PATH / "static"
STATICFILES_DIRS = [BASE_DIR / "courseware" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "courseware.storage.StaticStorage"},
}

# --- signing in ------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "courseware.accounts.adapter.Adapter"
ACCOUNT_FORMS = {"reset_password": "courseware.accounts.forms.NewPasswordForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a letter tells the owner that a password or a second factor was changed
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_PREVENT_ENUMERATION = True
PASSWORD_RESET_TIMEOUT = 3600  # time to find the letter, and no more: whoever reads it holds the account
ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT
ACCOUNT_RATE_LIMITS = {
    # For second factors alone: the adapter leaves passwords to axes, which counts over every way in.
    "login_failed": "5/15m/key",
    # A full lecture hall signs in within a minute, from one address. Guessing at one account is for axes to stop.
    "login": "400/m/ip",
    # Three letters are enough to find one, and too few to fill somebody's mailbox.
    "reset_password": "60/10m/ip,3/15m/key",
    "reset_password_from_key": "60/10m/ip",
}
MFA_ADAPTER = "courseware.accounts.second_factor.SecondFactor"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = f"Courseware at {_site.hostname}"
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute off; each code still counts once
# Addresses are not confirmed here: people are known by the cohort's code or by the operator who added them.
MFA_ALLOW_UNVERIFIED_EMAIL = True
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours: long enough to make guessing useless, short enough to wait out
# Both together: one learner cannot lock out another, and a classroom behind one address is not locked as a whole.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "courseware.accounts.lockout.name_tried"
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_IPWARE_PROXY_COUNT = PROXY_COUNT
AXES_VERBOSE = False

# --- letters ---------------------------------------------------------------------------------------------------------
_mail = _env.mail_server("EMAIL_URL")
MAIL_LEAVES = bool(_mail.host)  # pages say where a letter went
EMAIL_BACKEND = _mail.backend
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.starts_tls, _mail.is_tls
EMAIL_TIMEOUT = 10  # seconds; somebody waits for the page
DEFAULT_FROM_EMAIL = SERVER_EMAIL = _env.sender("DEFAULT_FROM_EMAIL", f"courseware@{_site.hostname}")

# --- grading ---------------------------------------------------------------------------------------------------------
BROKER_URL = _env.text("BROKER_URL", embedded_broker_url())
CELERY = celery_options(BROKER_URL, VAR_PATH, side="site")
# What a delivery may take beyond the exercise's own limit before it is sent again: start of the sandbox, the import
# of PyTorch (2.7 s measured, ten times that on a loaded machine) and both hops of the broker.
GRADER_LEASE_GRACE_SECONDS = _env.integer("GRADER_LEASE_GRACE_SECONDS", 60, minimum=1)
# A judge reports every 10 s; three missed reports mean that it is gone.
GRADER_JUDGE_SILENT_SECONDS = _env.integer("GRADER_JUDGE_SILENT_SECONDS", 30, minimum=1)

# The launcher and the judge read these; they stand here so that one place names every variable and refuses bad ones.
PYTHON = _env.text("PYTHON")
TORCH = _env.choice("TORCH", ("auto", "none"))
JUDGE_NAME = _env.text("JUDGE_NAME", "judge-1")
SANDBOX_UID = _env.integer("SANDBOX_UID", 61_000, minimum=1)

# --- telling the operator --------------------------------------------------------------------------------------------
# Empty: there is no page of figures. It travels in the open from inside, so it is for this page alone.
METRICS_TOKEN = _env.token("METRICS_TOKEN")
# Our own line says of each request how it ended, and axes would name whom it locked out.
LOG_FORMAT = _env.choice("LOG_FORMAT", FORMATS)
LOGGING = logging_options(
    "json" if LOG_FORMAT == "json" else "text",
    levels={"django.server": "WARNING", "django.request": "ERROR", "axes": "CRITICAL"},
)
ENVIRONMENT_NAMES = frozenset(_env.asked)
