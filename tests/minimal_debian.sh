#!/usr/bin/env bash
# A Debian 12 that has nothing. See `tests/minimal_debian.sh --help`.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/minimal_debian.sh TARGET

Makes a minimal Debian 12 from the package sources of this machine, which it
keeps, in TARGET: a folder, or an archive when the name ends with .tar. Needs
mmdebstrap (.ci/setup image) and root.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac
[ $# -eq 1 ] || { usage >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "minimal_debian: needs root" >&2; exit 1; }

# Wherever they are kept.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
  [ ! -s "$file" ] || sources+=("$file")
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# As Debian's slim images: without documentation and translations, and with
# /usr merged from the start, which else a package in Perl would do.
mmdebstrap --quiet --variant=minbase \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include=usr-is-merged \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  bookworm "$1" "${sources[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
