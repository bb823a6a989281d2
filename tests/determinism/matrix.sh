#!/usr/bin/env bash
# The same bits from every build, however it runs. See
# `tests/determinism/matrix.sh --help` and tests/determinism/README.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

GOLDEN=tests/determinism/golden.txt
WORK=build/matrix
COMPILERS=(g++ clang++-14 clang++-19)
MODULE=wasm-module
STACK=1048576
COLUMNS_OF_TABLE=(golden simd threads spawns rows snapshots sync hostile code)
# The ways to run (tests/determinism/ways.h) that a column stands for.
declare -A WAYS=(
  [golden]=once
  [simd]=simd
  [threads]='threads_1 threads_2 threads_3 threads_8'
  [spawns]=spawns
  [rows]=rows
  [snapshots]=snapshots
  [sync]=sync
  [hostile]='upward downward toward_zero'
)
# Instructions that round once where core rounds twice, that approximate, or
# whose choice between NaNs and between zeros is the target's own.
declare -A FORBIDDEN=(
  [x86]='\<(vfn?m(add|sub)|v4fn?madd|v?r(cp|sqrt)(14|28)?[ps][sd]|f(add|sub|mul|div)r?p?\>)'
  [aarch64]='\<(fn?m(add|sub)|b?fml[as]|frecp[esx]|frsqrt[es]|f(min|max)(nm)?[pv]?\>)'
  [wasm]='relaxed|\<f[36][24](x[24])?\.(q?fm[as]|min|max)\>'
)
# What all code of core is full of: where it is not seen, nothing is.
declare -A ORDINARY=(
  [x86]='\<(mulss|vmul[ps]s)\>'
  [aarch64]='\<fmul\>'
  [wasm]='\<f32(x4)?\.mul\>'
)

usage() {
  cat <<TEXT
usage: tests/determinism/matrix.sh

Builds core and tests/determinism/golden_main.cc in every way that must make
no difference, runs each program in every way that must make none, and
compares with $GOLDEN. Rows of the table are builds:
  ${COMPILERS[*]}, each at -O0, -O2, -O3 and, at -O3, for
  x86-64-v3 and x86-64-v4; aarch64 under qemu; WebAssembly in Node, without and
  with SIMD; and core as a WebAssembly module, driven by tests/determinism/module_test.mjs
Columns are ways to run, and what the code of core may not hold:
  golden     every scenario to its end (aarch64: 200 ticks)
  simd       the kernels of every target that was compiled, one after another:
             scalar, sse4, avx2, avx512; scalar, neon; scalar, wasm (this and
             what follows: 200 ticks)
  threads    1, 2, 3 and 8 threads
  spawns     agents spawned one by one, in random order
  rows       rows in memory shuffled in mid-run
  snapshots  encoded and decoded in mid-run
  sync       each tick stepped, taken back and stepped again
  hostile    rounding upward, downward and to zero; subnormals flushed
  code       no fused or approximate instruction in core; on aarch64 and
             WebAssembly no minimum or maximum either, for it chooses between
             zeros or NaNs as its target likes (x86-64's is a comparison and a
             choice, and is not looked for)
Rows at -O3 alone compile core file by file, as it ships, the others as one.
Cells:
  pass     as it must be
  differs  in a row "contracted", which is built with -ffp-contract=fast: its
           hashes must differ and its code must hold what "code" looks for,
           or the matrix has no teeth
  FAIL     it did not build, a hash differs, or the code is wrong
  missing  a compiler or an emulator is not installed; a failure with CI set
  built    no machine or emulator here can run it, or the kernels of one of its
           targets; only its code is checked; a
           failure with CI set, but for MEANDER_MATRIX_ALLOW_BUILT=1
  -        not a part of the matrix: WebAssembly has no threads and only one
           floating-point environment; without optimization, snapshots of
           every tick would take longer than all else
TEXT
}

case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
if [ "$(uname -m)" != x86_64 ]; then
  echo "matrix: needs an x86-64 machine; this is $(uname -m)" >&2
  exit 2
fi

# core's own flags, from the one place that names them.
mapfile -t core_flags < <(
  sed -n '/^target_compile_options(meander_core PUBLIC/,/)/p' \
    core/CMakeLists.txt | grep -oE -- '-f[a-z=-]+')
case " ${core_flags[*]} " in
  *' -ffp-contract=off '*) ;;
  *) echo "matrix: core/CMakeLists.txt no longer names its flags"; exit 1 ;;
