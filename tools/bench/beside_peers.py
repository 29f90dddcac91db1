#!/usr/bin/env python3
"""Attention beside FlashAttention-4 (CuTe), in one process: medians of five alternating rounds on random inputs.

usage: beside_peers.py LIBTILE.SO [--peers=FOLDER] [word...]

FOLDER holds the peers' Python packages where they are not installed. Rows whose name contains a word are measured, or
all. Each row prints the time of both, the ratio (above 1: ours is faster) and the ratio that is asked for. Lists of ours
are those of the peer: a causal row masks inside its diagonal blocks only.
"""
import argparse
import ctypes
import sys

import torch

from tile_library import Library, NoKernel, alternate

ROUNDS = 5


def import_peer(folder):
    if folder:
        sys.path[:0] = [folder, f"{folder}/nvidia_cutlass_dsl/dsl_packages"]
    import cutlass.cute as cute
    from flash_attn.cute.block_sparsity import BlockSparseTensorsTorch
    from flash_attn.cute.interface import _flash_attn_fwd

    @cute.jit
    def causal_rule(b, h, q_idx, kv_idx, seqlen_info, aux):
        return kv_idx <= q_idx

    return _flash_attn_fwd, BlockSparseTensorsTorch, causal_rule


def lists(mask):
    """Counts [B, H, n] and ascending indices [B, H, n, m] of the blocks of a mask."""
    return mask.sum(-1).int().contiguous(), mask.int().argsort(dim=-1, descending=True, stable=True).int().contiguous()


def causal_mask(shape, density):
    mask = torch.rand(shape, device="cuda") < density
    return (mask | torch.eye(shape[-1], device="cuda", dtype=torch.bool)).tril()


def exact_mask(shape, count):
    chosen = torch.rand(shape, device="cuda").topk(count, -1).indices
    return torch.zeros(shape, device="cuda", dtype=torch.bool).scatter_(-1, chosen, True)


class Bench:
    def __init__(self, library, peer):
        self.library, (self.forward, self.sparse_tensors, self.causal_rule) = library, peer

    def row(self, name, ours, out, flops, theirs, asked):
        """`ours` launches our kernel, which writes `out`."""
        try:
            ours()
        except NoKernel:
            return
        with torch.no_grad():
            expected = theirs().transpose(1, 2).float()
            error = ((out.float() - expected).norm() / expected.norm()).item()
            times = alternate({"ours": ours, "FA4": theirs}, ROUNDS)
        ratio = times["FA4"] / times["ours"]
        verdict = "met" if ratio >= 0.99 * asked else "missed"
        print(f"{name:46} {flops / times['ours'] / 1e9:6.0f} TFLOP/s  FA4 {flops / times['FA4'] / 1e9:6.0f}"
              f"  {ratio:6.3f} x  asked {asked:.2f} {verdict}  difference {error:.1e}", flush=True)

    def dense(self, name, heads, kv_heads, batch, length, dim, causal, asked):
        q, k, v = (torch.randn(batch, h, length, dim, device="cuda", dtype=torch.bfloat16) for h in (heads, kv_heads, kv_heads))
        a, b, c = (x.transpose(1, 2).contiguous() for x in (q, k, v))
        theirs = lambda: self.forward(a, b, c, causal=bool(causal))[0]
        pairs = length * (length + 1) / 2 if causal else length * length
        out, lse = torch.full_like(q, float("nan")), torch.empty(q.shape[:3], device="cuda")
        ours = self.library.simple("attention", q, k, v, out, lse, after=(causal, ctypes.c_float(0)))
        self.row(name, ours, out, 4 * batch * heads * dim * pairs, theirs, asked)

    def sparse(self, name, heads, length, dim, block, causal, amount, asked):
        shape = (1, heads, length // block, length // block)
        mask = causal_mask(shape, amount) if causal else exact_mask(shape, amount)
        q, k, v = (torch.randn(1, heads, length, dim, device="cuda", dtype=torch.bfloat16) for _ in range(3))
        a, b, c = (x.transpose(1, 2).contiguous() for x in (q, k, v))
        eye = torch.eye(shape[-1], device="cuda", dtype=torch.bool).expand_as(mask)
        full, partial = (mask & ~eye, mask & eye) if causal else (mask, torch.zeros_like(mask))
        tensors = self.sparse_tensors(*lists(partial), *lists(full), block_size=(block, block))
        rule = self.causal_rule if causal else None
        theirs = lambda: self.forward(a, b, c, mask_mod=rule, block_sparse_tensors=tensors)[0]
        flops = 4 * dim * mask.sum().item() * block * block
        out, lse = torch.full_like(q, float("nan")), torch.empty(q.shape[:3], device="cuda")
        ours = self.library.attention(q, k, v, *lists(mask), out, lse, causal, block, block)
        self.row(name, ours, out, flops, theirs, asked)


# name, heads, kv heads, batch, length, head dim, causal, asked for
DENSE = (
    ("dense D128 H16 S16384 full", 16, 16, 1, 16384, 128, 0, 1.0),
    ("dense D128 H16 S16384 causal", 16, 16, 1, 16384, 128, 1, 1.02),
    ("dense D128 H64/8 B2 S8192 full", 64, 8, 2, 8192, 128, 0, 1.0),
    ("dense D128 H64/8 B2 S8192 causal", 64, 8, 2, 8192, 128, 1, 1.0),
    ("dense D128 H16 B4 S4096 causal", 16, 16, 4, 4096, 128, 1, 1.0),
    ("dense D128 H16 B8 S2048 causal", 16, 16, 8, 2048, 128, 1, 1.0),
    ("dense D64 H32 S16384 full", 32, 32, 1, 16384, 64, 0, 1.0),
    ("dense D64 H32 S16384 causal", 32, 32, 1, 16384, 64, 1, 1.0),
    ("dense D256 H8 S16384 full", 8, 8, 1, 16384, 256, 0, 1.0),
    ("dense D256 H8 S16384 causal", 8, 8, 1, 16384, 256, 1, 1.0),
)
# name, heads, length, head dim, block, causal, density or blocks in each row, asked for
SPARSE = (
    *((f"lists 128 D128 causal {d}", 16, 16384, 128, 128, 1, d, asked) for d, asked in ((1, 1.02), (0.5, 1.02), (0.25, 1.05), (0.125, 1.10))),
    *((f"lists 128 D128 exact {n} of 128", 16, 16384, 128, 128, 0, n, asked) for n, asked in ((32, 1.03), (16, 1.05))),
    *((f"lists 64 D128 causal {d}", 16, 16384, 128, 64, 1, d, 1.2) for d in (1, 0.5, 0.25, 0.125)),
    ("lists 64 D64 causal 0.25", 32, 16384, 64, 64, 1, 0.25, 1.3),
    ("lists 128 D64 causal 0.25", 32, 16384, 64, 128, 1, 0.25, 1.05),
)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library")
    parser.add_argument("--peers")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    bench = Bench(Library(options.library), import_peer(options.peers))
    wanted = lambda name: not options.words or any(word in name for word in options.words)
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}; ratios above 1: ours is faster")
    for rows, measure in ((DENSE, bench.dense), (SPARSE, bench.sparse)):
        for row in rows:
            if wanted(row[0]):
                measure(*row)
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
