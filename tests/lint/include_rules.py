#!/usr/bin/python3
"""Who may include whom.

ARROWS names, for each folder, the folders and libraries that its files may
include directly. A folder may always include itself. The longest matching
folder decides, so one below it can be stricter or freer.
"""

import pathlib
import re
import sys
from typing import NamedTuple

from source_text import Finding, cpp_files, line_of, run, without_comments

RULES = {
    "arrow": "this folder may not include that folder",
    "library": "this folder may not use that library",
    "unknown-library": "a header of no library the project knows",
    "from-root": "project headers are named from the root of the repository",
    "no-arrow": "a folder that stands in no arrow",
}

STD = """
algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno
cfenv cfloat charconv chrono cinttypes climits clocale cmath codecvt compare
complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef
cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque
exception execution filesystem format forward_list fstream functional future
initializer_list iomanip ios iosfwd iostream istream iterator latch limits
list locale map memory memory_resource mutex new numbers numeric optional
ostream queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span sstream stack stdexcept stop_token streambuf
string string_view strstream syncstream system_error thread tuple type_traits
typeindex typeinfo unordered_map unordered_set utility valarray variant vector
version
""".split()

# Library -> what its headers look like; the first match counts.
LIBRARIES = {
    "std": "|".join(STD),
    "c": r"std(def|int)\.h",  # for a header that C reads too
    "intrinsics": r"[a-z]+mmintrin\.h|immintrin\.h|x86intrin\.h"
                  r"|arm_(neon|sve)\.h|wasm_simd128\.h",
    "xxhash": r"xxhash\.h",
    "highway": r"hwy/.+",
    "protobuf": r"google/protobuf/.+",
    "grpc": r"(grpcpp|grpc|grpc\+\+)/.+",
    "absl": r"absl/.+",
    "sqlite3": r"sqlite3\.h",
    "zstd": r"zstd(_errors)?\.h",
    "prometheus": r"prometheus/.+",
    "spdlog": r"spdlog/.+",
    "boost": r"boost/.+",
    "cli11": r"CLI/.+",
    "json": r"nlohmann/.+",
    "gtest": r"(gtest|gmock)/.+",
    "benchmark": r"benchmark/.+",
    "detour": r"recastnavigation/.+",
    "system": r"(sys|net|netinet|arpa|linux)/.+\.h"
              r"|(cxxabi|dirent|dlfcn|execinfo|fcntl|getopt|ifaddrs|netdb|poll"
              r"|pthread|sched|signal|spawn|sysexits|termios|unistd)\.h",
}
_LIBRARY = {name: re.compile(p) for name, p in LIBRARIES.items()}


class Arrow(NamedTuple):
    folders: tuple[str, ...] = ()    # or a header by its full name
    libraries: tuple[str, ...] = ()
    flat: bool = False               # not for the folders below it


