"""The peers, each imported when a row first asks for it. `bring-peers` gets those that PyTorch does not carry."""
import sys
import time

import torch


HOW = {
    "FA4": "`bring-peers fa4` packs it, --peers names its folder",
    "VSA": "`bring-peers flashinfer` packs it, --peers names its folder",
    "cuBLAS": "PyTorch carries it",
}


class Missing(Exception):
    """A peer that cannot be imported."""


class Peers:
    """`folder` holds the Python packages of peers where they are not installed."""

    def __init__(self, folder=None):
        self.known = {}
        if folder:
            sys.path[:0] = [folder, f"{folder}/nvidia_cutlass_dsl/dsl_packages"]

    def get(self, name):
        if name not in self.known:
            try:
                self.known[name] = {"FA4": FlashAttention, "VSA": VariableBlockSparse, "cuBLAS": Products}[name]()
            except Exception as error:  # an import can fail in as many ways as there are packages behind it
                self.known[name] = Missing(f"{name} cannot be imported ({type(error).__name__}: {error}); {HOW[name]}")
        if isinstance(self.known[name], Missing):
            raise self.known[name]
        return self.known[name]


class FlashAttention:
    """FlashAttention-4, its sm_90 kernels in CuTe. Tensors come as [B, H, S, D] and are brought into its order outside of what is timed."""

    def __init__(self):
        import cutlass.cute as cute
        from flash_attn.cute.block_sparsity import BlockSparseTensorsTorch
        from flash_attn.cute.interface import _flash_attn_fwd

        @cute.jit
        def causal_rule(b, h, q_idx, kv_idx, seqlen_info, aux):
            return kv_idx <= q_idx

        self.forward, self.sparse_tensors, self.causal_rule = _flash_attn_fwd, BlockSparseTensorsTorch, causal_rule

    def dense(self, q, k, v, causal):
        a, b, c = (x.transpose(1, 2).contiguous() for x in (q, k, v))
        return lambda: self.forward(a, b, c, causal=bool(causal))[0].transpose(1, 2)

    def lists(self, q, k, v, mask, block, causal):
        """A causal row is masked inside its diagonal blocks only."""
        a, b, c = (x.transpose(1, 2).contiguous() for x in (q, k, v))
        eye = torch.eye(mask.shape[-1], device=mask.device, dtype=torch.bool).expand_as(mask)
        full, partial = (mask & ~eye, mask & eye) if causal else (mask, torch.zeros_like(mask))
        tensors = self.sparse_tensors(*block_lists(partial), *block_lists(full), block_size=(block, block))
        rule = self.causal_rule if causal else None
        return lambda: self.forward(a, b, c, mask_mod=rule, block_sparse_tensors=tensors)[0].transpose(1, 2)


class VariableBlockSparse:
    """FlashInfer's fastest block-sparse kernel of sm_90 ("cake"): blocks of 64, head size 128, at most 64 blocks for each query block."""

    def __init__(self):
        from flashinfer.cake_vsa_sm90 import create_plan
        from flashinfer.cake_vsa_sm90_backend.cake_planner import cluster_capacity

        cluster_capacity(torch.cuda.current_device())  # compiles a probe once, which is no part of a plan's time
        self.create_plan = create_plan

    def lists(self, q, k, v, mask):
        """What launches it, and the milliseconds of its plan on the host. q [1, H, S, 128], mask [1, KV heads, n, n]."""
        sizes = torch.full(mask.shape[1:3], 64, dtype=torch.int32, device=mask.device)
        torch.cuda.synchronize()
        start = time.perf_counter()
        plan = self.create_plan(q.device, mask[0], sizes, sizes, q.shape[1], k.shape[1], q.shape[-1], q_data_type=q.dtype)
        torch.cuda.synchronize()
        took = 1e3 * (time.perf_counter() - start)
        return (lambda: plan.run(q[0], k[0], v[0])[None]), took


class Products:
    """cuBLAS, as PyTorch calls it. b is [k, n]."""

    def multiply(self, a, b):
        if a.dtype == torch.bfloat16:
            return lambda: a @ b
        one = torch.ones((), device=a.device)
        return lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True)


class NoPeers:
    """Rows are made without those they are measured beside."""

    def get(self, name):
        return self

    def dense(self, *args):
        return None

    multiply = dense

    def lists(self, *args):
        return None, 0


def block_lists(mask):
    """Counts [B, H, n] and ascending indices [B, H, n, m] of the blocks of a mask."""
    return mask.sum(-1).int().contiguous(), mask.int().argsort(dim=-1, descending=True, stable=True).int().contiguous()
