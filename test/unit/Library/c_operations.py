"""Each function of the C interface that tile_api_version 2 added, once, on the CPU."""
import ctypes

from c_library import *


def random():
    return np.random.default_rng(5)


def close(found, expected, relative):
    """No element off by more than that part of the largest."""
    error = np.abs(np.asarray(found, np.float64) - expected)
    assert not np.isnan(error).any() and error.max() <= relative * np.abs(expected).max(), error.max()


def to_e4m3(values):
    """Of small whole numbers, which have one bit behind the first at most."""
    table = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44, 4: 0x48}
    return np.vectorize(lambda v: table[abs(v)] | (0x80 if v < 0 else 0))(values).astype(np.uint8)


def from_e4m3(bits):
    exponent, mantissa = (bits >> 3 & 15).astype(int), bits & 7
    size = np.where(exponent > 0, (8 + mantissa) * 2.0 ** (exponent - 10), mantissa * 2.0**-9)
    return np.where(bits & 0x80, -size, size)


def test_gathered_matmul(tile):
    a, b = (random().integers(-2, 3, size=s).astype(np.float16) for s in ((20, 24), (24, 16)))
    rows = random().integers(-1, 21, size=30).astype(np.int32)
    c = np.full((30, 16), np.nan, np.float16)
    tile.call("tile_gathered_matmul", a, rows, b, c)
    picked = np.where(((rows >= 0) & (rows < 20))[:, None], a[np.clip(rows, 0, 19)], 0)
    assert np.array_equal(c, picked.astype(np.float64) @ b)
    tile.call("tile_gathered_matmul", a, rows.astype(np.int64), b, c, wanted=LAUNCH_FAILED)
    assert tile.error() == "gathered_matmul: argument 'rows': expected i32, found i64"


def test_matmul_of_e4m3(tile):
    a, b = (random().integers(-4, 5, size=s) for s in ((20, 48), (16, 48)))
    c = np.full((20, 16), 0x7FFF, np.uint16)
    tensors = [described(to_e4m3(x), E4M3) for x in (a, b)] + [described(c, BFLOAT)]
    tile.expect(tile.so.tile_matmul(*map(ctypes.byref, tensors), 1, None))
    close(from_bf16(c), a @ b.T, 2**-8)


def test_scaled_matmul(tile):
    a, b = (random().integers(-4, 5, size=s) for s in ((20, 48), (16, 48)))
    scale_a, scale_b = (random().normal(size=n).astype(np.float32) for n in (20, 16))
    c = np.full((20, 16), np.nan, np.float32)
    tensors = dict(a=described(to_e4m3(a), E4M3), b=described(to_e4m3(b), E4M3), scale_a=scale_a,
                   scale_b=scale_b, c=c)
    tile.call_with("tile_scaled_matmul", ScaledMatmulArgs, tensors)
    close(c, (a @ b.T) * scale_a[:, None].astype(np.float64) * scale_b, 1e-6)
    tensors["scale_a"] = scale_b
    tile.call_with("tile_scaled_matmul", ScaledMatmulArgs, tensors, LAUNCH_FAILED)
    assert tile.error().startswith("scaled_matmul: argument 'scale_a' dimension 0"), tile.error()


def test_layer_norm(tile):
    x, weight, bias = (random().normal(size=s).astype(np.float32) for s in ((5, 300), 300, 300))
    tensors = dict(x=x, weight=weight, bias=bias, y=np.full_like(x, np.nan))
    tile.call_with("tile_layer_norm", LayerNormArgs, tensors, eps=0.1)
    exact = x.astype(np.float64)
    apart = exact - exact.mean(1, keepdims=True)
    close(tensors["y"], apart / np.sqrt(exact.var(1, keepdims=True) + 0.1) * weight + bias, 2e-6)
    args = LayerNormArgs(ctypes.sizeof(LayerNormArgs) - 8)
    tile.expect(tile.so.tile_layer_norm(ctypes.byref(args), None), BAD_ARGUMENT)
    assert "layer_norm: expected arguments with a struct_size of" in tile.error(), tile.error()
    tile.expect(tile.so.tile_layer_norm(None, None), BAD_ARGUMENT)
    tile.call_with("tile_layer_norm", LayerNormArgs, dict(x=x, weight=weight), BAD_ARGUMENT)
    assert tile.error() == "layer_norm: argument 'bias': expected a tensor, found null"


