#!/usr/bin/env bash
# Measures a release build. See `tests/bench/run.sh --help`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/bench/run.sh SUITE [--json] [--simd NAME] [--filter REGEX]
                          [--smoke]

Builds a release and runs one suite of benchmarks; prints a table, or with
--json one JSON object a line and nothing else, on standard output. What a line
says stands in tests/bench/README.md. Suites:

  core    the core without a server; worlds of 10,000, 100,000 and 1,000,000
          wander, wander3d, flock2d, flock3d, five_terms
            NAME/N/threads:T        the whole World::Step, beside memory_pass
            NAME/N/threads:2/cpu    CPU time of both threads; to 100,000
            neighbors/NAME/N        that each agent has on average
            growth/NAME/N           an agent-step beside that of 10,000
            speedup/NAME/N/threads:2  of two threads over one
            apart/NAME/N/threads:2    of two threads with a world each: what
                                      the machine gives
            reached/NAME/N/threads:2  the one over the other
          memory_pass/N             reads and writes an agent's 56 bytes once
          scalar/NAME/10000         scalar kernels beside those in use: these
                                    scenes, and one for each behavior alone,
                                    way to look and to combine, and facing
          few/E, few/flock2d/E      those in use beside scalar ones where each
                                    archetype has 1, 4, 16 or 64 agents
          hash/N, snapshot/N, restore/N, grid/N
          bytes_per_agent/N, allocations_per_tick/NAME
          scene/NAME/threads:1      each scene of `meanderctl demo`, from its
                                    first tick to its last

  hash    of these hash/N alone

  peers   scenes of the core beside the same in other libraries, which
          `.ci/setup peers` installs: 1,000 and 10,000 agents
            yuka/wander/N, yuka/flock/N, detour_crowd/crowd/1000

  stream  a server with many watchers, all on this machine:
          1,000 agents x 100 watchers and 100 x 300, at 60 Hz for 10 s each
            watch_missed_ticks      ticks that slipped meanwhile
            watch_ticks_per_second  ticks that were taken
            watch_delivered         frames that arrived, of those due
            watch                   server CPU time for each message sent

  service what a server does for its clients, on this machine:
          four clients send batches of 1,000 commands for 5 s, a second at a
          time, in turns with the same requests for a world that is not there
            commands_per_second     commands admitted
            command_cpu             server CPU time for each of them
          a client moves 200 players at each of the 600 ticks of 10 s
            external_ticks_without_command  ticks that it came too late for
            external_missed_ticks           ticks that slipped meanwhile
          60 Hz worlds without a network, 1 x 1,000 agents and 100 x 100, for
          4 s at a time, in turns with a bare timer thread; medians, quartiles
            tick_lateness_p99       from when a tick is due till it is there:
                                    whoever asks is given its state
            delivery_lateness_p99   till a watcher is given its frame
            *_above_bare            the same, less the bare thread's
            tick_lateness_missed_ticks
          2,000 worlds made and deleted one after the other
            create_and_delete_world
          1,000 worlds of 60 Hz in which nothing happens, for 10 s
            idle_rss, idle_cpu, idle_missed_ticks
          1,000 worlds of 10 agents at 30 Hz, for 10 s
            small_worlds_missed_ticks, small_worlds_cpu, small_worlds_tick
          a world of 1,000,000 wanderers at 60 Hz, and of as many that flock in
          the plane at 20 Hz, for 10 s, hashed at each tick
            million/NAME/step_mean, step_p99  of 100 calls of StepWorld, first
            million/NAME/ticks_wanted, ticks_made, missed_ticks, tick_cpu,
                         server_cpu
            million/NAME/watched/...  the same with a watcher of all agents
            million/NAME/watched/frames, client_cpu
          100 x 100 agents at 60 Hz without a network, for 4 s at a time, in
          turns alone and beside a flock of 300,000 at 20 Hz
            heavy_light/light_lateness_p99/alone, beside
            heavy_light/light_missed_ticks/alone, beside
            heavy_light/heavy_ticks, heavy_missed_ticks
            heavy_light/bare_timer_p99      of a bare thread meanwhile
            heavy_light/taken_p99           from due to taken by a thread
            heavy_light/slowest_hundredth   where those that waited longest did
            heavy_light/unlooking_cpu, unlooking_wall  between two looks for
                                            what is due

Of every suite:

  --simd NAME     compute with these kernels and not the fastest, as with
                  MEANDER_SIMD=NAME: scalar, sse4, avx2, avx512, neon

Of core and hash, --smoke also of service:

  --filter REGEX  only what it matches, as `^flock2d/10000/`
  --smoke         tiny worlds, once each: whether it works, not how fast; of
                  service what has small sizes: million, heavy_light

Machines differ and are noisy: compare figures of one run, on an idle machine.
TEXT
}

# refuse WHY: what is wrong with the arguments.
refuse() {
  printf 'run.sh: %s; tests/bench/run.sh --help explains\n' "$1" >&2
  exit 2
}

suite='' show=(python3 tests/bench/table.py) core_arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    core | hash | peers | service | stream) suite=$1; shift ;;
    --json) show=(cat); shift ;;
    --simd)
      [ $# -gt 1 ] || refuse '--simd needs a name'
      case $2 in
        scalar | sse4 | avx2 | avx512 | neon) export MEANDER_SIMD=$2 ;;
        *) refuse "there are no kernels $2" ;;
      esac
      shift 2
      ;;
    --smoke) core_arguments+=(--smoke); shift ;;
    --filter)
      [ $# -gt 1 ] || refuse '--filter needs a regex'
      core_arguments+=("--benchmark_filter=$2")
      shift 2
      ;;
    *) refuse "no suite or option $1" ;;
  esac
done
program=$suite
case $suite in
  '') refuse 'which suite?' ;;
  hash) program=core; core_arguments+=(--benchmark_filter=^hash/) ;;
  core) ;;
  service)
    [[ " ${core_arguments[*]} " != *benchmark_filter* ]] ||
      refuse 'service has no --filter'
    ;;
  *)
    [ ${#core_arguments[@]} -eq 0 ] || refuse "$suite has no such option"
    ;;
esac

{
  groups=(build test)
  [ "$suite" != peers ] || groups+=(peers)
  .ci/setup "${groups[@]}"
  cmake --preset release
  targets=("meander_${program}_bench")
  case $suite in
    service | stream) targets+=(meanderd) ;;
  esac
  cmake --build --preset release --target "${targets[@]}"
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

# Runs the suite's program beside a server of its own.
measure() {
  start_server
  "build/release/bin/meander_${suite}_bench" \
    --server="127.0.0.1:$(cat "$work/port")" --server_pid="$server" "$@"
  stop_server
}

run_suite() {
  case $suite in
    core | hash) build/release/bin/meander_core_bench "${core_arguments[@]}" ;;
    peers) build/release/bin/meander_peers_bench ;;
    service)
      if [ ${#core_arguments[@]} -gt 0 ]; then
        for bench in million_wander million_flock2d heavy_light; do
          measure --bench="$bench" --seconds=1 --smoke=true
        done
        return
      fi
      for bench in commands_per_second external_agents tick_lateness \
        create_and_delete idle_worlds small_worlds million_wander \
        million_flock2d heavy_light; do
        measure --bench="$bench"
      done
      ;;
    stream)
      measure --agents=1000 --watchers=100
      measure --agents=100 --watchers=300
      ;;
  esac
}
# In this shell, which stops the server however it ends.
exec {lines}> >("${show[@]}")
shown=$!
run_suite >&"$lines"
exec {lines}>&-
wait "$shown"
