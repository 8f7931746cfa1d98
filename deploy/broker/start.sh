#!/bin/sh
# Starts the broker's Redis with its two accounts. The passwords come from the environment and reach a file in memory only.
set -eu
for name in BROKER_SITE_PASSWORD BROKER_JUDGE_PASSWORD; do
  eval "value=\${$name:-}"
  case $value in
    '') echo "$name is not set" >&2; exit 1 ;;
    *[!A-Za-z0-9_-]*) echo "$name may hold letters, digits, - and _ only: it stands in an address" >&2; exit 1 ;;
  esac
done
umask 077
sed -e '/^#/d' -e "s/@SITE_PASSWORD@/$BROKER_SITE_PASSWORD/" -e "s/@JUDGE_PASSWORD@/$BROKER_JUDGE_PASSWORD/" \
  "${ACL_TEMPLATE:-/etc/courseware/users.acl.in}" >"${ACL_FILE:-/run/courseware/users.acl}"
# Appended to every second: orders that a crash loses are sent again by their lease, but a verdict must not be lost.
exec redis-server --aclfile "${ACL_FILE:-/run/courseware/users.acl}" --appendonly yes --appendfsync everysec \
  --maxmemory-policy noeviction "$@"