# Generated headers (meander/v1/*.pb.h and their like) count as "proto".
ARROWS = {
    "core": Arrow((), ("std", "highway", "xxhash")),
    "core/math": Arrow(("core",), ("std", "highway", "xxhash", "intrinsics")),
    "core/c_api": Arrow(("core",), ("std", "c")),

    "server": Arrow(("core", "server"),
                    ("std", "system", "grpc", "absl", "cli11"), flat=True),
    "server/service": Arrow(("server/convert", "server/hosting",
                             "server/stream", "server/security", "proto"),
                            ("std", "grpc", "protobuf", "absl", "xxhash")),
    "server/convert": Arrow(("proto", "core"),
                            ("std", "grpc", "protobuf", "absl")),
    "server/hosting": Arrow(("core", "server/stream", "server/log"),
                            ("std", "system")),
    "server/stream": Arrow(("core",), ("std", "system")),
    "server/log": Arrow(("core",), ("std", "system", "sqlite3", "zstd")),
    "server/security": Arrow((), ("std", "system", "grpc", "absl")),
    "server/observability": Arrow((), ("std", "system", "prometheus",
                                       "spdlog")),
    "server/http": Arrow(("server/observability",),
                         ("std", "system", "boost")),

    "client_examples/cpp_watch": Arrow(
        ("proto",), ("std", "system", "grpc", "protobuf", "absl", "cli11")),
    "client_examples/cpp_lockstep": Arrow(
        ("proto", "core", "server/log/replay_file.h"),
        ("std", "system", "grpc", "protobuf", "absl", "cli11")),
    "client_examples/scenes": Arrow(("proto", "core"), ("std", "protobuf")),
    "client_examples/meanderctl": Arrow(
        ("client_examples/scenes", "proto", "core",
         "server/log/replay_file.h"),
        ("std", "system", "grpc", "protobuf", "absl", "cli11")),

    # Tests see what they test. Those of the rooms without gRPC stay without
    # it, for they are built and run where it is not.
    "tests": Arrow(("core", "server", "proto", "tests"), tuple(LIBRARIES)),
    "tests/client_examples": Arrow(("client_examples/scenes", "proto"),
                                   ("std", "gtest")),
    "tests/integration": Arrow(
        ("client_examples/scenes", "core", "server", "proto", "tests"),
        tuple(LIBRARIES)),
    "tests/core": Arrow(("core", "tests/scenarios"),
                        ("std", "system", "xxhash", "highway", "gtest")),
    "tests/core/math": Arrow(("core", "tests/core", "tests/scenarios"),
                             ("std", "system", "gtest", "intrinsics")),
    "tests/scenarios": Arrow(("core",), ("std", "xxhash")),
    "tests/gallery": Arrow(("client_examples/scenes", "core", "server/convert",
                            "proto", "tests/scenarios"), ("std",)),
    "tests/fuzz": Arrow(("core", "server/convert", "proto", "tests/core",
                         "tests/scenarios"), ("std",)),
    "tests/determinism": Arrow(("core", "tests/scenarios"),
                               ("std", "system", "gtest", "intrinsics")),
    "tests/server/hosting": Arrow(
        ("core", "server/hosting", "server/stream", "server/log",
         "tests/scenarios"), ("std", "system", "gtest")),
    "tests/server/stream": Arrow(
        ("core", "server/stream", "tests/scenarios"),
        ("std", "system", "gtest")),
    "tests/server/log": Arrow(
        ("core", "server/log", "tests/scenarios"),
        ("std", "system", "gtest", "sqlite3", "zstd")),
}

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]',
                      re.MULTILINE)
_PROJECT = re.compile(r"(core|server|client_examples|tests)/.+")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _home(path: str) -> str | None:
    """The folder of ARROWS that a file belongs to."""
    homes = [folder for folder, arrow in ARROWS.items()
             if _inside(path, folder)
             and not (arrow.flat and "/" in path[len(folder) + 1:])]
    return max(homes, key=len, default=None)


def _verdict(home: str, quote: str, header: str) -> tuple[str, str] | None:
    """(rule, message) when a file of `home` may not include `header`."""
    arrow = ARROWS[home]
    if header.endswith(".pb.h") and not header.startswith("google/protobuf/"):
        if "proto" in arrow.folders:
            return None
        return "arrow", f"{home} may not include generated code: {header}"
    if _PROJECT.fullmatch(header):
        if any(_inside(header, f) for f in (home, *arrow.folders)):
            return None
        return "arrow", f"{home} may not include {header}"
    for name, pattern in _LIBRARY.items():
        if pattern.fullmatch(header):
            if name in arrow.libraries:
                return None
            return "library", f"{home} may not use {name}: <{header}>"
    if quote == '"':
        return "from-root", f'"{header}": name it from the repository\'s root'
    return "unknown-library", (f"<{header}> belongs to no library listed in "
                               f"{pathlib.Path(__file__).name}")


def check(root: pathlib.Path) -> list[Finding]:
    findings = []
    for path, text in cpp_files(root):
        home = _home(path)
        if home is None:
            findings.append(Finding(path, 1, "no-arrow",
                                    "give its folder a line in ARROWS"))
            continue
        code = without_comments(text)
        for include in _INCLUDE.finditer(code):
            verdict = _verdict(home, include[1], include[2])
            if verdict:
                line = line_of(code, include.start(1))
                findings.append(Finding(path, line, *verdict))
    return findings


if __name__ == "__main__":
    sys.exit(run(check, "include_rules"))
