#!/usr/bin/env bash
# Measures a release build. See `tests/bench/run.sh --help`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/bench/run.sh SUITE

Builds a release and runs one suite of benchmarks; prints one JSON object a
line, and nothing else, on standard output. Suites:

  stream  a server with many watchers, all on this machine:
          1,000 agents x 100 watchers and 100 x 300, at 60 Hz for 10 s each
            watch_missed_ticks      ticks that slipped meanwhile
            watch_ticks_per_second  ticks that were taken
            watch_delivered         frames that arrived, of those due
            watch                   server CPU time for each message sent

Machines differ and are noisy: compare figures of one run, on an idle machine.
TEXT
}

case ${1:-} in
  stream) ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

{
  .ci/setup build test
  cmake --preset release
  cmake --build --preset release --target meanderd meander_stream_bench
} >&2

work=$(mktemp -d)
server=''
stop_server() {
  if [ -n "$server" ] && kill "$server" 2>/dev/null; then
    wait "$server" || true
  fi
  server=''
}
trap 'stop_server; rm -rf "$work"' EXIT

start_server() {
  rm -f "$work/port"
  build/release/bin/meanderd --listen=127.0.0.1:0 --port_file="$work/port" >&2 &
  server=$!
  for _ in $(seq 200); do
    [ ! -s "$work/port" ] || return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
  done
  echo 'bench: the server did not start' >&2
  exit 1
}

for load in '1000 100' '100 300'; do
  read -r agents watchers <<<"$load"
  start_server
  build/release/bin/meander_stream_bench \
    --server="127.0.0.1:$(cat "$work/port")" --server_pid="$server" \
    --agents="$agents" --watchers="$watchers"
  stop_server
done
