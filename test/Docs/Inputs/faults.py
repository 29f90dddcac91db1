#!/usr/bin/env python3
"""Checks test/faults.md: every row once, every file and text that it names is there.

usage: faults.py REPOSITORY
"""
import pathlib
import re
import sys

WAITS = {"speed", "decode", "bsr", "hisa"}


def rows(page):
    """(ids, shown by) of each row of the tables of faults."""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and re.fullmatch(r"[A-G]?\d+(, [A-G]?\d+)*", cells[0]):
            yield cells[0].split(", "), cells[2]


def problems(root, ids, shown):
    tests = [name for name in re.findall(r"`([^`]+)`", shown) if "/" in name]
    waits = re.findall(r"\*\*(\w+)\*\*", shown)
    if not tests and not waits and not re.match(r"cannot be written|lists, not masks", shown):
        yield "names neither a test nor what it waits for"
    yield from (f"waits for '{word}', which is not one of {sorted(WAITS)}" for word in waits if word not in WAITS)
    for test in tests:
        path, _, text = test.partition(":")
        if not (root / path).is_file():
            yield f"there is no file {path}"
        elif text not in (root / path).read_text():
            yield f"'{text}' does not stand in {path}"


def main():
    root = pathlib.Path(sys.argv[1])
    seen, wrong = set(), 0
    for ids, shown in rows((root / "test/faults.md").read_text()):
        found = ["is there twice" for i in ids if i in seen] + list(problems(root, ids, shown))
        seen.update(ids)
        for problem in found:
            print(f"test/faults.md: row {', '.join(ids)}: {problem}", file=sys.stderr)
            wrong += 1
    print(f"{len(seen)} rows")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
