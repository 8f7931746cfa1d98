#!/bin/sh
# Starts one program of the site in its container: web, recorder or periodic.
set -eu
quiet='--loglevel WARNING --without-gossip --without-mingle --without-heartbeat -P solo'
case $1 in
  web)
    python manage.py migrate --verbosity 0 --no-input
    python manage.py createcachetable
    python manage.py collectstatic --verbosity 0 --no-input
    exec python -m gunicorn --bind 0.0.0.0:8000 --worker-class gthread --workers "${WEB_WORKERS:-2}" --threads 4 \
      --max-requests 2000 --max-requests-jitter 200 --no-control-socket --log-level warning courseware.wsgi ;;
  # shellcheck disable=SC2086 # options on purpose
  recorder) exec python -m celery --quiet -A courseware.recorder worker -n recorder@%h $quiet -Q recorder ;;
  # shellcheck disable=SC2086
  periodic) exec python -m celery --quiet -A courseware.periodic worker -n periodic@%h $quiet -Q periodic -B -s /tmp/beat-schedule ;;
  *) echo "usage: start.sh web | recorder | periodic" >&2; exit 2 ;;
esac
