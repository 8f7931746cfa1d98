"""The site's WSGI entry. A course with faults stops the start, with every fault named."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")

application = get_wsgi_application()

from courseware.checks import load_whole_course  # noqa: E402  (needs the applications that the line above loads)

load_whole_course()
# The course stays as long as the process. Looking through it for garbage took 20 ms of somebody's request.
gc.collect()
gc.freeze()
