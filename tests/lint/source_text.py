"""What the lint checks share: findings, the files of a tree, and C++ text
without its comments and literals (line numbers stay as they were)."""

import pathlib
import re
import sys
from typing import Callable, Iterator, NamedTuple

CPP_FOLDERS = ("core", "server", "client_examples", "tests")


class Finding(NamedTuple):
    path: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: [{self.rule}] {self.message}"


def cpp_files(root: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Yields (path from root, text) of every C++ file, in a fixed order."""
    for folder in CPP_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc") and path.is_file():
                yield (path.relative_to(root).as_posix(),
                       path.read_text(encoding="utf-8"))


_TOKEN = re.compile(
    r"""(?P<number>\b\d[\w.']*)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<literal>R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"
                   |"(?:\\.|[^"\\\n])*"
                   |'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE | re.DOTALL)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    return _TOKEN.sub(
        lambda m: _blank(m[0]) if m["comment"] else m[0], text)


def code_only(text: str) -> str:
    """Neither comments nor literals: what is left are words of the language."""
    return _TOKEN.sub(lambda m: m[0] if m["number"] else _blank(m[0]), text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def run(check: Callable[[pathlib.Path], list[Finding]], name: str) -> int:
    """Command line of a check: NAME [ROOT]. Exits 1 when it found something."""
    if len(sys.argv) > 2 or any(a.startswith("-") for a in sys.argv[1:]):
        print(f"usage: {sys.argv[0]} [ROOT]", file=sys.stderr)
        return 2
    here = pathlib.Path(__file__).resolve()
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else here.parents[2]
    findings = check(root)
    for finding in findings:
        print(finding)
    files = sum(1 for _ in cpp_files(root))
    print(f"{name}: {files} C++ files, {len(findings)} findings")
    return 1 if findings else 0
