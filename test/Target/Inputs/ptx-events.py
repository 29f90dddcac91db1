#!/usr/bin/env python3
"""Reads PTX and prints its skeleton: synchronisation, copies and matrix instructions in order, and
between them how many instructions there are of each kind that costs time."""
import collections
import re
import sys

EVENT = re.compile(r"wgmma\.(wait_group|commit|fence)|bar\.(sync|arrive)|try_wait|mbarrier\.arrive|"
                   r"setmaxnreg|cp\.async|stmatrix|ret;")
KINDS = [("wgmma.mma_async", "wgmma"), ("mul.f32", "mul"), ("fma.f32", "fma"), ("ex2.approx", "ex2"),
         ("cvt.rn.bf16x2", "cvt"), ("max.f32", "max"), ("add.f32", "add"), ("shfl", "shfl")]

counts = collections.Counter()


def flush():
    if counts:
        print("   ", " ".join(f"{kind}:{counts[kind]}" for kind in sorted(counts)))
    counts.clear()


for line in sys.stdin:
    line = line.strip().replace(".ftz", "").replace(".rn.f32", ".f32")
    for text, kind in KINDS:
        if text in line:
            counts[kind] += 1
            break
    else:
        if line.startswith(("//", "{")):
            continue
        if line.startswith("$L"):
            flush()
            print("label")
        elif EVENT.search(line):
            flush()
            instruction = line.split()[0].rstrip(";")
            immediate = re.search(r"(?:wait_group\S*|arrive|sync|u32)\s+(\d+)", line)
            print(instruction, immediate.group(1) if immediate else "")
flush()
