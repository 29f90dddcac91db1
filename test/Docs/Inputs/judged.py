"""Prints what beside_peers.py says of made-up figures: judged.py FOLDER_OF_BENCH."""
import sys

sys.path.insert(0, sys.argv[1])
from beside_peers import judge, line, summary

ASKED = {"FA4": 1.0, "VSA": None}
results = [
    {"name": name, **judge(ASKED, {"ours": ours, "FA4": 100.0, "VSA": 200.0}, difference)}
    for name, ours, difference in (("just met", 99.0, 4e-3), ("just missed", 98.97, 4e-3), ("far off", 120.0, 0.5), ("not a number", 120.0, float("nan")))
]
results.append({"name": "no peer", "status": "not measured", "reason": "FA4 is not there"})
results.append({"name": "broken", "status": "failed", "reason": "RuntimeError: out of memory"})
print("\n".join([*map(line, results), *summary(results)]))
