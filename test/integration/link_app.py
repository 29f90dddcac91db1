"""Installs the build to a new prefix, then configures, builds and runs link-app against it.

  link_app.py --build=DIR --compiler=CXX --libraries=static|shared
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

APP = pathlib.Path(__file__).resolve().parent / "link-app"
PAGE = APP.parents[2] / "docs/Tutorial/5-YourApplication.md"


def run(*command, expect=0, cwd=None):
    """The output of a command that has to end with the status `expect`."""
    # Away from the tree and its tools: nothing of the environment names the build.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TILEC_CXX")}
    result = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        env=environment,
    )
    if result.returncode != expect:
        print(result.stdout[-8000:])
        sys.exit(f"{command[0]} ended with {result.returncode}, expected {expect}")
    return result.stdout


def check_errors(prefix, folder):
    """Both compilers' errors name the author's file and line."""
    tilec = prefix / "bin/tilec"
    text = (APP / "row_layer_norm.cpp").read_text()
    lines = text.splitlines()
    line = 1 + next(i for i, l in enumerate(lines) if "auto mean = " in l)
    wrong = folder / "wrong.cpp"
    wrong.write_text(text.replace("auto mean = sum *", "auto mean = nothing *"))
    output = run(tilec, wrong, "--dtype=f32", expect=1)
    assert f"wrong.cpp:{line}:" in output and "error: " in output, output
    wrong.write_text(text.replace("reduce_sum(chunk(j), c)", "reduce_sum(chunk(j), Axis(\"z\", 4))"))
    line = 1 + next(i for i, l in enumerate(lines) if "reduce_sum(chunk(j), c)" in l)
    output = run(tilec, wrong, "--dtype=f32", expect=1)
    assert f"wrong.cpp:{line}:" in output and "error: " in output, output


def check_emit(prefix, folder):
    """The one-file outputs: an object that embeds the cubin, and the launcher."""
    tilec = prefix / "bin/tilec"
    source = APP / "row_layer_norm.cpp"
    symbol = "row_layer_norm__f32__block_rows4_block_cols512"
    for arch, defined in (("sm_90a", f"{symbol}_image"), ("host", symbol)):
        target = folder / f"{arch}.o"
        run(tilec, source, "--dtype=f32", "--emit=object", f"--arch={arch}", "-o", target)
        names = {line.split()[-1] for line in run("nm", "--defined-only", target).splitlines()}
        assert defined in names, names
    header = folder / "norm.h"
    run(tilec, source, "--dtype=f32", "--emit=header", "-o", header)
    assert f"inline Status {symbol}(" in header.read_text()


def check_tutorial(prefix):
    """The page shows this project's lines, and its commands run as they stand there."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), flags=re.M | re.S)
    sources = "".join((APP / name).read_text() for name in ("row_layer_norm.cpp", "CMakeLists.txt"))
    known = {line.strip() for line in sources.splitlines()}
    shown = next(text for kind, text in blocks if kind == "cpp")
    shown += next(text for kind, text in blocks if kind == "cmake")
    for line in shown.splitlines():
        assert line.strip() in known, f"{PAGE.name}: link-app has no line '{line}'"
    commands = [text for kind, text in blocks if kind == "sh" and "PREFIX/bin" in text]
    assert commands
    for text in commands:
        print(run("sh", "-ec", text.replace("PREFIX", str(prefix)), cwd=APP))


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--libraries", choices=("static", "shared"), required=True)
    # tools/check gives every program gtest's options.
    return parser.parse_known_args()[0]


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        prefix = scratch / "prefix"
        run("cmake", "--install", options.build, "--prefix", prefix)
        shared = "ON" if options.libraries == "shared" else "OFF"
        app = scratch / "app"
        run(
            "cmake", "-S", APP, "-B", app, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DBUILD_SHARED_LIBS={shared}",
        )
        run("cmake", "--build", app)
        print(run(app / "link-app"))
        if options.libraries == "static":
            check_emit(prefix, scratch)
            check_errors(prefix, scratch)
            check_tutorial(prefix)


if __name__ == "__main__":
    main()
