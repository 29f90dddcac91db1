"""Makes of a row of peer_rows.py the inputs, our launch, the peers' launches, and the check of the result."""
import ctypes
from dataclasses import dataclass, field
from typing import Callable

import torch

from peers import Missing, block_lists
from tile_library import DEVICE, NoKernel, median_ms


@dataclass
class Case:
    ours: Callable  # launches, writes `out`
    out: torch.Tensor
    flops: float
    theirs: dict  # peer -> what launches it and returns its result
    flops_of: dict = field(default_factory=dict)  # of peers that compute something else than we
    error: Callable = None  # the relative error of `out`; None: its difference from the first peer's result
    note: str = ""

    def difference(self):
        return self.error() if self.error else relative(self.out, next(iter(self.theirs.values()))())


def relative(found, expected):
    return ((found.float() - expected.float()).norm() / expected.float().norm()).item()


def random(*shape):
    return torch.randn(*shape, device=DEVICE, dtype=torch.bfloat16)


def outputs(q):
    """Poisoned o, and lse."""
    return torch.full_like(q, float("nan")), torch.empty(q.shape[:3], device=DEVICE)


def causal_mask(heads, blocks, density):
    mask = torch.rand(1, heads, blocks, blocks, device=DEVICE) < density
    return (mask | torch.eye(blocks, device=DEVICE, dtype=torch.bool)).tril()


def largest(score, count):
    """The mask of the `count` largest of each row."""
    return torch.zeros_like(score, dtype=torch.bool).scatter_(-1, score.topk(count, -1).indices, True)


def exact_mask(heads, blocks, count):
    """Every query block selects `count` of the key blocks."""
    return largest(torch.rand(1, heads, blocks, blocks, device=DEVICE), count)


