#!/usr/bin/python3
"""How long a file may be, what a test may not do, and what stands at the root.

A file nears its limit because it holds two nouns: split it, do not raise it.
"""

import pathlib
import re
import sys

from source_text import Finding, code_only, cpp_files, line_of, run

RULES = {
    "length": "a file that is too long",
    "sleep": "a test that waits for the clock of the wall",
    "disabled": "a test that does not run",
    "root": "an entry that does not belong at the root of the repository",
}

HEADER_LINES = 200
SOURCE_LINES = 500
TEST_LINES = 800

ROOT = {
    "proto", "server", "core", "client_examples", "tests", "Dockerfile",
    "CMakeLists.txt", "README.md",
    # Where tools look for them.
    "CMakePresets.json", "LICENSE", "CHANGELOG.md", "buf.yaml",
    # Made, not kept.
    "build", "CMakeUserPresets.json", "compile_commands.json",
}

_SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep)\s*\("
                    r"|(?<![\w.:>])(?:::)?sleep\s*\(")
_DISABLED = re.compile(r"\bDISABLED_\w+|\bGTEST_SKIP\b")
# These start real servers and wait for them.
_MAY_WAIT = ("tests/integration/", "tests/fault/", "tests/soak/",
             "tests/conformance/", "tests/bench/")


def _limit(path: str) -> int:
    if path.startswith("tests/"):
        return TEST_LINES
    # What is included once for each SIMD target is a source.
    header = path.endswith(".h") and not path.endswith("-inl.h")
    return HEADER_LINES if header else SOURCE_LINES


def check(root: pathlib.Path) -> list[Finding]:
    findings = []
    for path, text in cpp_files(root):
        lines = text.count("\n")
        if lines > _limit(path):
            findings.append(Finding(path, lines, "length",
                                    f"{lines} lines, limit {_limit(path)}"))
        if not path.startswith("tests/"):
            continue
        code = code_only(text)
        rules = {"disabled": _DISABLED}
        if not path.startswith(_MAY_WAIT):
            rules["sleep"] = _SLEEP
        for rule, pattern in rules.items():
            for word in pattern.finditer(code):
                findings.append(Finding(path, line_of(code, word.start()),
                                        rule, RULES[rule]))
    for entry in sorted(root.iterdir()):
        if entry.name not in ROOT and not entry.name.startswith("."):
            findings.append(Finding(entry.name, 1, "root", RULES["root"]))
    return findings


if __name__ == "__main__":
    sys.exit(run(check, "size_rules"))
