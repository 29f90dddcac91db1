#!/usr/bin/env python3
"""What `tilec --report` predicts beside what `tile-bench` measured on an H200.

usage: predictions.py TILEC BENCH_OUTPUT

Loops of products: TFLOP/s at 1.6 GHz. Kernels that move bytes: the share of the copy rate. Causal rows and short ones, whose
time is not only that of their loop's iterations, are compared all the same.
"""
import re
import statistics
import subprocess
import sys

ATTENTION = "head_dim={},block_m={},block_n={},stages=2,causal={}"
GEMM = "block_m=128,block_n=256,block_k={},stages=4,transpose_b={},aligned=1"
# A row's name in the table of tile-bench -> kernel, element type, configuration.
ROWS = [
    *((f"attention bf16 D{dim} dense B1 H{heads} S16384 {kind}", "dense_forward", "bf16",
       ATTENTION.format(dim, m, n[causal], causal))
      for dim, heads, m, n in [(128, 16, 128, (128, 128)), (64, 32, 192, (128, 128)), (256, 8, 128, (64, 64))]
      for causal, kind in enumerate(["full", "causal"])),
    *((f"attention bf16 D{dim} block {block} B1 H{heads} S16384 {kind}", "block_sparse_forward", "bf16",
       ATTENTION.format(dim, block, block, causal) + ",value_dim=0")
      for dim, block, heads in [(128, 128, 16), (64, 128, 32), (256, 64, 8), (128, 64, 16)]
      for causal, kind in enumerate(["full", "causal"])),
    ("attention bf16 D128 block 128 B1 H16 S16384 full density 25 %", "block_sparse_forward", "bf16",
     ATTENTION.format(128, 128, 128, 0) + ",value_dim=0"),
    *((f"gemm {dtype} 8192^3, b {b}, tile 128 x 256 x {k}", "gemm", dtype, GEMM.format(k, transposed))
      for dtype, b, k, transposed in [("bf16", "[k, n]", 64, 0), ("bf16", "[n, k]", 64, 1), ("e4m3", "[n, k]", 128, 1)]),
]
MEMORY = [
    ("copy f32 [65536, 16384]", "copy", "f32", "block_rows=32,block_cols=128"),
    ("copy bf16 [65536, 16384]", "copy", "bf16", "block_rows=32,block_cols=128"),
    ("axpy f32 [1073741824]", "axpy", "f32", "block=1024"),
    ("softmax f32 [65536, 4096]", "softmax", "f32", "block_rows=1,block_cols=4096,warps=4,ctas_per_sm=8"),
    ("softmax bf16 [65536, 4096]", "softmax", "bf16", "block_rows=1,block_cols=4096,warps=4,ctas_per_sm=8"),
]
COST = re.compile(r"^ +(\d+ +){5}(\d+)  (\d+) (an iteration of|outside loops,) .*?bound by (\w+)(?:, (\d+) TFLOP/s)?$", re.M)


def report(tilec, kernel, dtype, config):
    command = [tilec, kernel, f"--dtype={dtype}", f"--config={config}", "--report", "-o", "/dev/null"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def predict_products(text):
    """TFLOP/s of the loop that multiplies, and what binds it; the loop over work items around it has less."""
    return max((float(m[6]), m[5]) for m in COST.finditer(text) if m[6])


def predict_share(text):
    """How much of the time device memory is busy, in percent."""
    whole = next(m for m in COST.finditer(text) if m[4].startswith("outside"))
    return 100 * int(whole[2]) / int(whole[3]), whole[5]


def measured(bench, name, unit):
    found = re.search(re.escape(name) + r" .* ([\d.]+) " + unit, bench)
    return float(found[1]) if found else None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tilec, bench = sys.argv[1], open(sys.argv[2]).read()
    errors = []
    for rows, predict, unit in (ROWS, predict_products, "TFLOP/s"), (MEMORY, predict_share, "% of"):
        for name, *variant in rows:
            found = measured(bench, name, unit)
            if found is None:
                print(f"{name:64} not measured")
                continue
            expected, unit_name = predict(report(tilec, *variant))
            errors.append(abs(expected / found - 1))
            print(f"{name:64} predicted {expected:5.0f}, measured {found:5.0f} {unit.removesuffix(' of')}, "
                  f"off by {100 * (expected / found - 1):+3.0f} %; bound by {unit_name}")
    if errors:
        print(f"median error {100 * statistics.median(errors):.0f} % of {len(errors)} rows")


main()
