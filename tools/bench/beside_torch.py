#!/usr/bin/env python3
"""The library beside PyTorch (cuDNN attention, cuBLAS products, torch's row-wise kernels), in one process.

usage: beside_torch.py LIBTILE.SO [word...]

Rows whose name contains a word are measured, or all. Needs torch and a GPU, nothing else of the build.
"""
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from tile_library import Library, NoKernel, alternate


def row(name, ours, theirs, amount, unit, result, expected):
    """Measures and prints; `result` is filled by ours."""
    result.fill_(float("nan"))
    try:
        ours()
    except NoKernel as missing:
        print(f"{name:58} no kernel: {str(missing)[:60]}")
        return
    error = (result.float() - expected().float()).norm() / expected().float().norm()
    times = alternate({"ours": ours, "torch": theirs}, rounds=3)
    mine, other = times["ours"], times["torch"]
    print(f"{name:58} {mine:9.3f} ms {amount / mine:9.1f} {unit:8} torch {other:9.3f} ms {amount / other:9.1f}"
          f"   {other / mine:5.2f} x   difference {error.item():.1e}", flush=True)


def block_lists(length, block, batch, heads, causal):
    n = length // block
    counts = torch.arange(1, n + 1) if causal else torch.full((n,), n)
    count = counts.int().cuda().expand(batch, heads, n).contiguous()
    return count, torch.arange(n).int().cuda().expand(batch, heads, n, n).contiguous()


def attention(library, wanted):
    cases = [(h, d, b, s) for h, d, b in ((16, 128, 128), (32, 64, 128), (8, 256, 64), (16, 128, 64)) for s in (4096, 16384)]
    for heads, dim, block, length in cases:
        for causal in (0, 1):
            batch = 16384 // length
            name = f"attention D{dim} block {block} B{batch} H{heads} S{length} {'causal' if causal else 'full'}"
            if not wanted(name):
                continue
            q, k, v = (torch.randn(batch, heads, length, dim, device="cuda", dtype=torch.bfloat16) for _ in range(3))
            out, lse = torch.empty_like(q), torch.empty(batch, heads, length, device="cuda")
            count, index = block_lists(length, block, batch, heads, causal)
            pairs = length * (length + 1) // 2 if causal else length * length
            theirs = lambda: F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
            ours = library.attention(q, k, v, count, index, out, lse, causal, block, block)
            with sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION], set_priority=True), torch.no_grad():
                row(name, ours, theirs, 4 * batch * heads * dim * pairs / 1e9, "TFLOP/s", out, theirs)


def gemm(library, wanted):
    for dtype in (torch.bfloat16, torch.float16):
        for size, transposed in ((s, t) for s in (4096, 8192) for t in (0, 1)):
            name = f"gemm {dtype} {size}^3 b [{'n, k' if transposed else 'k, n'}]"
            if not wanted(name):
                continue
            a, b = (torch.randn(size, size, device="cuda", dtype=dtype) for _ in range(2))
            c = torch.empty_like(a)
            theirs = lambda: a @ (b.t() if transposed else b)
            row(name, library.simple("matmul", a, b, c, after=(transposed,)), theirs, 2 * size**3 / 1e9, "TFLOP/s", c, theirs)


SOFTMAX_SHAPES = ((262144, 1024), (65536, 4096), (16384, 16384), (65537, 4095))


def memory(library, wanted):
    for dtype in (torch.float32, torch.bfloat16):
        for source, shape in (("copy", (65536, 16384)), *(("softmax", shape) for shape in SOFTMAX_SHAPES)):
            name = f"{source} {dtype} {list(shape)}"
            if not wanted(name):
                continue
            x = torch.randn(shape, device="cuda", dtype=dtype)
            y, z = torch.empty_like(x), torch.empty_like(x)
            theirs = {"copy": lambda: z.copy_(x), "softmax": lambda: torch.softmax(x, -1)}[source]
            row(name, library.simple(source, x, y), theirs, 2 * x.numel() * x.element_size() / 1e6, "GB/s", y, theirs)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    library, words = Library(sys.argv[1]), sys.argv[2:]
    wanted = lambda name: not words or any(word in name for word in words)
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}; ratios above 1: ours is faster")
    for family in (attention, gemm, memory):
        family(library, wanted)


if __name__ == "__main__":
    main()
