#!/usr/bin/python3
"""With which flags core is compiled, because they are a part of its meaning.

Reads a compilation database (compile_commands.json): every source of core must
stand in it, and each translation unit that is one, or includes a header of
core, must be compiled with the flags that core/CMakeLists.txt names and with
none that takes them back. A file that CMake made of several (a unity build)
counts as each of them.
"""

import json
import pathlib
import re
import shlex
import sys

from source_text import Finding, cpp_files, without_comments

RULES = {
    "not-compiled": "a source of core that the build does not know",
    "missing-flag": "a translation unit without a flag of core",
    "other-flag": "a flag that changes what core's arithmetic means",
}

_FLAGS = re.compile(
    r"target_compile_options\(meander_core\s+PUBLIC\s+([^)]*)\)")
_OTHER = re.compile(
    r"-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math"
    r"|-freciprocal-math|-ffinite-math-only|-fno-signed-zeros|-fapprox-func"
    r"|-fcx-limited-range|-fsingle-precision-constant|-mrecip(=.*)?"
    r"|-mfpmath=.*387.*|-mdaz-ftz|-ffp-model=.*|-fdenormal-fp-math.*")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def core_flags(root: pathlib.Path) -> list[str]:
    text = (root / "core/CMakeLists.txt").read_text(encoding="utf-8")
    return " ".join(_FLAGS.findall(text)).split()


def _users_of_core(texts: dict[str, str]) -> set[str]:
    """Files of core, and those that include one, directly or not."""
    includes = {path: set(_INCLUDE.findall(without_comments(text)))
                for path, text in texts.items()}
    users = {path for path in texts if path.startswith("core/")}
    while True:
        more = {path for path, headers in includes.items()
                if path not in users and headers & users}
        if not more:
            return users
        users |= more


def _sources(file: pathlib.Path) -> list[pathlib.Path]:
    """What is compiled with a file: itself, or what a unity file is made of."""
    if file.parent.name != "Unity":
        return [file]
    return [pathlib.Path(path) for path in
            _INCLUDE.findall(file.read_text(encoding="utf-8"))]


def _effective(flag: str, arguments: list[str]) -> bool:
    """Whether the last flag of that kind is this one."""
    name, _, value = flag.partition("=")
    if value:
        same = [a for a in arguments if a.startswith(name + "=")]
    else:
        positive = flag.replace("-fno-", "-f", 1)
        same = [a for a in arguments if a in (flag, positive)]
    return bool(same) and same[-1] == flag


def check(root: pathlib.Path, database: list[dict]) -> list[Finding]:
    flags = core_flags(root)
    texts = dict(cpp_files(root))
    users = _users_of_core(texts)
    findings = []
    seen = set()
    compiled = [
        (file.resolve(), entry) for entry in database
        for file in _sources(pathlib.Path(entry["directory"], entry["file"]))]
    for file, entry in compiled:
        if not file.is_relative_to(root.resolve()):
            continue
        path = file.relative_to(root.resolve()).as_posix()
        if path not in users:
            continue
        seen.add(path)
        arguments = entry.get("arguments") or shlex.split(entry["command"])
        findings += [
            Finding(path, 1, "missing-flag", f"{flag} is not in effect")
            for flag in flags if not _effective(flag, arguments)]
        findings += [Finding(path, 1, "other-flag", argument)
                     for argument in arguments if _OTHER.fullmatch(argument)]
    findings += [
        Finding(path, 1, "not-compiled", RULES["not-compiled"])
        for path in sorted(texts)
        if path.startswith("core/") and path.endswith(".cc")
        and path not in seen]
    return findings


def main() -> int:
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} ROOT COMPILE_COMMANDS", file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1])
    database = json.loads(
        pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    if "-ffp-contract=off" not in core_flags(root):
        print("flag_rules: core/CMakeLists.txt no longer names its flags")
        return 1
    findings = check(root, database)
    for finding in findings:
        print(finding)
    print(f"flag_rules: {len(database)} translation units, flags "
          f"{' '.join(core_flags(root))}, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