def test_quantize_rows(tile):
    x = random().normal(size=(5, 300)).astype(np.float32)
    q, scale = np.full((5, 300), 0x7F, np.uint8), np.full(5, np.nan, np.float32)
    tile.call("tile_quantize_rows", x, described(q, E4M3), scale)
    largest = np.abs(x).max(1)
    close(scale, largest / 448, 1e-6)
    # Four bits: half a unit is 1/16 of a number, or 2^-10 where there are fewer.
    error = np.abs(from_e4m3(q) * scale[:, None] - x)
    assert (error <= np.maximum(np.abs(x) * 2**-4, scale[:, None] * 2**-10) * 1.001).all()


def test_rotary(tile):
    x = random().normal(size=(2, 6, 3, 64)).astype(np.float32)
    angle = random().normal(size=(6, 32))
    cos, sin = (f(angle).astype(np.float32) for f in (np.cos, np.sin))
    for interleaved in (0, 1):
        y = np.full_like(x, np.nan)
        tensors = dict(x=x, cos=cos, sin=sin, y=y)
        tile.call_with("tile_rotary", RotaryArgs, tensors, interleaved=interleaved)
        parts = [np.s_[..., ::2], np.s_[..., 1::2]] if interleaved else [np.s_[..., :32], np.s_[..., 32:]]
        one, other = (x[part].astype(np.float64) for part in parts)
        c, s = cos[:, None], sin[:, None]
        close(y[parts[0]], one * c - other * s, 1e-6)
        close(y[parts[1]], other * c + one * s, 1e-6)


def test_log_sum_exp(tile):
    x = random().normal(size=(3, 9000), scale=5).astype(np.float32)
    bytes_needed = ctypes.c_int64(-1)
    query, tensor = tile.so.tile_log_sum_exp_workspace, exported(x)
    tile.expect(query(ctypes.byref(tensor), ctypes.byref(bytes_needed)))
    assert bytes_needed.value >= 12
    tile.expect(query(ctypes.byref(tensor), None), BAD_ARGUMENT)
    workspace = np.full(bytes_needed.value + 16, -1, np.int8)
    workspace = workspace[-workspace.ctypes.data % 16:][: bytes_needed.value]
    y, ticket = np.full(3, np.nan, np.float32), np.zeros(3, np.int32)
    tensors = dict(x=x, y=y, ticket=ticket, workspace=workspace)
    tile.call_with("tile_log_sum_exp", LogSumExpArgs, tensors)
    close(y, np.log(np.exp(x.astype(np.float64)).sum(1)), 2e-5)
    assert not ticket.any()
    tensors["workspace"] = workspace[1:]
    tile.call_with("tile_log_sum_exp", LogSumExpArgs, tensors, LAUNCH_FAILED)
    assert "log_sum_exp: argument 'workspace': expected an i8 tensor [" in tile.error(), tile.error()
    del tensors["workspace"]
    tile.call_with("tile_log_sum_exp", LogSumExpArgs, tensors, LAUNCH_FAILED)
    assert "or longer, found none" in tile.error(), tile.error()
    nothing = dict(x=x[:0], y=y[:0], ticket=ticket[:0])
    tile.call_with("tile_log_sum_exp", LogSumExpArgs, nothing)


