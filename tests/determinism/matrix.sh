#!/usr/bin/env bash
# The same bits from every compiler. See `tests/determinism/matrix.sh --help`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

COMPILERS=(g++ clang++-14 clang++-19)
LEVELS=(O0 O2 O3)
GOLDEN=tests/determinism/golden.txt
# Instructions that multiply and add with one rounding.
FUSED='\<(vfn?m(add|sub)|fn?m(add|sub)|fml[as])[0-9a-z]*\>'

usage() {
  cat <<TEXT
usage: tests/determinism/matrix.sh

Builds core and tests/determinism/golden_main.cc with each of
  ${COMPILERS[*]}
at ${LEVELS[*]}, and checks the golden hashes with each program. Prints a
table of cells:

  pass     every hash is as in $GOLDEN
  FAIL     it did not build, or a hash differs
  missing  the compiler is not installed; a failure when CI is set
  not run  this machine cannot run the cell

The columns "v3" and "control" are built for x86-64-v3, which has fused
instructions, and run where the machine has them: "v3" with the project's
flags must give the golden hashes and hold no fused instruction; "control"
with -ffp-contract=fast must give other hashes, or the check has no teeth.
TEXT
}

case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

work=build/matrix
jobs=$(nproc)
[ "$jobs" -le 2 ] || jobs=2
launcher=()
! command -v ccache >/dev/null || launcher=(ccache)

# core's own flags, from the one place that names them.
mapfile -t core_flags < <(grep -oE -- '-f[a-z=-]+' core/CMakeLists.txt)
case " ${core_flags[*]} " in
  *' -ffp-contract=off '*) ;;
  *) echo "matrix: core/CMakeLists.txt no longer names its flags"; exit 1 ;;
esac
mapfile -t core_sources < <(find core -name '*.cc' | sort)
mapfile -t test_sources < <(find tests/scenarios -name '*.cc' | sort
                            echo tests/determinism/golden_main.cc)
for file in "${core_sources[@]:-core/*.cc}" "${test_sources[@]}" "$GOLDEN"; do
  [ -f "$file" ] || { echo "matrix: there is no $file"; exit 1; }
done

can_fuse=no
if [ "$(uname -m)" = x86_64 ] &&
  [ "$(grep -cE '^flags.* avx2 ' /proc/cpuinfo)" -gt 0 ] &&
  [ "$(grep -cE '^flags.* fma ' /proc/cpuinfo)" -gt 0 ] &&
  [ "$(grep -cE '^flags.* bmi2 ' /proc/cpuinfo)" -gt 0 ]; then
  can_fuse=yes
fi

# build FOLDER COMPILER FLAG...: FOLDER/golden, and FOLDER/log when it fails.
build() {
  local folder=$1 compiler=$2
  shift 2
  rm -rf "$folder"
  mkdir -p "$folder"
  # shellcheck disable=SC2016  # the inner shell expands $0 and $1
  printf '%s\n' "${core_sources[@]}" "${test_sources[@]}" |
    xargs -P "$jobs" -I{} bash -c '
      object=$0/$(tr / . <<<"$1").o
      shift
      exec "$@" -o "$object"' \
      "$folder" {} "${launcher[@]}" "$compiler" -std=c++20 -pthread -I. \
      "$@" -c {} >"$folder/log" 2>&1 &&
    "$compiler" -pthread "$folder"/*.o -o "$folder/golden" \
      >>"$folder/log" 2>&1
}

# Each cell function prints its verdict, and leaves its reasons in $cell_log.
golden_cell() {
  local folder=$1
  if ! build "$@"; then
    cell_log=$folder/log
    verdict=FAIL
  elif "$folder/golden" --check "$GOLDEN" >"$folder/check" 2>&1; then
    verdict=pass
  else
    cell_log=$folder/check
    verdict=FAIL
  fi
}

v3_cell() {
  golden_cell "$@"
  local folder=$1
  [ "$verdict" = pass ] || return 0
  objdump -d --no-show-raw-insn "$folder"/core.*.o >"$folder/assembly"
  if grep -E "$FUSED" "$folder/assembly" >"$folder/fused"; then
    cell_log=$folder/fused
    verdict=FAIL
  fi
}

# A crash is no proof: the program must run to its end and print other hashes.
control_cell() {
  local folder=$1 reference=$2
  shift 2
  cell_log=$folder/log
  verdict=FAIL
  build "$folder" "$@" || return 0
  if ! "$folder/golden" --print >"$folder/print" 2>>"$folder/log"; then
    echo "golden --print failed" >>"$folder/log"
  elif ! "$folder/golden" --check "$GOLDEN" >"$folder/check" 2>&1 &&
    ! cmp -s "$folder/print" <("$reference/golden" --print); then
    verdict=pass
  else
    echo "contraction changed no hash: the scenarios prove nothing" \
      >>"$folder/log"
  fi
}

passed=0 failed=0 missing=0 not_run=0
failures=()
row() {
  local compiler=$1 level verdict cell_log folder
  printf '%-12s' "$compiler"
  for level in "${LEVELS[@]}" v3 control; do
    folder=$work/$compiler-$level
    cell_log='' verdict=''
    if ! command -v "$compiler" >/dev/null; then
      verdict=missing
    else
      case $level in
        v3 | control)
          if [ "$can_fuse" = no ]; then
            verdict='not run'
          elif [ "$level" = v3 ]; then
            v3_cell "$folder" "$compiler" -O3 -DNDEBUG "${core_flags[@]}" \
              -march=x86-64-v3
          else
            control_cell "$folder" "$work/$compiler-O3" "$compiler" -O3 \
              -DNDEBUG "${core_flags[@]}" -march=x86-64-v3 -mfma \
              -ffp-contract=fast
          fi ;;
        O0) golden_cell "$folder" "$compiler" "-$level" "${core_flags[@]}" ;;
        *) golden_cell "$folder" "$compiler" "-$level" -DNDEBUG \
             "${core_flags[@]}" ;;
      esac
    fi
    case $verdict in
      pass) passed=$((passed + 1)) ;;
      missing) missing=$((missing + 1)) ;;
      'not run') not_run=$((not_run + 1)) ;;
      *) failed=$((failed + 1)); failures+=("$compiler $level $cell_log") ;;
    esac
    printf ' %-8s' "$verdict"
  done
  printf '\n'
}

printf '%-12s' ''
printf ' %-8s' "${LEVELS[@]}" v3 control
printf '\n'
for compiler in "${COMPILERS[@]}"; do
  row "$compiler"
done
for failure in "${failures[@]}"; do
  read -r compiler level cell_log <<<"$failure"
  printf '\n-- %s %s, from %s:\n' "$compiler" "$level" "$cell_log"
  tail -n 20 "$cell_log"
done

printf '\nmatrix: %d cells passed, %d failed, %d missing, %d not run\n' \
  "$passed" "$failed" "$missing" "$not_run"
if [ "$not_run" -gt 0 ]; then
  echo "matrix: v3 and control need an x86-64 machine with AVX2, BMI2 and FMA"
fi
if [ "$missing" -gt 0 ] && [ -n "${CI:-}" ]; then
  echo "matrix: a missing cell is a failure here, because CI is set"
  exit 1
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
