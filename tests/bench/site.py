"""Settings for measurements: the product's own, with one bare view beside its pages, behind the same middleware."""

from courseware.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.site_urls"
