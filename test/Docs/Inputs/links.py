"""Names the relative links and the paths in back quotes that lead nowhere: links.py SOURCE PAGE..."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
# Folders of the repository: other names in back quotes are not paths of files.
TOP = ("docs/", "dsl/", "include/", "kernels/", "lib/", "test/", "tools/")
bad = 0
for name in sys.argv[2:]:
    page = pathlib.Path(name)
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    prose = re.sub(r"`[^`]*`", "", text)  # a lambda in code looks like a link
    targets = [page.parent / t.split("#")[0] for t in re.findall(r"\]\(([^)#:]+[^):]*)\)", prose)]
    targets += [source / t for t in re.findall(r"`([\w./-]+)`", text) if t.startswith(TOP)]
    for target in targets:
        if not target.exists():
            print(f"{page.relative_to(source)}: no {target}")
            bad = 1
sys.exit(bad)
