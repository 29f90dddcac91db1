"""Calls every function of the C interface of libtile.so on PyTorch's tensors: on CUDA directly and replayed
from a graph, each time into poisoned outputs. Prints a line for each function with what a call takes on the
host; ctypes and the driver's launch are part of that.

  c_api_torch.py libtile.so [--cpu]      --cpu: on the CPU's memory, without graphs
"""
import ctypes
import faulthandler
import sys
import time
import traceback

import torch
from torch.utils.dlpack import to_dlpack

DEVICE = "cpu" if "--cpu" in sys.argv else "cuda"
NAN = float("nan")
BOOL, E4M3 = 6, 10
CASES = []

# A capsule holds the address of its DLTensor.
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def address(tensor, kept, code=None):
    """Of the tensor's DLTensor, which lives as long as `kept`. `code`: of a type that PyTorch may not
    export, kept as bytes."""
    if code is None:
        kept.append(to_dlpack(tensor))
        return capsule_pointer(kept[-1], b"dltensor")
    rank = tensor.dim()
    kind, number = (1, 0) if tensor.device.type == "cpu" else (2, tensor.device.index or 0)
    numbers = [(ctypes.c_int64 * rank)(*values) for values in (tensor.shape, tensor.stride())]
    made = DLTensor(tensor.data_ptr(), kind, number, rank, code, 8, 1, *numbers, 0)
    kept += [made, tensor, *numbers]
    return ctypes.addressof(made)


class Coded:
    """Bytes that stand for elements of another type."""

    def __init__(self, tensor, code):
        self.tensor, self.code = tensor, code


def arguments(tensors, *fields):
    """A struct of arguments: its size, pointers to tensors, then numbers."""
    members = [("struct_size", ctypes.c_uint64), *((n, ctypes.c_void_p) for n in tensors.split())]
    return type("Arguments", (ctypes.Structure,), {"_fields_": [*members, *fields]})


class Case:
    """One function with its tensors: how it is called, made ready, and checked."""

    def __init__(self, outputs, verify, *, reset=None):
        self.outputs, self.verify, self.reset = outputs, verify, reset
        self.kept = []
        self.call = None

    def pointer(self, tensor):
        if isinstance(tensor, Coded):
            return ctypes.c_void_p(address(tensor.tensor, self.kept, tensor.code))
        return ctypes.c_void_p(address(tensor, self.kept))

    def simple(self, function, *values):
        """function(values..., stream), where tensors become addresses."""
        values = [self.pointer(v) if isinstance(v, (torch.Tensor, Coded)) else v for v in values]
        function = getattr(tile, function)
        self.call = lambda: function(*values, stream())
        return self

    def struct(self, function, kind, tensors, **numbers):
        """function(&args, stream)."""
        args = kind(ctypes.sizeof(kind), **numbers)
        for name, tensor in tensors.items():
            setattr(args, name, self.pointer(tensor))
        self.kept.append(args)
        function = getattr(tile, function)
        self.call = lambda: function(ctypes.byref(args), stream())
        return self

    def prepare(self):
        for output in self.outputs:
            output.fill_(NAN if output.is_floating_point() else 0x7F if output.dtype == torch.uint8 else -77)
        if self.reset:
            self.reset()


def case(function):
    CASES.append(function)
    return function


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream if DEVICE == "cuda" else None)


def expect(status):
    assert status == 0, f"status {status}: {tile.tile_last_error().decode()}"


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device=DEVICE).to(dtype)


def numbers(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high, shape, device=DEVICE).to(dtype)


def empty(*shape, dtype=torch.float32):
    return torch.zeros(*shape, device=DEVICE, dtype=dtype)


def integers(*values):
    return torch.tensor(values, device=DEVICE, dtype=torch.int32)


def near(found, expected, bound):
    """The relative RMS error is within the bound; NaN is not."""
    error = ((found.double() - expected).norm() / expected.norm()).item()
    assert error <= bound, f"relative error {error:.3g}, expected at most {bound:.3g}"


def same(found, expected):
    wrong = (found != expected).sum().item()
    assert wrong == 0, f"{wrong} of {found.numel()} elements differ"


def e4m3_values():
    """The number that each byte stands for."""
    bits = torch.arange(256, device=DEVICE)
    exponent, mantissa = (bits >> 3) & 15, (bits & 7).double()
    size = torch.where(exponent > 0, (8 + mantissa) * 2.0 ** (exponent.double() - 10), mantissa * 2.0**-9)
    size[127] = size[255] = NAN
    return torch.where(bits >= 128, -size, size)


