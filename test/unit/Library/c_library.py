"""What the tests of the C interface have in common: its types in ctypes, arrays as DLPack tensors."""
import ctypes
import pathlib
import subprocess
import sys

# Where Debian's own python3 has numpy and this one has not.
SYSTEM_PYTHON = "/usr/bin/python3"
try:
    import numpy as np
except ImportError:
    has_numpy = [SYSTEM_PYTHON, "-c", "import numpy"]
    if sys.executable != SYSTEM_PYTHON and pathlib.Path(SYSTEM_PYTHON).exists():
        if subprocess.run(has_numpy, stderr=subprocess.DEVNULL).returncode == 0:
            sys.exit(subprocess.run([SYSTEM_PYTHON, *sys.argv]).returncode)
    np = None

OK, BAD_ARGUMENT, NO_KERNEL, LAUNCH_FAILED = range(4)
CPU, FLOAT, INT, BFLOAT, BOOL, E4M3 = 1, 2, 0, 4, 6, 10


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


def arguments(name, tensors, *fields):
    """A struct of arguments: its size, pointers to tensors, then numbers."""
    members = [("struct_size", ctypes.c_uint64)]
    members += [(tensor, ctypes.POINTER(DLTensor)) for tensor in tensors.split()]
    return type(name, (ctypes.Structure,), {"_fields_": [*members, *fields]})


AttentionArgs = arguments(
    "AttentionArgs", "q k v block_count block_index o lse workspace",
    ("causal", ctypes.c_int32), ("query_block", ctypes.c_int32), ("key_block", ctypes.c_int32),
    ("scale", ctypes.c_float),
)
ScaledMatmulArgs = arguments("ScaledMatmulArgs", "a b scale_a scale_b c")
LayerNormArgs = arguments("LayerNormArgs", "x weight bias y", ("eps", ctypes.c_float))
RotaryArgs = arguments("RotaryArgs", "x cos sin y", ("interleaved", ctypes.c_int32))
LogSumExpArgs = arguments("LogSumExpArgs", "x y ticket workspace")


def exported(array):
    """The DLTensor that numpy itself exports, and what keeps it alive."""
    capsule = array.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
    tensor.owner = (capsule, array)
    return tensor


def described(array, code=None):
    """A DLTensor made by hand: of types that numpy does not export."""
    rank = array.ndim
    tensor = DLTensor(
        array.ctypes.data, CPU, 0, rank, code, array.itemsize * 8, 1,
        (ctypes.c_int64 * rank)(*array.shape),
        (ctypes.c_int64 * rank)(*(stride // array.itemsize for stride in array.strides)), 0,
    )
    tensor.owner = array
    return tensor


def to_bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Library:
    def __init__(self, path):
        self.so = ctypes.CDLL(path)
        self.so.tile_last_error.restype = ctypes.c_char_p

    def error(self):
        return self.so.tile_last_error().decode()

    def expect(self, found, wanted=OK):
        assert found == wanted, f"status {found}, expected {wanted}: {self.error()}"
        assert (self.error() == "") == (wanted == OK), self.error()

    def call(self, function, *tensors, wanted=OK):
        """A function whose arguments are tensors and the stream."""
        tensors = [exported(t) if not isinstance(t, DLTensor) else t for t in tensors]
        self.expect(getattr(self.so, function)(*map(ctypes.byref, tensors), None), wanted)

    def call_with(self, function, kind, tensors, wanted=OK, **fields):
        """A function that takes a struct; `tensors` by name."""
        args = kind(ctypes.sizeof(kind), **fields)
        tensors = {n: t if isinstance(t, DLTensor) else exported(t) for n, t in tensors.items()}
        for name, tensor in tensors.items():
            setattr(args, name, ctypes.pointer(tensor))
        self.expect(getattr(self.so, function)(ctypes.byref(args), None), wanted)
