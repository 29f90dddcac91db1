"""The code in a page, for tests.

  snippets.py PAGE cpp FILE          writes the page's C++ block to FILE
  snippets.py PAGE sh SOURCE BUILD   runs the page's `sh` blocks in the current folder, where `build`, `kernels`
                                     and `test` stand for those of SOURCE and BUILD; `console` blocks are not run
"""
import os
import pathlib
import re
import subprocess
import sys


def blocks(page, language):
    text = pathlib.Path(page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def link(name, target):
    if os.path.islink(name):
        os.unlink(name)
    os.symlink(target, name)


def main():
    page, language = sys.argv[1:3]
    found = blocks(page, language)
    if not found:
        sys.exit(f"{page} has no {language} block")
    if language == "cpp":
        pathlib.Path(sys.argv[3]).write_text("\n".join(found))
        return
    source, build = sys.argv[3:5]
    link("build", build)
    for folder in ("kernels", "test"):
        link(folder, os.path.join(source, folder))
    for command in "".join(found).replace("\\\n", " ").splitlines():
        print("$", command, flush=True)
        if status := subprocess.run(command, shell=True).returncode:
            sys.exit(f"{page}: status {status} of: {command}")


main()
