"""Calls the C interface of libtile.so through ctypes, with numpy's arrays as DLPack tensors.

  c_api.py libtile.so [--gtest_output=xml:FILE]
"""
import ctypes
import subprocess
import sys
import traceback
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True  # not beside the sources

from c_library import *
from c_operations import *


def test_version(tile):
    assert tile.so.tile_api_version() == 2


def test_copy_of_a_view(tile):
    source = np.arange(40 * 200, dtype=np.float32).reshape(40, 200)[:, 10:150]
    target = np.full((40, 140), np.nan, np.float32)
    x, y = exported(source), exported(target)
    tile.expect(tile.so.tile_copy(ctypes.byref(x), ctypes.byref(y), None))
    assert np.array_equal(source, target)


def test_byte_offset_and_no_strides(tile):
    source = np.arange(64, dtype=np.int32).reshape(2, 32)
    target = np.zeros((1, 32), np.int32)
    x, y = described(source[:1], INT), described(target, INT)
    x.byte_offset, x.strides = 128, None
    tile.expect(tile.so.tile_copy(ctypes.byref(x), ctypes.byref(y), None))
    assert np.array_equal(target[0], source[1])


def test_softmax(tile):
    source = np.random.default_rng(1).normal(size=(9, 1300)).astype(np.float32)
    target = np.full_like(source, np.nan)
    x, y = exported(source), exported(target)
    tile.expect(tile.so.tile_softmax(ctypes.byref(x), ctypes.byref(y), None))
    weights = np.exp(source.astype(np.float64))
    assert np.allclose(target, weights / weights.sum(1, keepdims=True), atol=1e-7)


def test_axpy(tile):
    source, target = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    x, y = exported(source), exported(target)
    tile.expect(tile.so.tile_axpy(ctypes.c_float(3), ctypes.byref(x), ctypes.byref(y), None))
    assert np.array_equal(target, 3 * source + 1)


def test_matmul_of_bf16(tile):
    random = np.random.default_rng(2)
    a, b = (to_bf16(random.normal(size=shape)) for shape in ((50, 72), (40, 72)))
    c = np.full((50, 40), 0x7FFF, np.uint16)
    tensors = [described(array, BFLOAT) for array in (a, b, c)]
    tile.expect(tile.so.tile_matmul(*map(ctypes.byref, tensors), 1, None))
    expected = from_bf16(a).astype(np.float64) @ from_bf16(b).astype(np.float64).T
    error = from_bf16(c) - expected
    assert np.sqrt(np.mean(error**2) / np.mean(expected**2)) < 3e-3