def test_paged_copy(tile):
    # 16-byte addresses, which numpy need not give.
    memory = np.full(50 * 16 * 128 + 2 * 40 * 128 + 8, np.nan, np.float32)
    memory = memory[-memory.ctypes.data % 16 // 4:]
    pool, y = memory[: 50 * 16 * 128].reshape(50, 16, 128), memory[50 * 16 * 128:][: 2 * 40 * 128]
    y = y.reshape(2, 40, 128)
    pool[:] = random().normal(size=pool.shape)
    table = random().integers(0, 50, size=(2, 3)).astype(np.int32)
    lengths = np.array([40, 17], np.int32)
    tile.call("tile_paged_copy", pool, table, lengths, y)
    for b, length in enumerate(lengths):
        assert np.array_equal(y[b, :length], pool[table[b]].reshape(48, 128)[:length])
        assert np.isnan(y[b, length:]).all()
    tile.call("tile_paged_copy", pool, table[:, :2].copy(), lengths, y, wanted=LAUNCH_FAILED)
    assert "paged_copy: argument 'table' dimension 1 (entries): expected at least 3" in tile.error()
    entries = np.zeros((2, 5), np.int32)
    tile.call("tile_paged_copy", pool[:, :8].copy(), entries, lengths, y, wanted=NO_KERNEL)
    assert "it has f32 with pages of 16" in tile.error(), tile.error()


def test_jagged_copy(tile):
    x = random().normal(size=(50, 33)).astype(np.float32)
    y = np.full((60, 33), 7, np.float32)
    source, target = np.array([2, 10, 10, 45], np.int32), np.array([50, 0, 5], np.int32)
    expected = y.copy()
    for s in range(3):
        rows = source[s + 1] - source[s]
        expected[target[s]: target[s] + rows] = x[source[s]: source[s + 1]]
    tile.call("tile_jagged_copy", x, source, target, y)
    assert np.array_equal(y, expected)


def test_top_k(tile):
    x = random().integers(-50, 50, size=(3, 700)).astype(np.float32)
    length = np.array([700, 300, 2], np.int32)
    position, value = np.full((3, 5), -7, np.int32), np.full((3, 5), np.nan, np.float32)
    tile.call("tile_top_k", x, length, position, value)
    for row in range(3):
        order = np.sort(np.argsort(-x[row, : length[row]], kind="stable")[:5])
        assert np.array_equal(position[row, : len(order)], order), position[row]
        assert np.array_equal(value[row, : len(order)], x[row, order])
        assert (position[row, len(order):] == -1).all()
        assert (value[row, len(order):] == -np.inf).all()


def test_block_lists(tile):
    mask = random().integers(0, 2, size=(1, 2, 3, 40)).astype(np.uint8)
    count, block = np.full((1, 2, 3), -7, np.int32), np.full((1, 2, 3, 40), -7, np.int32)
    tile.call("tile_block_lists", described(mask, BOOL), count, block)
    for at in np.ndindex(1, 2, 3):
        blocks = np.flatnonzero(mask[at])
        assert count[at] == len(blocks)
        assert np.array_equal(block[at][: len(blocks)], blocks)
        assert (block[at][len(blocks):] == -1).all()


def test_order_by_cost(tile):
    cost = random().integers(0, 9, size=100).astype(np.int32)
    order = np.full(100, -7, np.int32)
    tile.call("tile_order_by_cost", cost, order)
    assert np.array_equal(order, np.argsort(-cost, kind="stable"))


def test_histogram(tile):
    x = random().integers(-5, 1030, size=5000).astype(np.int32)
    count = np.ones(1024, np.int32)
    tile.call("tile_histogram", x, count)
    assert np.array_equal(count, 1 + np.bincount(x[(x >= 0) & (x < 1024)], minlength=1024))
    tile.call("tile_histogram", x, count[:100].copy(), wanted=NO_KERNEL)
    assert "it has i32 with bins 1024" in tile.error(), tile.error()


def test_merge_splits(tile):
    part = random().normal(size=(3, 7, 64)).astype(np.float32)
    part_lse = random().normal(size=(3, 7), scale=3).astype(np.float32)
    part_lse[1, 2] = part_lse[:, 5] = -np.inf
    out, lse = np.full((7, 64), np.nan, np.float32), np.full(7, np.nan, np.float32)
    tile.call("tile_merge_splits", part, part_lse, out, lse)
    weights = np.exp(part_lse.astype(np.float64))
    weights /= np.maximum(weights.sum(0), 1e-300)
    close(out, (weights[..., None] * part).sum(0), 1e-5)
    full = np.arange(7) != 5
    close(lse[full], np.log(np.exp(part_lse[:, full].astype(np.float64)).sum(0)), 1e-5)
    assert lse[5] == -np.inf and not out[5].any()