esac
launcher=()
! command -v ccache >/dev/null || launcher=(ccache)

mkdir -p "$WORK/include"
# unity NAME SOURCE...: one file that is all of these. What the compilers take
# longest for is to read the same headers again for each.
unity() {
  printf '#include "%s"\n' "${@:2}" >"$WORK/$1.cc"
}
mapfile -t core_sources < <(find core -name '*.cc' -not -path 'core/c_api/*' \
                              -not -name '*_kernels.cc' | sort)
# Each of these includes itself once for each SIMD target.
kernel_sources=(core/simd/*_kernels.cc)
unity core "${core_sources[@]}"
unity scenarios tests/scenarios/*.cc
unity golden tests/determinism/{ways,golden_main}.cc

# The libraries of core are headers. Targets other than the machine's see them
# here, without the rest of the machine's.
header() {
  local found
  found=$(g++ -E -x c++ - <<<"#include <$1>" | grep -oE "/[^\"]*/$1" |
          head -n 1)
  [ -n "$found" ] || { echo "matrix: there is no $1" >&2; return 1; }
  echo "$found"
}
xxhash=$(header xxhash.h)
highway=$(header hwy/highway.h)
cp "$xxhash" "$WORK/include/"
cp -r "$(dirname "$highway")" "$WORK/include/"

can() {
  local feature
  for feature in "$@"; do
    grep -qE "^flags.* $feature( |\$)" /proc/cpuinfo || return 1
  done
}

# The rows, a line each: name, kind, runner, compiler, flags. A runner is
# `native`, `none`, or what stands before the program, with + between words.
rows() {
  local compiler arm=qemu-aarch64-static v3=qemu-x86_64-static+-cpu+max v4=none
  ! can avx2 bmi1 bmi2 fma movbe || v3=native
  ! can avx512f avx512bw avx512cd avx512dq avx512vl || v4=native
  # Those that take longest come first.
  for compiler in aarch64-linux-gnu-g++ \
    'clang++-14 --target=aarch64-linux-gnu'; do
    local name=aarch64-${compiler%% *}
    name=${name/aarch64-aarch64-linux-gnu-/aarch64-}
    echo "$name-O3 aarch64 $arm $compiler -O3 -DNDEBUG -static"
    echo "$name-contracted aarch64 $arm $compiler -O3 -DNDEBUG -static" \
      "-ffp-contract=fast"
  done
  for compiler in "${COMPILERS[@]}"; do
    echo "$compiler-O0 x86 native $compiler -O0"
    echo "$compiler-O2 x86 native $compiler -O2 -DNDEBUG"
    echo "$compiler-O3 x86 native $compiler -O3 -DNDEBUG"
    echo "$compiler-v3 x86 $v3 $compiler -O3 -DNDEBUG -march=x86-64-v3"
    echo "$compiler-v4 x86 $v4 $compiler -O3 -DNDEBUG -march=x86-64-v4"
    echo "$compiler-v3-contracted x86 $v3 $compiler -O3 -DNDEBUG" \
      "-march=x86-64-v3 -ffp-contract=fast"
  done
  echo "wasm-simd-clang++-14-O3 wasm node+tests/determinism/run_wasi.mjs" \
    "clang++-14 --target=wasm32-wasi -O3 -DNDEBUG -fno-exceptions -msimd128"
  echo "wasm-clang++-14-O3 wasm node+tests/determinism/run_wasi.mjs" \
    "clang++-14 --target=wasm32-wasi -O3 -DNDEBUG -fno-exceptions"
}