class Attention:
    """One batch, two heads over one, f16; each block of queries has all key blocks."""

    def __init__(self, length=300, dim=64, block=128, dtype=FLOAT):
        random = np.random.default_rng(3)
        blocks = -(-length // block)
        narrow = to_bf16 if dtype == BFLOAT else lambda x: x.astype(np.float16)
        self.arrays = dict(
            q=narrow(random.normal(size=(1, 2, length, dim))),
            k=narrow(random.normal(size=(1, 1, length, dim))),
            v=narrow(random.normal(size=(1, 1, length, dim))),
            block_count=np.full((1, 2, blocks), blocks, np.int32),
            block_index=np.tile(np.arange(blocks, dtype=np.int32), (1, 2, blocks, 1)),
            o=narrow(np.full((1, 2, length, dim), np.nan)),
            lse=np.full((1, 2, length), np.nan, np.float32),
        )
        self.tensors = {
            name: described(array, BFLOAT) if array.dtype == np.uint16 else exported(array)
            for name, array in self.arrays.items()
        }
        self.args = AttentionArgs(ctypes.sizeof(AttentionArgs), causal=1)
        self.args.query_block = self.args.key_block = block
        for name, tensor in self.tensors.items():
            setattr(self.args, name, ctypes.pointer(tensor))

    def run(self, tile):
        return tile.so.tile_block_sparse_attention(ctypes.byref(self.args), None)


def test_attention(tile):
    case = Attention()
    tile.expect(case.run(tile))
    q, k, v = (case.arrays[name].astype(np.float64) for name in "qkv")
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    scores[..., np.triu(np.ones(scores.shape[-2:], bool), 1)] = -np.inf
    weights = np.exp(scores)
    total = weights.sum(-1, keepdims=True)
    expected = weights / total @ v
    error = case.arrays["o"] - expected
    assert np.sqrt(np.mean(error**2) / np.mean(expected**2)) < 6e-4
    assert np.allclose(case.arrays["lse"], np.log(total[..., 0]), atol=1e-3)


def test_workspace(tile):
    case, bytes_needed = Attention(), ctypes.c_int64(-1)
    query = tile.so.tile_block_sparse_attention_workspace
    tile.expect(query(ctypes.byref(case.args), ctypes.byref(bytes_needed)))
    assert bytes_needed.value == 0
    tile.expect(query(ctypes.byref(case.args), None), BAD_ARGUMENT)


def test_paired_blocks(tile):
    """With workspace the same as without, but for the order of sums; each block has other keys."""
    outputs, bytes_needed = [], ctypes.c_int64(-1)
    for paired in (False, True):
        case = Attention(dim=64, block=64, dtype=BFLOAT)
        case.args.causal = 0
        tile.expect(tile.so.tile_block_sparse_attention_workspace(ctypes.byref(case.args), ctypes.byref(bytes_needed)))
        assert bytes_needed.value > 0
        case.arrays["block_count"][:] = [3, 5, 1, 4, 2]
        if paired:
            workspace = exported(np.full(bytes_needed.value, 77, np.int8))
            case.args.workspace = ctypes.pointer(workspace)
        tile.expect(case.run(tile))
        outputs.append((from_bf16(case.arrays["o"]), case.arrays["lse"]))
    (o, lse), (paired_o, paired_lse) = outputs
    assert np.abs(o - paired_o).max() < 0.02 and np.abs(o).max() > 0.1
    assert np.allclose(lse, paired_lse, atol=1e-3)


def test_errors(tile):
    case = Attention()
    case.args.k = None
    tile.expect(case.run(tile), BAD_ARGUMENT)
    assert tile.error() == "block_sparse_attention: argument 'k': expected a tensor, found null"
    case = Attention()
    case.args.struct_size = 8
    tile.expect(case.run(tile), BAD_ARGUMENT)
    assert "struct_size" in tile.error()
    case = Attention(dim=80)
    tile.expect(case.run(tile), NO_KERNEL)
    assert "f16 with head_dim 80" in tile.error() and "it has bf16 with" in tile.error()
    case = Attention()
    case.tensors["lse"].shape[2] = 299
    tile.expect(case.run(tile), LAUNCH_FAILED)
    assert "argument 'lse' dimension 2" in tile.error(), tile.error()
    assert np.isnan(case.arrays["o"]).all()


def test_refused_tensors(tile):
    x = exported(np.zeros((2, 2), np.float32))
    for field, value, part in (
        ("code", 5, "found DLPack type code 5 with 32 bits"),
        ("lanes", 4, "and 4 lanes"),
        ("device_type", 7, "found DLPack device type 7"),
        ("ndim", 9, "found 9"),
        ("device_type", 2, "expected the device of 'x', host 0, found cuda 0"),
    ):
        y = described(np.zeros((2, 2), np.float32), FLOAT)
        setattr(y, field, value)
        tile.expect(tile.so.tile_copy(ctypes.byref(x), ctypes.byref(y), None), BAD_ARGUMENT)
        assert "argument 'y'" in tile.error() and part in tile.error(), tile.error()


def test_symbols(tile):
    """The C interface has the version that docs/Stability.md promises, and kernels stay inside."""
    output = subprocess.run(
        ["nm", "-D", "--defined-only", "--with-symbol-versions", tile.so._name],
        check=True, capture_output=True, text=True,
    ).stdout
    names = {line.split()[-1] for line in output.splitlines()}
    assert "tile_copy@@TILE_1" in names, sorted(names)[:20]
    assert "tile_top_k@@TILE_2" in names, sorted(names)[:20]
    assert not [name for name in names if name.startswith("copy__")]
    unversioned = [n for n in names if "@" not in n]
    assert not unversioned, unversioned[:20]


def report(results, path):
    """Writes results, name to error or "skip: reason" or nothing, as JUnit."""
    suite = xml.Element("testsuite", name="c-api")
    for name, text in results.items():
        case = xml.SubElement(suite, "testcase", classname="c-api", name=name)
        if text and text.startswith("skip: "):
            xml.SubElement(case, "skipped", message=text[6:])
        elif text:
            xml.SubElement(case, "failure").text = text
    xml.ElementTree(suite).write(path)


def main():
    tests = {n: f for n, f in globals().items() if n.startswith("test_")}
    results = {}
    tile = Library(sys.argv[1]) if np else None
    for name, test in tests.items():
        try:
            results[name] = None if np else "skip: python has no numpy"
            if np:
                test(tile)
        except Exception:
            results[name] = traceback.format_exc()
            print(results[name])
    for argument in sys.argv[2:]:
        if argument.startswith("--gtest_output=xml:"):
            report(results, argument.split(":", 1)[1])
    skipped = [n for n, text in results.items() if text and text.startswith("skip: ")]
    failed = [n for n, text in results.items() if text and n not in skipped]
    print(f"{len(results)} tests, {len(failed)} failed, {len(skipped)} skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