def pattern_mask(heads, blocks, count, kind):
    if kind == "pairs agree":  # neighbouring query blocks select the same key blocks
        return exact_mask(heads, blocks // 2, count // 2).repeat_interleave(2, 2).repeat_interleave(2, 3)
    if kind == "local + random":
        at = torch.arange(blocks, device=DEVICE)
        near = (at[:, None] - at).abs() < 12
        return largest(torch.rand(1, heads, blocks, blocks, device=DEVICE) + near, count)
    return exact_mask(heads, blocks, count)


def dense(library, peers, heads, kv_heads, batch, length, dim, causal):
    q, k, v = (random(batch, h, length, dim) for h in (heads, kv_heads, kv_heads))
    out, lse = outputs(q)
    pairs = length * (length + 1) / 2 if causal else length * length
    ours = library.simple("attention", q, k, v, out, lse, after=(causal, ctypes.c_float(0)))
    return Case(ours, out, 4 * batch * heads * dim * pairs, {"FA4": peers.get("FA4").dense(q, k, v, causal)})


def lists(library, peers, heads, length, dim, block, causal, amount):
    blocks = length // block
    mask = causal_mask(heads, blocks, amount) if causal else exact_mask(heads, blocks, amount)
    q, k, v = (random(1, heads, length, dim) for _ in range(3))
    out, lse = outputs(q)
    ours = library.attention(q, k, v, *block_lists(mask), out, lse, causal, block, block)
    theirs = {"FA4": peers.get("FA4").lists(q, k, v, mask, block, causal)}
    return Case(ours, out, 4 * dim * mask.sum().item() * block * block, theirs)


def optional(theirs, name, make):
    """Adds a peer whose figure is only shown, where it is there."""
    try:
        theirs[name] = make()
    except Missing:
        pass


def lists_from(library, mask, count):
    """Counts and indices [1, H, n, count], and how long the library takes to make its lists of the mask."""
    numbers = mask.sum(-1).int().contiguous(), torch.empty(mask.shape, device=DEVICE, dtype=torch.int32)
    took = f"lists from the mask {1e3 * median_ms(library.simple('block_lists', mask, *numbers), 5):.0f} us"
    counts, indices = block_lists(mask)
    return counts, indices[..., :count].contiguous(), took


def pattern(library, peers, heads, length, count, kind):
    """All that our call does is counted, its preparation of the lists too; the peer's plan on the host is not.
    Neighbours whose lists have nothing to do with each other are not taken in pairs: the caller knows that."""
    mask = pattern_mask(heads, length // 64, count, kind)
    q, k, v = (random(1, heads, length, 128) for _ in range(3))
    out, lse = outputs(q)
    vsa, plan = peers.get("VSA").lists(q, k, v, mask)
    theirs = {"VSA": vsa}
    optional(theirs, "FA4", lambda: peers.get("FA4").lists(q, k, v, mask, 64, 0))
    counts, indices, took = lists_from(library, mask, count)
    pairs = library.workspace and kind != "random"
    ours = library.attention(q, k, v, counts, indices, out, lse, 0, 64, 64, pairs)
    note = f"{'in pairs' if pairs else 'single blocks'}; VSA's plan on the host {plan:.0f} ms; {took}"
    return Case(ours, out, 4 * 128 * mask.sum().item() * 64 * 64, theirs, note=note)


def sampled_error(q, k, v, mask, out, samples=16):
    """Against f32 arithmetic on random query blocks of 64 rows; mask [1, KV heads, n, n]."""
    found, expected = [], []
    for _ in range(samples):
        head, block = (int(torch.randint(n, ())) for n in (q.shape[1], mask.shape[-1]))
        kv_head, rows = head * k.shape[1] // q.shape[1], slice(64 * block, 64 * block + 64)
        chosen = mask[0, kv_head, block].nonzero().flatten()
        keys, values = (x[0, kv_head].unflatten(0, (-1, 64))[chosen].flatten(0, 1).float() for x in (k, v))
        expected.append(torch.softmax(q[0, head, rows].float() @ keys.t() * q.shape[-1] ** -0.5, -1) @ values)
        found.append(out[0, head, rows])
    return relative(torch.stack(found), torch.stack(expected))


def shared(library, peers, heads, kv_heads, length, count):
    """One list for the query heads of a group, beside the peer's dense attention: a ratio of rates."""
    mask = exact_mask(kv_heads, length // 64, count)
    q, k, v = (random(1, h, length, 128) for h in (heads, kv_heads, kv_heads))
    out, lse = outputs(q)
    theirs = {"FA4": peers.get("FA4").dense(q, k, v, 0)}
    optional(theirs, "VSA", lambda: peers.get("VSA").lists(q, k, v, mask)[0])
    counts, indices, note = lists_from(library, mask, count)
    ours = library.attention(q, k, v, counts, indices, out, lse, 0, 64, 64)
    try:
        ours()
    except (NoKernel, RuntimeError):  # a library without lists of groups: each head has its copy
        each = (x.repeat_interleave(heads // kv_heads, 1).contiguous() for x in (counts, indices))
        ours, note = library.attention(q, k, v, *each, out, lse, 0, 64, 64), note + "; a list for each head"
    flops = 4 * 128 * mask.sum().item() * heads // kv_heads * 64 * 64
    return Case(ours, out, flops, theirs, {"FA4": 4 * 128 * heads * length**2}, lambda: sampled_error(q, k, v, mask, out), note)


def product(library, peers, dtype, size):
    a, b = (random(size, size).to(getattr(torch, dtype)) for _ in range(2))
    c = torch.full((size, size), float("nan"), device=DEVICE, dtype=torch.bfloat16)
    transposed = int(dtype != "bfloat16")  # b of 8-bit types is [n, k]
    ours = library.simple("matmul", a, b, c, after=(transposed,))
    return Case(ours, c, 2 * size**3, {"cuBLAS": peers.get("cuBLAS").multiply(a, b.t() if transposed else b)})


MAKE = dict(dense=dense, lists=lists, pattern=pattern, shared=shared, product=product)
