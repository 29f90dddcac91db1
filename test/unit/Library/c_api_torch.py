"""Calls the C interface of libtile.so with PyTorch's CUDA tensors: results, graph capture, host time.

  c_api_torch.py libtile.so
"""
import ctypes
import faulthandler
import sys
import time

import torch
from torch.utils.dlpack import to_dlpack

# A capsule holds the address of its DLTensor.
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

tile = ctypes.CDLL(sys.argv[1])
tile.tile_last_error.restype = ctypes.c_char_p
pointer = ctypes.c_void_p
tile.tile_matmul.argtypes = [pointer, pointer, pointer, ctypes.c_int32, pointer]
tile.tile_softmax.argtypes = [pointer, pointer, pointer]
tile.tile_block_sparse_attention.argtypes = [pointer, pointer]
# The capsules of the running check: a DLTensor lives as long as its capsule.
kept = []


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


def exported(tensor):
    """The address of the tensor's DLTensor."""
    kept.append(to_dlpack(tensor))
    return capsule_pointer(kept[-1], b"dltensor")


def stream():
    return torch.cuda.current_stream().cuda_stream


def expect(status):
    assert status == 0, tile.tile_last_error().decode()


def relative_error(found, expected):
    return ((found.double() - expected).norm() / expected.norm()).item()


def check_matmul():
    a, b = (torch.randn(s, device="cuda", dtype=torch.bfloat16) for s in ((300, 512), (256, 512)))
    c = torch.full((300, 256), float("nan"), device="cuda", dtype=torch.bfloat16)
    expect(tile.tile_matmul(exported(a), exported(b), exported(c), 1, stream()))
    assert relative_error(c, a.double() @ b.double().T) < 3e-3


def check_capture():
    """The first call of a kernel, which loads its image, lies in the capture."""
    x = torch.randn(64, 777, device="cuda", dtype=torch.float16)
    y = torch.full_like(x, float("nan"))
    source, target = exported(x), exported(y)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        expect(tile.tile_softmax(source, target, stream()))
    for _ in range(2):
        x.normal_()
        graph.replay()
        assert relative_error(y, x.double().softmax(-1)) < 1e-3


def check_attention():
    length, block = 1000, 128
    blocks = -(-length // block)
    q, k, v = (torch.randn(2, 4, length, 128, device="cuda", dtype=torch.bfloat16) for _ in "qkv")
    count = torch.full((2, 4, blocks), blocks, device="cuda", dtype=torch.int32)
    index = torch.arange(blocks, device="cuda", dtype=torch.int32)
    index = index.expand(2, 4, blocks, blocks).contiguous()
    o = torch.full_like(q, float("nan"))
    lse = torch.full((2, 4, length), float("nan"), device="cuda")
    tensors = dict(q=q, k=k, v=v, block_count=count, block_index=index, o=o, lse=lse)
    args = AttentionArgs(ctypes.sizeof(AttentionArgs), causal=1, query_block=block, key_block=block)
    for name, tensor in tensors.items():
        setattr(args, name, exported(tensor))
    expect(tile.tile_block_sparse_attention(ctypes.byref(args), stream()))
    expected = torch.nn.functional.scaled_dot_product_attention(
        q.double(), k.double(), v.double(), is_causal=True
    )
    assert relative_error(o, expected) < 3.5e-3
    host_time(lambda: tile.tile_block_sparse_attention(ctypes.byref(args), stream()))


def host_time(call, count=500):
    """Prints what a call takes on the host; ctypes and the driver's launch are part of it."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    print(f"host time of a call: {(time.perf_counter() - begin) / count * 1e6:.2f} us")
    torch.cuda.synchronize()


if __name__ == "__main__":
    faulthandler.enable()
    for check in (check_matmul, check_capture, check_attention):
        check()
        torch.cuda.synchronize()
        kept.clear()  # not at the interpreter's end, when torch may be gone
        print(f"{check.__name__}: ok")
