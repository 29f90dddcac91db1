"""The library's C interface for PyTorch tensors, and timing beside a peer in one process."""
import ctypes
import time

import torch
from torch.utils.dlpack import to_dlpack

capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

DEVICE = "cuda"
NO_KERNEL = 2


class NoKernel(Exception):
    """The library has no variant for these types and sizes."""


class AttentionArgs(ctypes.Structure):
    TENSORS = ("q", "k", "v", "block_count", "block_index", "o", "lse", "workspace")
    _fields_ = [
        ("struct_size", ctypes.c_uint64),
        *((name, ctypes.c_void_p) for name in TENSORS),
        ("causal", ctypes.c_int32),
        ("query_block", ctypes.c_int32),
        ("key_block", ctypes.c_int32),
        ("scale", ctypes.c_float),
    ]


class Library:
    """Calls of libtile.so on torch's current stream. Each method returns a function that launches."""

    def __init__(self, path, workspace=True):
        """Without `workspace`, calls are made as if none were needed."""
        self.so, self.workspace = ctypes.CDLL(path), workspace
        self.so.tile_last_error.restype = ctypes.c_char_p

    def call(self, function, *args, tensors):
        """A launch of `function`; `tensors` live as long as it."""
        def launch(keep=tensors):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if status := function(*args, stream):
                message = self.so.tile_last_error().decode()
                raise NoKernel(message) if status == NO_KERNEL else RuntimeError(message)
        return launch

    def attention(self, q, k, v, count, index, o, lse, causal, query_block, key_block, pairs=True):
        """Without `pairs` no workspace is given: each block of queries reads its key blocks for itself."""
        args = AttentionArgs(ctypes.sizeof(AttentionArgs), causal=causal, query_block=query_block, key_block=key_block)
        capsules = {}

        def give(**tensors):
            for name, tensor in tensors.items():
                capsules[name] = to_dlpack(tensor)
                setattr(args, name, capsule_pointer(capsules[name], b"dltensor"))

        give(q=q, k=k, v=v, block_count=count, block_index=index, o=o, lse=lse)
        needed = ctypes.c_int64()
        # What the arguments lack, the launch says too.
        if pairs and self.workspace and not self.so.tile_block_sparse_attention_workspace(ctypes.byref(args), ctypes.byref(needed)) and needed.value:
            give(workspace=torch.empty(needed.value, dtype=torch.int8, device=q.device))
        return self.call(self.so.tile_block_sparse_attention, ctypes.byref(args), tensors=(args, capsules))

    def simple(self, name, *tensors, before=(), after=()):
        """tile_<name>(before..., tensors..., after..., stream)."""
        capsules = [to_dlpack(tensor) for tensor in tensors]
        pointers = [ctypes.c_void_p(capsule_pointer(capsule, b"dltensor")) for capsule in capsules]
        return self.call(getattr(self.so, f"tile_{name}"), *before, *pointers, *after, tensors=capsules)


_flush = None


def median_ms(run, budget_ms=60):
    """Median of CUDA-event times, L2 flushed before each. What a launch takes on the host is hidden behind the flush and a wait."""
    global _flush
    if _flush is None:
        _flush = torch.empty(256 << 20, dtype=torch.uint8, device=DEVICE)
    times, total = [], 0.0
    for i in range(203):
        if i >= 6 and total > budget_ms:
            break
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        _flush.zero_()
        torch.cuda._sleep(200_000)
        start.record()
        run()
        stop.record()
        stop.synchronize()
        if i >= 2:  # the first ones load kernels and raise the clock
            times.append(start.elapsed_time(stop))
            total += times[-1]
    return sorted(times)[len(times) // 2]


def alternate(runs, rounds, pause=0, budget_ms=60):
    """Median milliseconds of each, measured in turns whose order alternates, so that all see the same clocks; before each an idle `pause`
    in seconds, so that none pays for the heat of the one before."""
    times = {name: [] for name in runs}
    for i in range(rounds):
        for name in list(runs)[:: 1 if i % 2 == 0 else -1]:
            torch.cuda.synchronize()
            time.sleep(pause)
            times[name].append(median_ms(runs[name], budget_ms))
    return {name: sorted(found)[len(found) // 2] for name, found in times.items()}
