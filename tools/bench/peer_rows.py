"""The rows of beside_peers.py: what is measured, beside whom, and which ratio is asked for. Imports nothing that has to be installed."""
from dataclasses import dataclass

#: What has to be there for each peer.
PEERS = {
    "FA4": "FlashAttention-4 (CuTe)",
    "VSA": "FlashInfer's variable block-sparse attention",
    "cuBLAS": "torch.matmul and torch._scaled_mm with use_fast_accum",
}


@dataclass(frozen=True)
class Row:
    """`kind` names the function of peer_cases.py that takes `sizes`. `asked` holds each peer's ratio, None where its figure is only shown."""

    name: str
    kind: str
    sizes: dict
    asked: dict


def dense(heads, batch, length, dim, causal, asked, kv_heads=None):
    names = [f"dense D{dim} H{heads}" + (f"/{kv_heads}" if kv_heads else ""), *([f"B{batch}"] if batch > 1 else []), f"S{length}"]
    sizes = dict(heads=heads, kv_heads=kv_heads or heads, batch=batch, length=length, dim=dim, causal=causal)
    return Row(" ".join([*names, "causal" if causal else "full"]), "dense", sizes, {"FA4": asked})


def lists(block, dim, heads, causal, amount, asked):
    """`amount`: the density of a causal row, or how many blocks each query block selects."""
    length = 16384
    rule = f"causal {amount}" if causal else f"exact {amount} of {length // block}"
    sizes = dict(heads=heads, length=length, dim=dim, block=block, causal=causal, amount=amount)
    return Row(f"lists {block} D{dim} {rule}", "lists", sizes, {"FA4": asked})


def pattern(length, heads, count, kind):
    sizes = dict(heads=heads, length=length, count=count, kind=kind)
    return Row(f"pattern 64 D128 H{heads} S{length} {count} of {length // 64} {kind}", "pattern", sizes, {"VSA": 1.0, "FA4": None})


def shared(heads, kv_heads, length, count, asked):
    sizes = dict(heads=heads, kv_heads=kv_heads, length=length, count=count)
    return Row(f"shared 64 D128 H{heads}/{kv_heads} S{length} {count} of {length // 64} beside all", "shared", sizes, {"FA4": asked, "VSA": None})


ROWS = (
    dense(16, 1, 16384, 128, 0, 1.0),
    dense(16, 1, 16384, 128, 1, 1.02),
    dense(64, 2, 8192, 128, 0, 1.0, kv_heads=8),
    dense(64, 2, 8192, 128, 1, 1.0, kv_heads=8),
    dense(16, 4, 4096, 128, 1, 1.0),
    dense(16, 8, 2048, 128, 1, 1.0),
    *(dense(heads, 1, 16384, dim, causal, 1.0) for dim, heads in ((64, 32), (256, 8)) for causal in (0, 1)),
    *(lists(128, 128, 16, 1, density, asked) for density, asked in ((1, 1.02), (0.5, 1.02), (0.25, 1.05), (0.125, 1.10))),
    *(lists(128, 128, 16, 0, count, asked) for count, asked in ((32, 1.03), (16, 1.05))),
    *(lists(64, 128, 16, 1, density, 1.2) for density in (1, 0.5, 0.25, 0.125)),
    lists(64, 64, 32, 1, 0.25, 1.3),
    lists(128, 64, 32, 1, 0.25, 1.05),
    pattern(16384, 16, 32, "random"),
    pattern(16384, 16, 64, "random"),
    pattern(65536, 8, 64, "random"),
    pattern(16384, 16, 64, "pairs agree"),
    pattern(16384, 16, 32, "local + random"),
    shared(32, 8, 16384, 64, 0.9),
    Row("gemm bf16 8192^3", "product", dict(dtype="bfloat16", size=8192), {"cuBLAS": 0.92}),
    Row("gemm e4m3 8192^3", "product", dict(dtype="float8_e4m3fn", size=8192), {"cuBLAS": 0.90}),
)


def select(words):
    """The rows whose name contains one of the words, all without words; and the words that no row contains."""
    chosen = [row for row in ROWS if not words or any(word in row.name for word in words)]
    return chosen, [word for word in words if not any(word in row.name for row in ROWS)]


def describe(row):
    """A line for a list of the rows."""
    asked = ", ".join(f"{peer} {ratio:.2f} asked" if ratio else f"{peer} shown" for peer, ratio in row.asked.items())
    return f"{row.name:52} {asked}"
