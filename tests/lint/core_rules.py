#!/usr/bin/python3
"""What core may not use, because a tick must give the same bits everywhere.

Only what can be told from the text for certain. Comments and literals are
not looked at.
"""

import pathlib
import re
import sys

from source_text import (Finding, code_only, cpp_files, line_of, run,
                         without_comments)

RULES = {
    "header": "a standard header whose purpose core has no use for",
    "libm": "a function of <cmath> whose result differs between libraries",
    "fused": "fused, approximate or reordered arithmetic",
    "algorithm": "a standard algorithm whose result the standard leaves open",
    "environment": "core knows no environment, clock, process or thread",
    "pragma": "a pragma or attribute that changes how code is compiled",
    "hash-order": "a loop over a hash container",
}

# Header -> what to do instead.
HEADERS = {
    "random": "use core/random",
    "chrono": "core has no clock",
    "ctime": "core has no clock",
    "thread": "the host lends threads",
    "future": "the host lends threads",
    "execution": "the host lends threads",
    "stop_token": "the host lends threads",
    "iostream": "core prints nothing",
    "ostream": "core prints nothing",
    "syncstream": "core prints nothing",
    "cstdio": "core prints nothing; std::to_chars shows a number",
    "fstream": "core opens no file",
    "filesystem": "core opens no file",
    "locale": "core knows no environment",
    "csignal": "core knows no environment",
    "valarray": "its operations may be reordered",
}

# A broken invariant says what broke before it ends the process.
ALLOWED = {("core/error.h", "cstdio"), ("core/error.h", "std::fprintf")}

LIBM = """
acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1
fma fmax fmin hypot lerp lgamma log log10 log1p log2 pow sin sinh tan tanh
tgamma
""".split()

# Rule -> (pattern over code, message with the matched text).
WORDS = {
    "libm": (
        rf"(?<![\w.>:~])(?:(?:::)?\s*std\s*::\s*|::\s*|__builtin_)?"
        rf"(?:{'|'.join(LIBM)})[fl]?\s*\(",
        "{}: core has its own in core/math"),
    "fused": (
        r"\b(?:Neg)?Mul(?:Add|Sub)\b|\bSumOfLanes\b|\bReduceSum\b"
        r"|\bApproximate\w+|\b_mm\w*_fn?m(?:add|sub)\w*"
        r"|\b_mm\w*_(?:rcp|rsqrt)\w*|\bvfm[as]\w*_f\w+|\bvml[as]\w*_f\w+"
        r"|\bvr(?:ecp|sqrt)[es]\w*",
        "{}: other bits than a multiply and an add"),
    "algorithm": (
        r"\bstd\s*::\s*(?:ranges\s*::\s*)?(?:shuffle|random_shuffle|sample"
        r"|reduce|transform_reduce|inclusive_scan|exclusive_scan"
        r"|transform_inclusive_scan|transform_exclusive_scan)\b",
        "{}: the order of its operations is open"),
    "environment": (
        r"(?<![\w.>])(?:std\s*::\s*|::\s*)?"
        r"(?:getenv|setenv|system|rand|srand|clock_gettime|gettimeofday"
        r"|printf|fprintf|puts|fopen)\s*\(|\bthread_local\b"
        r"|\bstd\s*::\s*j?thread\b",
        "{}: not in core"),
    "pragma": (
        r"#\s*pragma\s+(?:GCC\s+(?:optimize|target)|clang\s+fp\b"
        r"|STDC\s+FP_CONTRACT|float_control)"
        r"|_Pragma\b|__attribute__\s*\(\(\s*(?:__)?(?:optimize|target)\b"
        r"|\[\[\s*gnu\s*::\s*(?:optimize|target)\b",
        "{}: flags belong to the build"),
}
_WORDS = {rule: (re.compile(p), m) for rule, (p, m) in WORDS.items()}
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
_HASH_TYPE = re.compile(r"\bunordered_(?:map|set|multimap|multiset)\s*<")


def _hash_names(code: str) -> set[str]:
    """Names declared with a hash container as their type."""
    names = set()
    for match in _HASH_TYPE.finditer(code):
        depth, at = 1, match.end()
        while at < len(code) and depth:
            depth += {"<": 1, ">": -1}.get(code[at], 0)
            at += 1
        declared = re.match(r"[\s&*]*(\w+)\s*[;={(,)]", code[at:])
        if declared:
            names.add(declared[1])
    return names


def _hash_loops(code: str, names: set[str]):
    for name in names:
        yield from re.finditer(
            rf"\bfor\s*\([^;()]*[^:]:[^:][^;(){{}}]*\b{name}\s*\)"
            rf"|\b{name}\s*(?:\.|->)\s*c?begin\s*\(", code)


def check(root: pathlib.Path) -> list[Finding]:
    findings = []
    files = {p: t for p, t in cpp_files(root) if p.startswith("core/")}
    for path, text in files.items():
        includes = without_comments(text)
        for include in _INCLUDE.finditer(includes):
            if (include[1] in HEADERS
                    and (path, include[1]) not in ALLOWED):
                findings.append(Finding(
                    path, line_of(includes, include.start(1)), "header",
                    f"<{include[1]}>: {HEADERS[include[1]]}"))
        code = code_only(text)
        for rule, (pattern, message) in _WORDS.items():
            for word in pattern.finditer(code):
                found = " ".join(word[0].rstrip("( \t\n").split())
                if (path, found) not in ALLOWED:
                    findings.append(Finding(
                        path, line_of(code, word.start()), rule,
                        message.format(found)))
        header = files.get(path.removesuffix(".cc") + ".h", "")
        names = _hash_names(code) | _hash_names(code_only(header))
        for loop in _hash_loops(code, names):
            findings.append(Finding(
                path, line_of(code, loop.start()), "hash-order",
                "hash containers are looked up, never iterated"))
    return findings


if __name__ == "__main__":
    sys.exit(run(check, "core_rules"))