def e4m3(*shape):
    """Random bytes that are no NaN, and their values."""
    bits = numbers(0, 0x60, *shape, dtype=torch.uint8) | (numbers(0, 2, *shape, dtype=torch.uint8) << 7)
    return Coded(bits, E4M3), e4m3_values()[bits.long()]


@case
def softmax():
    """The first of all: its image is loaded while the stream is captured."""
    x, y = normal(64, 777, dtype=torch.float16), empty(64, 777, dtype=torch.float16)
    return Case([y], lambda: near(y, x.double().softmax(-1), 1e-3)).simple("tile_softmax", x, y)


@case
def matmul():
    a, b = (normal(*s, dtype=torch.bfloat16) for s in ((300, 512), (256, 512)))
    c = empty(300, 256, dtype=torch.bfloat16)
    verify = lambda: near(c, a.double() @ b.double().T, 3e-3)
    return Case([c], verify).simple("tile_matmul", a, b, c, 1)


@case
def matmul_of_e4m3():
    (a, exact_a), (b, exact_b) = e4m3(300, 512), e4m3(256, 512)
    c = empty(300, 256, dtype=torch.bfloat16)
    # Tensor cores add products of 8 bits with about 13 bits.
    verify = lambda: near(c, exact_a @ exact_b.T, 6e-3)
    return Case([c], verify).simple("tile_matmul", a, b, c, 1)


@case
def gathered_matmul():
    a, b = (normal(*s, dtype=torch.bfloat16) for s in ((200, 264), (264, 136)))
    rows, c = numbers(-1, 201, 333), empty(333, 136, dtype=torch.bfloat16)
    there = ((rows >= 0) & (rows < 200))[:, None]
    picked = torch.where(there, a[rows.clamp(0, 199).long()].double(), 0.0)
    verify = lambda: near(c, picked @ b.double(), 3e-3)
    return Case([c], verify).simple("tile_gathered_matmul", a, rows, b, c)


@case
def scaled_matmul():
    (a, exact_a), (b, exact_b) = e4m3(300, 512), e4m3(256, 512)
    scale_a, scale_b, c = normal(300), normal(256), empty(300, 256)
    expected = exact_a @ exact_b.T * scale_a[:, None].double() * scale_b.double()
    tensors = dict(a=a, b=b, scale_a=scale_a, scale_b=scale_b, c=c)
    kind = arguments("a b scale_a scale_b c")
    return Case([c], lambda: near(c, expected, 6e-3)).struct("tile_scaled_matmul", kind, tensors)


@case
def layer_norm():
    x, weight, bias = (normal(*s, dtype=torch.bfloat16) for s in ((100, 2048), (2048,), (2048,)))
    y = torch.zeros_like(x)
    expected = torch.nn.functional.layer_norm(x.double(), (2048,), weight.double(), bias.double(), 1e-5)
    kind = arguments("x weight bias y", ("eps", ctypes.c_float))
    tensors = dict(x=x, weight=weight, bias=bias, y=y)
    return Case([y], lambda: near(y, expected, 3e-3)).struct("tile_layer_norm", kind, tensors, eps=1e-5)


@case
def quantize_rows():
    x, q, scale = normal(100, 1500), empty(100, 1500, dtype=torch.uint8), empty(100)

    def verify():
        near(scale, x.abs().amax(1).double() / 448, 1e-6)
        near(e4m3_values()[q.long()] * scale[:, None], x.double(), 0.04)

    return Case([q, scale], verify).simple("tile_quantize_rows", x, Coded(q, E4M3), scale)


@case
def rotary():
    x, y = normal(2, 50, 6, 128, dtype=torch.bfloat16), empty(2, 50, 6, 128, dtype=torch.bfloat16)
    angle = normal(50, 64) * 3
    cos, sin = angle.cos(), angle.sin()
    one, other = x[..., :64].double(), x[..., 64:].double()
    c, s = cos[:, None].double(), sin[:, None].double()
    expected = torch.cat([one * c - other * s, other * c + one * s], -1)
    kind = arguments("x cos sin y", ("interleaved", ctypes.c_int32))
    tensors = dict(x=x, cos=cos, sin=sin, y=y)
    return Case([y], lambda: near(y, expected, 3e-3)).struct("tile_rotary", kind, tensors, interleaved=0)


@case
def log_sum_exp():
    x, y, ticket = normal(6, 40000) * 5, empty(6), empty(6, dtype=torch.int32)
    needed, made = ctypes.c_int64(-1), Case([y], None)
    expect(tile.tile_log_sum_exp_workspace(made.pointer(x), ctypes.byref(needed)))
    workspace = empty(needed.value, dtype=torch.int8)
    expected = x.double().logsumexp(1)

    def verify():
        near(y, expected, 1e-5)
        same(ticket, torch.zeros_like(ticket))

    made.outputs.append(workspace)
    made.verify = verify
    kind = arguments("x y ticket workspace")
    tensors = dict(x=x, y=y, ticket=ticket, workspace=workspace)
    return made.struct("tile_log_sum_exp", kind, tensors)


