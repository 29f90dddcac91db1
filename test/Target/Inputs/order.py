#!/usr/bin/env python3
"""Reads PTX, or machine code as nvdisasm prints it, and prints what matters of its order, a line each:

  wait 1        wait until 1 group of products is in flight
  products:8    that many products (wgmma) in a row
  max:66 ex2:0  how many maxima and exponentials (of floats) stand up to the next line
  vote          the warp votes whether one of its lanes wants something
  label         a place that a branch goes to
"""
import re
import sys

WAIT = re.compile(r"wgmma\.wait_group\.sync\.aligned\s+(\d+)|WARPGROUP\.DEPBAR\.LE gsb0, 0x(\d+)")
PRODUCT = re.compile(r"wgmma\.mma_async|HGMMA")
MAX = re.compile(r"\bmax(\.ftz)?\.f32|\bFMNMX")
EX2 = re.compile(r"ex2\.approx|MUFU\.EX2")
VOTE = re.compile(r"vote\.sync\.any|VOTEU?\.ANY")
LABEL = re.compile(r"^(\$L\w+|\.L_x_\d+):")
TARGET = re.compile(r"(?:\bbra(?:\.uni)?\s+|BRA.*`\()(\$L\w+|\.L_x_\d+)")

lines = sys.stdin.read().splitlines()
# The assembler's labels also mark places that nothing goes to.
targets = {match.group(1) for line in lines if (match := TARGET.search(line))}
counts = {"products": 0, "max": 0, "ex2": 0}


def flush():
    if counts["products"]:
        print(f"products:{counts['products']}")
    if counts["max"] or counts["ex2"]:
        print(f"max:{counts['max']} ex2:{counts['ex2']}")
    counts.update(products=0, max=0, ex2=0)


for line in lines:
    line = line.strip()
    if match := WAIT.search(line):
        flush()
        print("wait", match.group(1) or match.group(2))
    elif (match := LABEL.match(line)) and match.group(1) in targets:
        flush()
        print("label")
    elif VOTE.search(line):
        flush()
        print("vote")
    elif PRODUCT.search(line):
        if counts["max"] or counts["ex2"]:
            flush()
        counts["products"] += 1
    elif MAX.search(line):
        counts["max"] += 1
    elif EX2.search(line):
        counts["ex2"] += 1
flush()
