#!/usr/bin/python3
"""Shows the lines of a benchmark, one JSON object each, as a table.

    table.py [--markdown] <lines

Rows appear as they come. `--markdown` makes the table of README.md.
"""

import json
import sys

TITLES = ("bench", "median", "quartiles", "unit", "clock", "ratio", "to",
          "simd", "hash", "at tick")
WIDTHS = (38, 10, 22, 18, 11, 8, 25, 6, 16, 7)
RIGHT = {1, 2, 5, 9}


def number(value) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def cells(line: dict) -> tuple[str, ...]:
    quartiles = line.get("quartiles", ())
    return (line["bench"], number(line["value"]),
            " to ".join(number(q) for q in quartiles), line["unit"],
            line.get("clock", ""), number(line["ratio"]),
            line["baseline"] or "", line["simd"] or "", line["hash"] or "",
            str(line.get("tick", "")))


def row(texts) -> str:
    padded = (text.rjust(width) if i in RIGHT else text.ljust(width)
              for i, (text, width) in enumerate(zip(texts, WIDTHS)))
    return "  ".join(padded).rstrip()


def markdown(texts) -> str:
    return "| " + " | ".join(texts) + " |"


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--markdown"]):
        print(__doc__, file=sys.stderr)
        return 2
    layout = markdown if arguments else row
    print(layout(TITLES))
    if arguments:
        print(markdown(["--:" if i in RIGHT else "---"
                        for i in range(len(TITLES))]))
    for text in sys.stdin:
        print(layout(cells(json.loads(text))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