# compile FOLDER SOURCE COMPILER FLAG...: an object named after the source. The
# flags stand after core's: those of a row "contracted" win.
compile() {
  local name=${2#"$WORK/"}
  "${launcher[@]}" "$3" -std=c++20 -I. "${core_flags[@]}" "${@:4}" \
    -c "$2" -o "$1/${name//\//.}.o"
}

# build FOLDER KIND COMPILER FLAG...: FOLDER/golden.
build() {
  local folder=$1 kind=$2 source include=(-isystem "$WORK/include")
  local link=(-pthread)
  shift 2
  [ "$kind" != x86 ] || include=()
  [ "$kind" != wasm ] || link=("-Wl,--stack-first,-z,stack-size=$STACK")
  local core=("$WORK/core.cc")
  [[ $folder != *-O3 ]] || core=("${core_sources[@]}")
  for source in "${core[@]}" "${kernel_sources[@]}" \
    "$WORK"/{scenarios,golden}.cc; do
    compile "$folder" "$source" "$@" "${include[@]}" || return 1
  done
  "$@" "${link[@]}" "$folder"/*.o -o "$folder/golden"
}

# check_code FOLDER KIND OBJECT...: 0 when the code holds nothing that core's
# may not, 1 when it does, 2 when that cannot be told; prints where or why.
check_code() {
  local folder=$1 kind=$2 disassemble=objdump status=0
  case $kind in
    aarch64) disassemble=aarch64-linux-gnu-objdump ;;
    wasm) disassemble=llvm-objdump-14 ;;
  esac
  # Addresses are told from instructions: fadd is both.
  local line='^ *([0-9a-f]+):[[:space:]]+(\{[^}]*\} )?([^[:space:]]+).*'
  if ! "$disassemble" -d --no-show-raw-insn "${@:3}" |
    sed -nE "s/$line/0x\1: \3/p" >"$folder/assembly"; then
    echo "$disassemble failed"
    return 2
  fi
  if ! grep -qE "${ORDINARY[$kind]}" "$folder/assembly"; then
    echo "the disassembly does not even multiply: it is not core's"
    return 2
  fi
  grep -E "${FORBIDDEN[$kind]}" "$folder/assembly" || status=$?
  case $status in
    0) return 1 ;;
    1) return 0 ;;
    *) echo "grep failed"; return 2 ;;
  esac
}

# cell COLUMN FOLDER KIND TICKS COMMAND...: prints a verdict; what it saw is in
# FOLDER/COLUMN.log.
cell() {
  local column=$1 folder=$2 kind=$3 ticks=$4 verdict=FAIL
  shift 4
  case $folder-$kind-$column in
    *-wasm-threads | *-wasm-hostile | *-O0-*-sync) echo -; return ;;
  esac
  if [ "$column" = code ]; then
    check_code "$folder" "$kind" "$folder"/core.*.o \
      >"$folder/code.log" 2>&1 && verdict=pass
  elif [ $# -eq 0 ]; then
    verdict=built
  else
    # shellcheck disable=SC2086  # a column may stand for several ways
    "$@" --check "$GOLDEN" "$ticks" ${WAYS[$column]} \
      >"$folder/$column.log" 2>&1 && verdict=pass
    # Kernels that this machine cannot run have only been compiled.
    if [ $verdict = pass ] && grep -q '^cannot ' "$folder/$column.log"; then
      verdict=built
    fi
  fi
  echo "$verdict"
}

# A crash is no proof: the program must run to its end and find differences.
contracted_cell() {
  local column=$1 folder=$2 kind=$3 verdict=FAIL status=0
  shift 4
  case $column in
    code)
      check_code "$folder" "$kind" "$folder"/core.*.o \
        >"$folder/code.log" 2>&1 || status=$?
      [ "$status" -ne 1 ] || verdict=differs ;;
    golden)
      if [ $# -eq 0 ]; then
        verdict=built
      elif ! "$@" --check "$GOLDEN" 200 once >"$folder/golden.log" 2>&1 &&
        grep -q '^DIFFERS ' "$folder/golden.log" &&
        grep -q ' extremes ' "$folder/golden.log"; then
        verdict=differs
      fi ;;
    *) verdict=- ;;
  esac
  echo "$verdict"
}

# Builds and runs one row; its verdicts go to FOLDER/verdicts.
row() {
  local name=$1 kind=$2 runner=$3 compiler=$4 column ticks function=cell
  local folder=$WORK/$name command=() verdicts=()
  shift 3
  rm -rf "$folder"
  mkdir -p "$folder"
  IFS=+ read -ra command <<<"$runner"
  if ! command -v "$compiler" >/dev/null ||
    { [ "$runner" != native ] && [ "$runner" != none ] &&
      ! command -v "${command[0]}" >/dev/null; }; then
    for column in "${COLUMNS_OF_TABLE[@]}"; do verdicts+=(missing); done
  elif ! build "$folder" "$kind" "$@" >"$folder/golden.log" 2>&1; then
    for column in "${COLUMNS_OF_TABLE[@]}"; do verdicts+=(FAIL); done
  else
    case $runner in
      native) command=("$folder/golden") ;;
      none) command=() ;;
      *) command+=("$folder/golden") ;;
    esac
    [[ $name != *-contracted ]] || function=contracted_cell
    for column in "${COLUMNS_OF_TABLE[@]}"; do
      ticks=200
      [ "$column" != golden ] || [[ $runner = qemu* ]] || ticks=all
      verdicts+=("$($function "$column" "$folder" "$kind" "$ticks" \
        "${command[@]}")")
    done
  fi
  echo "${verdicts[*]}" >"$folder/verdicts"
}

# The WebAssembly module, driven by Node against what a native world did.
module_row() {
  local folder=$WORK/$MODULE native=$WORK/g++-O3 verdicts=(missing - - - - - - -)
  rm -rf "$folder"
  mkdir -p "$folder"
  verdicts[8]=missing
  if command -v clang++-14 >/dev/null && command -v node >/dev/null; then
    verdicts[0]=FAIL verdicts[8]=FAIL
    { cmake --preset wasm && cmake --build --preset wasm &&
        compile "$folder" tests/determinism/lockstep_case_main.cc g++ -O3 &&
        g++ "$folder"/*.o "$native"/{core,scenarios}.*.o \
          -o "$folder/lockstep_case" &&
        "$folder/lockstep_case" >"$folder/case" &&
        MEANDER_MODULE=build/wasm/bin/meander.wasm \
          MEANDER_CASE=$folder/case \
          node --test tests/determinism/module_test.mjs
    } >"$folder/golden.log" 2>&1 && verdicts[0]=pass
    check_code "$folder" wasm build/wasm/bin/meander.wasm \
      >"$folder/code.log" 2>&1 &&
      python3 -B tests/lint/flag_rules.py . build/wasm/compile_commands.json \
        >>"$folder/code.log" 2>&1 && verdicts[8]=pass
  fi
  echo "${verdicts[*]}" >"$folder/verdicts"
}

table_line() {
  printf '%-26s' "$1"
  shift
  printf ' %-9s' "$@"
  printf '\n'
}

mapfile -t all_rows < <(rows)
for line in "${all_rows[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n || true; done
  # shellcheck disable=SC2086  # words of a line
  NODE_NO_WARNINGS=1 row $line </dev/null &
done
wait
module_row </dev/null
all_rows+=("$MODULE")

declare -A count=([pass]=0 [differs]=0 [FAIL]=0 [missing]=0 [built]=0 [-]=0)
failures=()
table_line '' "${COLUMNS_OF_TABLE[@]}"
for line in "${all_rows[@]}"; do
  name=${line%% *}
  verdicts=()
  read -ra verdicts <"$WORK/$name/verdicts" || true
  table_line "$name" "${verdicts[@]}"
  for i in "${!COLUMNS_OF_TABLE[@]}"; do
    verdict=${verdicts[$i]:-FAIL}
    count[$verdict]=$((count[$verdict] + 1))
    [ "$verdict" != FAIL ] || failures+=("$name/${COLUMNS_OF_TABLE[$i]}.log")
  done
done
for log in "${failures[@]}"; do
  [ -f "$WORK/$log" ] || continue
  printf '\n-- from %s:\n' "$WORK/$log"
  grep -v '^same ' "$WORK/$log" | tail -n 20 || true
done

[ ! -f build/wasm/bin/meander.wasm ] ||
  printf '\nmeander.wasm: %d bytes, %d compressed\n' \
    "$(stat -c %s build/wasm/bin/meander.wasm)" \
    "$(gzip -9 -c build/wasm/bin/meander.wasm | wc -c)"
printf '\nmatrix: %d cells passed, %d differ as they must, %d failed,' \
  "${count[pass]}" "${count[differs]}" "${count[FAIL]}"
printf ' %d missing, %d only built\n' "${count[missing]}" "${count[built]}"
if [ "${count[missing]}" -gt 0 ] && [ -n "${CI:-}" ]; then
  echo "matrix: a missing cell is a failure here, because CI is set"
  exit 1
fi
if [ "${count[built]}" -gt 0 ] && [ -n "${CI:-}" ] &&
  [ "${MEANDER_MATRIX_ALLOW_BUILT:-}" != 1 ]; then
  echo "matrix: a cell that was only built is a failure here, because CI is" \
    "set and MEANDER_MATRIX_ALLOW_BUILT is not 1"
  exit 1
fi
[ "${count[FAIL]}" -eq 0 ] && [ "${count[pass]}" -gt 0 ]
