#!/usr/bin/env python3
"""Checks the Passes.td files: each pass is a step of the pipeline, has numbered steps and an example, and is run by its
name in a test; the operations of the example are operations of these tests.

usage: passes.py REPOSITORY
"""
import pathlib
import re
import sys

PASS = re.compile(r'^def \w+ : \w+<"([a-z0-9-]+)".*?\{\n(.*?)^\}', flags=re.S | re.M)
OPERATION = re.compile(r"\b(?:tile|pipe|sm|arith|math|scf|vector)\.\w+")


def passes(root):
    """Flag and body of each definition."""
    files = [*root.glob("include/tilec/Dialect/*/Transforms/Passes.td"), root / "include/tilec/Conversion/Passes.td"]
    for path in sorted(files):
        yield from PASS.findall(path.read_text())


def run_lines(text):
    return [line for line in text.splitlines() if "RUN:" in line]


def problems(flag, body, tests, pipeline):
    if f'{{"{flag}"' not in pipeline:
        yield "is no step of lib/Pipeline/Pipeline.cpp"
    if not re.search(r"^    1\. ", body, flags=re.M):
        yield "has no numbered steps"
    name = re.compile(rf"(?<![a-z]){flag}(?![a-z-])")
    mine = "\n".join(text for text in tests if any(name.search(line) for line in run_lines(text)))
    if not mine:
        yield "is run by no test"
    example = " ".join(re.findall(r"```mlir\n(.*?)```", body, flags=re.S))
    if not example:
        yield "has no example"
    for operation in sorted(set(OPERATION.findall(example))):
        if not re.search(rf"{re.escape(operation)}\b", mine):
            yield f"has {operation} in its example and in no test that runs it"


def main():
    root = pathlib.Path(sys.argv[1])
    tests = [path.read_text() for end in ("mlir", "test") for path in sorted((root / "test").rglob(f"*.{end}"))]
    pipeline = (root / "lib/Pipeline/Pipeline.cpp").read_text()
    count, wrong = 0, []
    for flag, body in passes(root):
        count += 1
        wrong += [f"{flag} {problem}" for problem in problems(flag, body, tests, pipeline)]
    for problem in wrong:
        print(problem, file=sys.stderr)
    print(f"{count} passes")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