@case
def copy():
    x, y = normal(100, 300)[:, 10:250], empty(100, 240)
    return Case([y], lambda: same(y, x)).simple("tile_copy", x, y)


@case
def axpy():
    x, y, before = normal(5000), empty(5000), normal(5000)
    verify = lambda: near(y, 1.5 * x.double() + before.double(), 1e-6)
    made = Case([y], verify, reset=lambda: y.copy_(before))
    return made.simple("tile_axpy", ctypes.c_float(1.5), x, y)


@case
def paged_copy():
    pool, table = normal(60, 16, 128, dtype=torch.bfloat16), numbers(0, 60, 3, 20)
    lengths, y = integers(300, 0, 17), empty(3, 310, 128, dtype=torch.bfloat16)

    def verify():
        for b, length in enumerate(lengths.tolist()):
            same(y[b, :length], pool[table[b].long()].reshape(320, 128)[:length])
            assert y[b, length:].isnan().all(), "rows behind the length were written"

    return Case([y], verify).simple("tile_paged_copy", pool, table, lengths, y)


@case
def jagged_copy():
    x, y = normal(500, 136, dtype=torch.bfloat16), empty(600, 136, dtype=torch.bfloat16)
    source, target = integers(5, 105, 105, 400, 500), integers(400, 3, 0, 300)
    expected = torch.full_like(y, 7)
    for begin, end, to in zip(source.tolist(), source.tolist()[1:], target.tolist()):
        expected[to: to + end - begin] = x[begin:end]
    made = Case([y], lambda: same(y, expected), reset=lambda: y.fill_(7))
    return made.simple("tile_jagged_copy", x, source, target, y)


@case
def top_k():
    x, length = normal(20, 30000), numbers(1000, 30001, 20)
    position, value = empty(20, 100, dtype=torch.int32), empty(20, 100)

    def verify():
        for row, count in enumerate(length.tolist()):
            order = x[row, :count].topk(100).indices.sort().values
            same(position[row], order.int())
            same(value[row], x[row, order])

    return Case([position, value], verify).simple("tile_top_k", x, length, position, value)


@case
def block_lists():
    mask = numbers(0, 2, 2, 3, 40, 130, dtype=torch.uint8)
    count, block = empty(2, 3, 40, dtype=torch.int32), empty(2, 3, 40, 130, dtype=torch.int32)
    places = torch.arange(130, device=DEVICE)
    ascending = torch.where(mask != 0, places, 1000).sort(-1).values
    expected = torch.where(ascending < 1000, ascending, -1).int()

    def verify():
        same(count, mask.sum(-1).int())
        same(block, expected)

    return Case([count, block], verify).simple("tile_block_lists", Coded(mask, BOOL), count, block)


@case
def order_by_cost():
    cost, order = numbers(0, 50, 3000), empty(3000, dtype=torch.int32)
    expected = torch.argsort(-cost.long() * 3000 + torch.arange(3000, device=DEVICE)).int()
    return Case([order], lambda: same(order, expected)).simple("tile_order_by_cost", cost, order)


@case
def histogram():
    x, count = numbers(0, 1024, 100000), empty(1024, dtype=torch.int32)
    verify = lambda: same(count, 1 + torch.bincount(x.long(), minlength=1024).int())
    made = Case([count], verify, reset=lambda: count.fill_(1))
    return made.simple("tile_histogram", x, count)


@case
def attention():
    q, k, v = (normal(2, 4, 1000, 128, dtype=torch.bfloat16) for _ in "qkv")
    o, lse = torch.zeros_like(q), empty(2, 4, 1000)
    verify = lambda: check_attention(q, k, v, o, lse)
    made = Case([o, lse], verify)
    return made.simple("tile_attention", q, k, v, o, lse, 1, ctypes.c_float(0))


def check_attention(q, k, v, o, lse, causal=True):
    """As many queries as keys."""
    scores = q.double() @ k.double().transpose(-1, -2) / q.shape[-1] ** 0.5
    if causal:
        later = torch.ones(scores.shape[-2:], device=DEVICE, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -float("inf"))
    near(o, scores.softmax(-1) @ v.double(), 3.5e-3)
    near(lse, scores.logsumexp(-1), 1e-3)


