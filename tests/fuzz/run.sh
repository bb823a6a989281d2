#!/usr/bin/env bash
# Fuzzes for a bounded time. See `tests/fuzz/run.sh --help`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

BIN=build/asan/bin
WORK=build/asan/fuzz

usage() {
  cat <<TEXT
usage: tests/fuzz/run.sh [SECONDS]

Runs each fuzz target of the build in build/asan (tests/run.sh --preset asan
makes it) for SECONDS, 20 without, from the same seed each time, two at a time.
Starts from fresh seeds and tests/fuzz/corpus; what it finds on the way stays
in $WORK/corpus, and what breaks a promise is a file in $WORK. A target that
ran no input, or is no fuzzer but only replays files, has failed. Ends with a
line that counts targets; exits 0 when there were some and all passed.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  '' | [1-9] | [1-9]*[0-9]) seconds=${1:-20} ;;
  *) usage >&2; exit 2 ;;
esac

mkdir -p "$WORK"
"$BIN/fuzz_seeds" "$WORK/seeds" || exit 1

# A single allocation above the limit is a failure too; the targets themselves
# count all of them together.
fuzz() {
  local name=$1 folders=() inputs
  for folder in "$WORK/seeds/$name" "tests/fuzz/corpus/$name"; do
    [ ! -d "$folder" ] || folders+=("$folder")
  done
  mkdir -p "$WORK/corpus/$name"
  if "$BIN/fuzz_$name" -seed=1 -max_total_time="$seconds" -timeout=10 \
    -max_len=4096 -malloc_limit_mb=64 -rss_limit_mb=1024 -print_final_stats=1 \
    -dict=tests/fuzz/dictionary.txt -artifact_prefix="$WORK/$name-" \
    "$WORK/corpus/$name" "${folders[@]}" >"$WORK/$name.log" 2>&1 &&
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' \
      "$WORK/$name.log") && [[ $inputs =~ ^[1-9][0-9]*$ ]]; then
    printf 'pass %-9s %s inputs\n' "$name" "$inputs"
  else
    printf 'FAIL %-9s\n' "$name"
    tail -n 40 "$WORK/$name.log" | sed 's/^/    /'
  fi
}

targets=()
for file in tests/fuzz/*_fuzz.cc; do
  name=$(basename "$file" _fuzz.cc)
  if [ ! -x "$BIN/fuzz_$name" ]; then
    echo "fuzz: there is no $BIN/fuzz_$name" >&2
    exit 1
  fi
  targets+=("$name")
  rm -f "$WORK/$name.verdict"
done
for name in "${targets[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
  fuzz "$name" >"$WORK/$name.verdict" </dev/null &
done
wait
verdicts=$(for name in "${targets[@]}"; do cat "$WORK/$name.verdict"; done)
printf '%s\n' "$verdicts"
passed=$(grep -c '^pass ' <<<"$verdicts")
printf '%d passed, %d failed\n' "$passed" "$((${#targets[@]} - passed))"
[ "$passed" -gt 0 ] && [ "$passed" -eq ${#targets[@]} ]
