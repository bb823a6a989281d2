#!/usr/bin/env bash
# From a fresh checkout to a running world. See `quickstart.sh --help`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: client_examples/quickstart.sh [--seed N] [--agents N] [--seconds N]

Installs what is missing, builds a release, starts a server on a free port of
this machine, and shows its main job: a world of 1,000 wanderers at 60 Hz,
watched live for ten seconds, and that the same seed gives the same bits again.
Stops the server at the end. May be run again; asks nothing. Exits with 1 when
a state hash is not as it must be.

With CI set in the environment, compiler warnings are errors.
TEXT
}

for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
  esac
done

part_started=$SECONDS
part() { printf -- '-- %s\n' "$*"; part_started=$SECONDS; }
took() { printf '   %d s\n' "$((SECONDS - part_started))"; }

part 'set-up'
bash .ci/setup build
# A mistyped flag shows before the build.
/usr/bin/python3 client_examples/python/quickstart.py --check-arguments "$@"
took

part 'build a release (the first time takes a few minutes)'
mkdir -p build
arguments=(--preset release)
[ -z "${CI:-}" ] || arguments+=(-DMEANDER_WERROR=ON)
cmake "${arguments[@]}" >build/configure.log 2>&1 ||
  { cat build/configure.log; exit 1; }
cmake --build --preset release --target meanderd meanderctl cpp_watch
took

part 'start the server'
work=$(mktemp -d)
server=''
stop_server() {
  if [ -n "$server" ] && kill "$server" 2>/dev/null; then
    wait "$server" || true
  fi
  rm -rf "$work"
}
trap stop_server EXIT
build/release/bin/meanderd --listen=127.0.0.1:0 --port_file="$work/port" \
  >"$work/log" 2>&1 &
server=$!
for _ in $(seq 200); do
  [ ! -s "$work/port" ] || break
  kill -0 "$server" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.05
done
[ -s "$work/port" ] || { cat "$work/log"; exit 1; }
printf '   '
cat "$work/log"
took

/usr/bin/python3 client_examples/python/quickstart.py \
  --server "127.0.0.1:$(cat "$work/port")" "$@"

part 'stop the server'
kill -TERM "$server"
wait "$server"
server=''
took
printf -- '-- done in %d s\n' "$SECONDS"
