#!/usr/bin/env bash
# The image of the Dockerfile, built and reached. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/image/run.sh

Builds the image of the Dockerfile without a Docker engine, runs it as it comes
in a network of its own, and checks that it is what the README promises (see
tests/image/check.sh). Installs what it needs (.ci/setup build image); needs
root or sudo, and Debian's mirror as this machine has it.

Its base is a minimal Debian made here, for there is no registry. Objects come
from ccache where there is one. Takes two to three minutes. Removes all that it
made.
TEXT
}

case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
[ "$(id -u)" -eq 0 ] || exec sudo tests/image/run.sh

work=$(mktemp -d)
# Where buildah and podman keep what they make.
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }
clean_up() {
  # A build that was broken off leaves mounts.
  awk -v below="$work/" 'index($2, below) == 1 { print $2 }' \
    /proc/self/mounts | tac | xargs -r umount --lazy
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

from=$SECONDS
part() { printf -- '-- %s\n' "$*"; from=$SECONDS; }
took() { printf '   %d s\n' $((SECONDS - from)); }

part 'set-up'
.ci/setup build image
took

part 'a base image'
base=docker.io/library/debian:bookworm-slim
tests/minimal_debian.sh "$work/base.tar"
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/base.tar" / >/dev/null
buildah commit --quiet --rm "$container" "$base" >/dev/null
rm "$work/base.tar"
took

part 'the image of the Dockerfile'
cache=()
if folder=$(ccache --get-config cache_dir 2>/dev/null) && [ -d "$folder" ]; then
  cache=(--volume "$folder:/root/.cache/ccache")
fi
buildah bud --isolation chroot --pull-never --format docker --tag meander \
  "${cache[@]}" . >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
took

part 'the image at work'
unshare --net tests/image/check.sh "$work/storage" "$work/run"
took
