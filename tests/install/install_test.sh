#!/usr/bin/env bash
# What `cmake --install` ships works elsewhere. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/install/install_test.sh BUILD WORK COMPILER GENERATOR

Installs the build in the folder BUILD below the folder WORK (made anew), moves
it, and then
  runs the programs,
  gives the protocol to protoc, when there is one,
  compiles every header of core,
  builds consumer/ with find_package(meander), compiler flags that would change
  the bits of a world, COMPILER and GENERATOR, and runs it: its hash must be
  the one that the README shows for the same world behind a server.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac
[ $# -eq 4 ] || { usage >&2; exit 2; }
build=$1 work=$2 compiler=$3 generator=$4
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
consumer=$source/tests/install/consumer
# See core/CMakeLists.txt.
flags=(-ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)

fail() {
  printf 'install_test: %s\n' "$*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
# A package that knows where it was installed would not survive this.
prefix=$work/moved
mv "$work/first" "$prefix"

[ -x "$prefix/bin/meanderd" ] || fail "there is no meanderd"
for program in "$prefix"/bin/*; do
  "$program" --version | grep -q 'simulation version' ||
    fail "${program##*/} does not tell its version"
done

proto=$prefix/share/meander/proto
mapfile -t protos < <(cd "$proto" && find meander -name '*.proto' | sort)
[ ${#protos[@]} -gt 10 ] || fail "${#protos[@]} .proto files are too few"
if command -v protoc >/dev/null; then
  protoc --proto_path="$proto" --descriptor_set_out="$work/descriptors" \
    "${protos[@]}"
fi

mapfile -t headers < <(cd "$prefix/include/meander" && find core -name '*.h')
[ ${#headers[@]} -gt 10 ] || fail "${#headers[@]} headers are too few"
printf '#include "%s"\n' "${headers[@]}" |
  "$compiler" -std=c++20 -Wall -Wextra -Werror "${flags[@]}" -fsyntax-only \
    -I"$prefix/include/meander" -x c++ -
if grep -rnE 'xxhash|<hwy/' "$prefix/include"; then
  fail "a header needs a library of core's"
fi

# Fast math also reaches the linker, which adds code that turns subnormals off.
cmake -S "$consumer" -B "$work/consumer" -G "$generator" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-ffast-math \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/configure.log"
for flag in "${flags[@]}"; do
  grep -q -- "-ffast-math .* $flag " "$work/consumer/compile_commands.json" ||
    fail "whoever links meander::core is not compiled with $flag"
done
cmake --build "$work/consumer" >"$work/build.log" ||
  { cat "$work/build.log"; exit 1; }

hash=$("$work/consumer/meadow")
golden=$(grep -oP '"stateHash": "\K[0-9]+' "$source/README.md")
[ "$hash" = "$golden" ] || fail "the hash is $hash; it must be $golden"

# The README shows this very program.
for file in CMakeLists.txt main.cc; do
  [[ $(<"$source/README.md") == *"$(<"$consumer/$file")"* ]] ||
    fail "the README shows another $file"
done
printf 'install_test: hash %s, %d headers, %d .proto files\n' "$hash" \
  ${#headers[@]} ${#protos[@]}
