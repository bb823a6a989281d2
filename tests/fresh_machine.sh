#!/usr/bin/env bash
# The README's commands on a machine that has nothing. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tests/fresh_machine.sh [COMMAND...]

Makes a minimal Debian 12 in a folder (mmdebstrap, as root), puts the committed
tree into it, and runs each COMMAND there, as a newcomer would type it. Without
commands, the two of the README:

  bash client_examples/quickstart.sh
  bash tests/run.sh

Takes about 20 minutes. Leaves nothing behind. Exits with the first failure.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
if [ $# -eq 0 ]; then
  set -- 'bash client_examples/quickstart.sh' 'bash tests/run.sh'
fi
[ "$(id -u)" -eq 0 ] || { echo "fresh_machine: needs root" >&2; exit 1; }

root=$(mktemp -d)
chmod 755 "$root"
# Mounts live in a namespace of the inner shell and end with it.
trap 'rm -rf --one-file-system "$root"' EXIT

echo "== a minimal Debian 12 in $root"
tests/minimal_debian.sh "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true

mkdir "$root/meander"
git archive HEAD | tar -x -C "$root/meander"

cat >"$root/inner" <<'TEXT'
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
ip link set lo up 2>/dev/null || true
cd /meander
for command; do
  printf '\n== %s\n' "$command"
  eval "$command"
done
TEXT
# shellcheck disable=SC2016  # the inner shell expands it
unshare --mount --propagation private bash -c '
  root=$1
  shift
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  exec env -i CI="${CI:-}" /usr/sbin/chroot "$root" bash /inner "$@"
' fresh "$root" "$@" </dev/null