@case
def block_sparse_attention():
    q, k, v = (normal(2, 4, 1000, 128, dtype=torch.bfloat16) for _ in "qkv")
    count = torch.full((2, 4, 8), 8, device=DEVICE, dtype=torch.int32)
    index = torch.arange(8, device=DEVICE, dtype=torch.int32).expand(2, 4, 8, 8).contiguous()
    o, lse = torch.zeros_like(q), empty(2, 4, 1000)
    tensors = dict(q=q, k=k, v=v, block_count=count, block_index=index, o=o, lse=lse)
    kind = arguments(
        "q k v block_count block_index o lse workspace", ("causal", ctypes.c_int32),
        ("query_block", ctypes.c_int32), ("key_block", ctypes.c_int32), ("scale", ctypes.c_float))
    made = Case([o, lse], lambda: check_attention(q, k, v, o, lse))
    return made.struct("tile_block_sparse_attention", kind, tensors, causal=1, query_block=128, key_block=128)


def sparse_case(heads, lists, workspace, causal):
    """Every block of 64 in every list, each in another order."""
    q = normal(2, heads, 1000, 128, dtype=torch.bfloat16)
    k, v = (normal(2, 2, 1000, 128, dtype=torch.bfloat16) for _ in "kv")
    count = torch.full((2, lists, 16), 16, device=DEVICE, dtype=torch.int32)
    index = torch.rand(2, lists, 16, 16, device=DEVICE).argsort(-1).int()
    o, lse = torch.zeros_like(q), empty(2, heads, 1000)
    tensors = dict(q=q, k=k, v=v, block_count=count, block_index=index, o=o, lse=lse)
    if workspace:
        tensors["workspace"] = torch.full((2 * heads * 8 * (2 + 3 * 16) * 4,), 77, device=DEVICE, dtype=torch.int8)
    kind = arguments(
        "q k v block_count block_index o lse workspace", ("causal", ctypes.c_int32),
        ("query_block", ctypes.c_int32), ("key_block", ctypes.c_int32), ("scale", ctypes.c_float))
    repeated = [x.repeat_interleave(heads // 2, 1) for x in (k, v)]
    made = Case([o, lse], lambda: check_attention(q, *repeated, o, lse, causal))
    return made.struct("tile_block_sparse_attention", kind, tensors, causal=causal, query_block=64, key_block=64)


@case
def paired_blocks():
    return sparse_case(heads=2, lists=2, workspace=True, causal=0)


@case
def grouped_heads():
    return sparse_case(heads=8, lists=2, workspace=False, causal=1)


@case
def merge_splits():
    part, part_lse = normal(5, 70, 128, dtype=torch.bfloat16), normal(5, 70) * 3
    part_lse[1, 2] = -float("inf")
    out, lse = empty(70, 128, dtype=torch.bfloat16), empty(70)
    expected = (part_lse.double().softmax(0)[..., None] * part.double()).sum(0)

    def verify():
        near(out, expected, 3e-3)
        near(lse, part_lse.double().logsumexp(0), 1e-5)

    return Case([out, lse], verify).simple("tile_merge_splits", part, part_lse, out, lse)


def synchronize():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def check_captured(made, replays=2):
    """Captured once, which runs nothing, and replayed into poisoned outputs."""
    made.prepare()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        status = made.call()
        message = tile.tile_last_error().decode()
    assert status == 0, f"in a capture: status {status}: {message}"
    for _ in range(replays):
        made.prepare()
        graph.replay()
        torch.cuda.synchronize()
        made.verify()


def host_time(made, count=300):
    """Microseconds of the fastest of five loops."""
    best = float("inf")
    for _ in range(5):
        made.prepare()
        synchronize()
        begin = time.perf_counter()
        for _ in range(count // 5):
            made.call()
        best = min(best, (time.perf_counter() - begin) / (count // 5) * 1e6)
    synchronize()
    return best


def check(make):
    """What to print of a function."""
    made = make()
    if DEVICE == "cuda" and make is CASES[0]:
        check_captured(made)
    made.prepare()
    expect(made.call())
    synchronize()
    made.verify()
    if DEVICE == "cuda" and make is not CASES[0]:
        check_captured(made)
    return f"ok, host time of a call {host_time(made):.2f} us" if DEVICE == "cuda" else "ok"


def main():
    failed = 0
    for make in CASES:
        try:
            torch.manual_seed(7)
            text = check(make)
        except Exception as error:
            failed += 1
            text = f"FAILED: {error!r}"
            traceback.print_exc()
        print(f"{make.__name__}: {text}", flush=True)
    print(f"{len(CASES)} functions on {DEVICE}, {failed} failed", flush=True)
    return bool(failed)


if __name__ == "__main__":
    faulthandler.enable()
    tile = ctypes.CDLL(sys.argv[1])
    tile.tile_last_error.restype = ctypes.c_char_p
    sys.exit(main())
