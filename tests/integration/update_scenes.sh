#!/usr/bin/env bash
# Writes the golden hashes and the pictures of the gallery anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/integration/update_scenes.sh [BUILD]

Runs every scene of `meanderctl demo` on the server of BUILD (build/default)
and writes client_examples/scenes/pictures/*.svg and
tests/integration/scenes_golden.txt. To be called when a scene was changed, or
with a new kSimulationVersion; nothing else may change a hash.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
bin=${1:-build/default}/bin
golden=tests/integration/scenes_golden.txt
pictures=client_examples/scenes/pictures

work=$(mktemp -d)
server=''
stop_server() {
  if [ -n "$server" ] && kill "$server" 2>/dev/null; then
    wait "$server" || true
  fi
  rm -rf "$work"
}
trap stop_server EXIT
"$bin/meanderd" --listen=127.0.0.1:0 --port_file="$work/port" \
  >"$work/log" 2>&1 &
server=$!
for _ in $(seq 200); do
  [ ! -s "$work/port" ] || break
  kill -0 "$server" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.05
done
[ -s "$work/port" ] || { cat "$work/log"; exit 1; }
MEANDER_SERVER=127.0.0.1:$(cat "$work/port")
export MEANDER_SERVER

mkdir -p "$pictures"
rm -f "$pictures"/*.svg
{
  echo '# How each scene ends: written by tests/integration/update_scenes.sh.'
  echo '# A hash changes only with its scene or with kSimulationVersion.'
  "$bin/meanderctl" demo | tail -n +2 | while read -r name _; do
    "$bin/meanderctl" demo "$name" --svg "$pictures/$name.svg"
  done
} >"$work/golden"
mv "$work/golden" "$golden"
cat "$golden"
