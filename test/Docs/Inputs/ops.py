#!/usr/bin/env python3
"""Checks test/ops.md: a row for each operation of the dialect and each function of the language, no empty
cell, and every file and text that it names.

usage: ops.py REPOSITORY
"""
import pathlib
import re
import sys

# Of headers whose functions are the language's, and the macros that define several.
HEADERS = ("Atomics.h", "Bits.h", "Ops.h", "Reshape.h", "Scans.h")
MACROS = {"TILE_UNARY": "{}", "TILE_REDUCTION": "reduce_{}", "TILE_ATOMIC": "atomic_{},atomic_fetch_{}",
          "TILE_UNSIGNED": "{}", "TILE_UNSIGNED_COMPARISON": "{}", "TILE_BIT_COUNT": "{}"}


def operations(root):
    for path in sorted((root / "include/tilec/Dialect/Tile/IR").glob("*.td")):
        yield from re.findall(r'Tile_Op<"(\w+)"', path.read_text())


def functions(root):
    """Functions of the headers outside of `detail`, and what a kernel is asked for."""
    headers = root / "dsl/include/tile/dsl"
    for name in HEADERS:
        text = re.sub(r"\\\n", " ", (headers / name).read_text())
        text = re.sub(r"#define.*", "", text)
        text = re.sub(r"namespace detail \{.*?\} // namespace detail", "", text, flags=re.S)
        for macro, argument in re.findall(r"^(TILE_\w+)\((\w+)", text, flags=re.M):
            yield from MACROS[macro].format(argument, argument).split(",")
        yield from re.findall(r"^(?:inline )?(?:Fragment<[\w:]+>|Index|void) (\w+)\(", text, flags=re.M)
    text = (headers / "Kernel.h").read_text()
    public = text[text.index("class Kernel {"):]
    public = public[:public.index("private:")]
    yield from (f"k.{name}" for name in re.findall(r"^  (?!explicit)[\w<>]+ (\w+)\(", public, flags=re.M))


def tables(page):
    """Cells of each row of each table, with the table's number."""
    number = 0
    for line in page.splitlines():
        if re.fullmatch(r"[|-]+", line):
            number += 1
        elif line.startswith("|") and number:
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]
        elif line.startswith("#"):
            continue


def problems(test, suites, cells):
    yield from (f"cell {i + 1} is empty" for i, cell in enumerate(cells) if not cell)
    for cell in cells[1:]:
        for name in re.findall(r"`([^`]+)`", cell):
            path, _, text = name.partition(":")
            if "/" not in path:
                continue
            if not (test / path).is_file():
                yield f"there is no file {path}"
            elif text not in (test / path).read_text():
                yield f"'{text}' does not stand in {path}"
    if len(cells) == 5 and cells[2].startswith("same"):
        files = re.findall(r"`kernels/(\w+\.cpp):", cells[1])
        if files and not set(files) & suites:
            yield f"none of {', '.join(files)} runs in the interpreter"


def main():
    root = pathlib.Path(sys.argv[1])
    test = root / "test"
    lists = (test / "kernels/CMakeLists.txt").read_text()
    suites = set(re.findall(r"\w+Test\.cpp", lists[lists.index("set(suites"):lists.index("add_executable(")]))
    page = (test / "ops.md").read_text()
    rows, wrong = {1: [], 2: [], 3: []}, []
    for number, cells in tables(page):
        if cells[0] in ("op", "functions", "there"):
            continue
        rows[number] += re.findall(r"`([^`]+)`", cells[0]) or [cells[0]]
        wrong += [f"row {cells[0]}: {problem}" for problem in problems(test, suites, cells)]
    ops = list(operations(root))
    wrong += [f"operation {op} has no row" for op in ops if op not in rows[1]]
    wrong += [f"row {op} is no operation" for op in rows[1] if op not in ops]
    known = rows[1] + rows[2]
    wrong += [f"function {name} has no row" for name in dict.fromkeys(functions(root)) if name not in known]
    for problem in wrong:
        print(f"test/ops.md: {problem}", file=sys.stderr)
    print(f"{len(ops)} operations, {len(set(functions(root)))} functions")
    return 1 if wrong or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
