#!/usr/bin/env bash
# Builds and tests Meander from nothing. See `tests/run.sh --help`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tests/run.sh [--preset NAME]

Installs what a build needs (.ci/setup build), configures and builds a CMake
preset into build/NAME and runs its tests. Ends with a line that counts test
cases; exits 0 only when some ran and none failed.

  --preset NAME  default (as it is without this), release, asan or tsan;
                 the last two also need .ci/setup test

With CI set in the environment, compiler warnings are errors.
TEXT
}

preset=default
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    *) usage >&2; exit 2 ;;
  esac
done

started=$SECONDS
times=()

# part NAME COMMAND...: runs it and notes how long it took.
part() {
  local name=$1 from=$SECONDS status=0
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" </dev/null || status=$?
  times+=("$(printf '%-10s %5d s' "$name" $((SECONDS - from)))")
  return $status
}

summary() {
  printf '\n== how long it took (preset %s)\n' "$preset"
  printf '%s\n' "${times[@]}"
  printf '%-10s %5d s\n' all $((SECONDS - started))
}

stopped() {
  summary
  printf '\nNo test ran: %s failed.\n0 passed, 1 failed\n' "$1"
  exit 1
}

results=$PWD/build/$preset/tests.xml
arguments=(--preset "$preset")
[ -z "${CI:-}" ] || arguments+=(-DMEANDER_WERROR=ON)
run_tests=(ctest --preset "$preset" --parallel "$(nproc)"
           --output-junit "$results")
# ThreadSanitizer cannot place its shadow memory on kernels that randomize
# addresses widely. Where this is not allowed, it may do without.
if [ "$preset" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then
  run_tests=(setarch "$(uname -m)" -R "${run_tests[@]}")
fi

part setup .ci/setup build || stopped setup
part configure cmake "${arguments[@]}" || stopped configure
part build cmake --build --preset "$preset" || stopped build
rm -f "$results"
status=0
part test "${run_tests[@]}" || status=$?
summary

# Every test of the results that is not marked as run and well is a failure;
# so is a run of which nothing is known.
all=0 passed=0
if [ -f "$results" ]; then
  all=$(grep -c '<testcase ' "$results" || true)
  passed=$(grep -c '<testcase .*status="run"' "$results" || true)
fi
failed=$((all - passed))
if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$all" -eq 0 ]; }; then
  printf '\nThe test run itself failed (exit %d, %d tests).\n' \
    "$status" "$all"
  failed=1
fi
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
