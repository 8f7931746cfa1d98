# Two images: `site` has no NumPy and no PyTorch, `judge` has no Django, no database driver, no cards and no banks.
#
#   docker build --target site -t courseware-site .
#   docker build --target judge -t courseware-judge .

FROM python:3.11-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# A number that no account of the host should have; files in volumes belong to it.
RUN useradd --uid 10001 --create-home --home-dir /home/courseware courseware
WORKDIR /srv/courseware
COPY constraints.txt ./
COPY requirements/ requirements/

FROM base AS site
# pg_dump, pg_restore and psql of Debian 12, which are PostgreSQL 15 as the server of docker-compose.yml: for backups.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN pip install -r requirements/site.txt
COPY manage.py ./
COPY courseware/ courseware/
COPY quizzes/ quizzes/
COPY grader/ grader/
COPY deploy/site/start.sh /usr/local/bin/start.sh
RUN rm -rf grader/judge grader/sandbox && install -d -o courseware -g courseware -m 0700 /var/lib/courseware /var/backups/courseware
ENV VAR_PATH=/var/lib/courseware DJANGO_SETTINGS_MODULE=courseware.settings
USER courseware
EXPOSE 8000
CMD ["start.sh", "web"]

# What the judge may know of the course: exercise folders, and nothing beside them.
FROM base AS exercises
COPY courseware/content/ content/
RUN find content -type f \( -name card.md -o -name bank.yaml -o -name misconceptions.yaml -o -name blueprint.yaml -o -path '*/notes/*' \) -delete

FROM base AS judge
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap libseccomp2 && rm -rf /var/lib/apt/lists/*
RUN pip install -r requirements/judge.txt
# The build for processors alone; for a GPU: --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cu130
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN pip install --index-url "$TORCH_INDEX" --extra-index-url https://pypi.org/simple -r requirements/torch.txt
COPY courseware/__init__.py courseware/
COPY courseware/concepts/__init__.py courseware/concepts/faults.py courseware/concepts/sources.py courseware/concepts/
COPY grader/ grader/
COPY --from=exercises /srv/courseware/content/ content/
ENV COURSE_PATH=/srv/courseware/content VAR_PATH=/tmp
USER courseware
CMD ["python", "-m", "grader.judge.serve", "--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat", "-Q", "judge.interactive,judge.batch", "-c", "1"]
