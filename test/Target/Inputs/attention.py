#!/usr/bin/env python3
"""Prints the kernel of ../attention.test: dense attention forward for head dim 128, bf16, in `sm`.

One producer warp loads 128-key blocks of K and V by TMA into rings of two; two consumer warpgroups
hold 64 query rows each, issue S(i+1) = Q K^T before O += P(i) V, and take turns at the tensor cores.
It is the schedule that pipe-schedule must reach, written by hand: the test compares the events of
its PTX with attention.events.
"""
import sys

BM, BN, D, STAGES, GROUPS = 128, 128, 128, 2, 2
Q_BYTES, KV_BYTES = BM * D * 2, BN * D * 2
OFF_K = Q_BYTES
OFF_V = OFF_K + STAGES * KV_BYTES
BAR_Q = OFF_V + STAGES * KV_BYTES
BAR_K_FULL, BAR_K_FREE, BAR_V_FULL, BAR_V_FREE = (BAR_Q + 8 + 8 * STAGES * i for i in range(4))
SHARED = BAR_V_FREE + 8 * STAGES
# 128-byte swizzle; 8 rows are 1024 bytes apart. V is MN-major: its slabs of 64 columns too.
DESC_K = (1 << 62) | (64 << 32) | (1 << 16)
DESC_V = (1 << 62) | (64 << 32) | ((BN * 128 >> 4) << 16)
S, O, P, ROW = "vector<64xf32>", "vector<64xf32>", "vector<32xi32>", "vector<2xf32>"

out, depth, count, constants = [], 2, 0, {}


def emit(text):
    out.append("  " * depth + text)


def op(text):
    global count
    count += 1
    emit(f"%{count} = {text}")
    return f"%{count}"


def const(value, type="i32"):
    """Constants stand at the kernel's entry, one of each."""
    name = f"%c{len(constants)}"
    return constants.setdefault((value, type), name)


def arith(name, a, b, type="i32"):
    return op(f"arith.{name} {a}, {b} : {type}")


def add(a, b):
    return arith("addi", a, b)


def mul(a, b):
    return arith("muli", a, b)


def at(offset, stage=None, size=8):
    """Address of an object in shared memory, one of `stage` if given."""
    if stage is None:
        return add(BASE, const(offset))
    return add(BASE, add(const(offset), mul(stage, const(size))))


def wait(barrier, parity):
    emit(f"sm.barrier_try_wait {barrier}, {parity}")


def advance(stage, phase):
    following = add(stage, const(1))
    wraps = op(f"arith.cmpi eq, {following}, {const(STAGES)} : i32")
    flipped = arith("xori", phase, const(1))
    return (op(f"arith.select {wraps}, {const(0)}, {following} : i32"),
            op(f"arith.select {wraps}, {flipped}, {phase} : i32"))


def tma_load(address, map, coordinates, barrier):
    emit(f"sm.tma_load {address}, {map}[{', '.join(coordinates)}], {barrier} : !sm.tensor_map")


# ---- set-up ------------------------------------------------------------------------------------
def setup():
    first = op(f"arith.cmpi eq, {TID}, {const(0)} : i32")
    emit(f"scf.if {first} {{")
    inits = [(BAR_Q, 1)]
    for barrier, arrivals in ((BAR_K_FULL, 1), (BAR_V_FULL, 1), (BAR_K_FREE, GROUPS), (BAR_V_FREE, GROUPS)):
        inits += [(barrier + 8 * i, arrivals) for i in range(STAGES)]
    for barrier, arrivals in inits:
        emit(f"sm.barrier_init {at(barrier)}, {const(arrivals)}")
    emit("sm.fence_barrier_init")
    for map in ("%q", "%k", "%v", "%o"):
        emit(f"sm.tma_prefetch {map} : !sm.tensor_map")
    emit("}")
    emit("sm.barrier")


# ---- producer ----------------------------------------------------------------------------------
def produce(map, full, free, offset, stage, phase, block, kv_head, batch):
    wait(at(free, stage), phase)
    barrier = at(full, stage)
    emit(f"sm.barrier_arrive_expect_tx {barrier}, {const(KV_BYTES)}")
    base = at(offset, stage, KV_BYTES)
    for half in range(D // 64):
        row = mul(block, const(BN))
        tma_load(add(base, const(half * BN * 128)), map, [const(half * 64), row, kv_head, batch], barrier)


def producer(row_block, head, kv_head, batch):
    emit("sm.set_registers decrease 24")
    leads = op(f"arith.cmpi eq, {WARP}, {const(0)} : i32")
    emit(f"scf.if {leads} {{")
    emit(f"scf.if {op('sm.elect')} {{")
    barrier = at(BAR_Q)
    emit(f"sm.barrier_arrive_expect_tx {barrier}, {const(Q_BYTES)}")
    for group in range(GROUPS):
        for half in range(D // 64):
            row = add(mul(row_block, const(BM)), const(group * 64))
            tma_load(at(group * 64 * D * 2 + half * 64 * 128), "%q", [const(half * 64), row, head, batch], barrier)
    last = arith("subi", "%blocks", const(1))
    emit(f"%end:3 = scf.while (%n = {last}, %stage = {const(0)}, %phase = {const(1)}) : (i32, i32, i32) -> (i32, i32, i32) {{")
    produce("%k", BAR_K_FULL, BAR_K_FREE, OFF_K, "%stage", "%phase", "%n", kv_head, batch)
    produce("%v", BAR_V_FULL, BAR_V_FREE, OFF_V, "%stage", "%phase", "%n", kv_head, batch)
    stage, phase = advance("%stage", "%phase")
    n = arith("subi", "%n", const(1))
    more = op(f"arith.cmpi sge, {n}, {const(0)} : i32")
    emit(f"scf.condition({more}) {n}, {stage}, {phase} : i32, i32, i32")
    emit("} do {")
    emit("^bb0(%n: i32, %stage: i32, %phase: i32):")
    emit("scf.yield %n, %stage, %phase : i32, i32, i32")
    emit("}")
    emit("}")
    emit("}")


# ---- consumers ---------------------------------------------------------------------------------
def descriptor(address, constant):
    low = arith("shrui", arith("andi", address, const(0x3FFFF)), const(4))
    return arith("ori", op(f"arith.extui {low} : i32 to i64"), const(constant, "i64"), "i64")


def moved(desc, bytes):
    return desc if bytes == 0 else arith("addi", desc, const(bytes >> 4, "i64"), "i64")


def staged(desc, stage):
    return arith("addi", desc, op(f"arith.extui {mul(stage, const(KV_BYTES >> 4))} : i32 to i64"), "i64")


def scores(q, k, stage):
    k = staged(k, stage)
    acc = op(f"ub.poison : {S}")
    emit("sm.wgmma_fence")
    for i in range(D // 16):
        half, step = divmod(i, 4)
        a, b = moved(q, half * 64 * 128 + 32 * step), moved(k, half * BN * 128 + 32 * step)
        init = ", init" if i == 0 else ""
        acc = op(f"sm.wgmma {acc}, {a}, {b} {{type = bf16{init}}} : {S}, i64")
    emit("sm.wgmma_commit")
    return acc


def values(p, v, stage, acc):
    v = staged(v, stage)
    emit("sm.wgmma_fence")
    for i in range(BN // 16):
        a = op(f"vector.extract_strided_slice {p} {{offsets = [{4 * i}], sizes = [4], strides = [1]}} : {P} to vector<4xi32>")
        acc = op(f"sm.wgmma {acc}, {a}, {moved(v, 16 * 128 * i)} {{type = bf16, transpose_b}} : {O}, vector<4xi32>")
    emit("sm.wgmma_commit")
    return acc


def wait_group(pending, acc):
    return op(f"sm.wgmma_wait {acc} {{pending = {pending} : i64}} : {S}")


def release(barrier, stage):
    emit(f"sm.barrier_arrive {at(barrier, stage)} if {LEADER}")


def shuffled(x, lane):
    return op(f"sm.shuffle xor {x}, {const(lane)} : f32")


def row_fold(x, row, name):
    """Folds a thread's elements of one row: four independent chains, then a tree."""
    indices = [4 * j + 2 * row + e for j in range(16) for e in range(2)]
    mine = op(f"vector.shuffle {x}, {x} {indices} : {S}, {S}")
    part = lambda v, at, size, whole: op(
        f"vector.extract_strided_slice {v} {{offsets = [{at}], sizes = [{size}], strides = [1]}} : vector<{whole}xf32> to vector<{size}xf32>")
    fold = part(mine, 0, 4, 32)
    for i in range(1, 8):
        fold = arith(name, fold, part(mine, 4 * i, 4, 32), "vector<4xf32>")
    e = [op(f"vector.extract {fold}[{i}] : f32 from vector<4xf32>") for i in range(4)]
    return arith(name, arith(name, e[0], e[1], "f32"), arith(name, e[2], e[3], "f32"), "f32")


def pair(a, b):
    return op(f"vector.from_elements {a}, {b} : {ROW}")


def spread(rows):
    """A value per row to the accumulator's registers: row of register i is (i / 2) % 2."""
    return op(f"vector.shuffle {rows}, {rows} {[(i >> 1) & 1 for i in range(64)]} : {ROW}, {ROW}")


def softmax(s, maxima, sums):
    """Returns P in f32, the new maxima and sums, and what O is multiplied with."""
    tops, decays, shifts = [], [], []
    for row in range(2):
        top = row_fold(s, row, "maxnumf")
        if maxima:
            top = arith("maxnumf", top, maxima[row], "f32")
        for lane in (1, 2):
            top = arith("maxnumf", top, shuffled(top, lane), "f32")
        tops.append(top)
        shift = arith("mulf", top, "%scale", "f32")
        shifts.append(op(f"arith.negf {shift} : f32"))
        if maxima:
            decays.append(op(f"sm.exp2 {arith('subf', arith('mulf', maxima[row], '%scale', 'f32'), shift, 'f32')} : f32"))
    shift = spread(pair(*shifts))
    p = op(f"sm.exp2 {op(f'math.fma {s}, {SCALE}, {shift} : {S}')} : {S}")
    totals = []
    for row in range(2):
        total = row_fold(p, row, "addf")
        if sums:
            total = op(f"math.fma {sums[row]}, {decays[row]}, {total} : f32")
        totals.append(total)
    return p, tops, totals, decays


def packed(p):
    half = op(f"sm.cvt_pack {p} : {S} to vector<64xbf16>")
    return op(f"vector.bitcast {half} : vector<64xbf16> to {P}")


def rescaled(acc, factors):
    return arith("mulf", acc, spread(pair(*factors)), O)


def turn(barrier, arrive=""):
    emit(f"sm.named_barrier {barrier}, {const(256)}{arrive}")


def step(q, k, v, mine, next, carried):
    stage, phase, acc, p, m0, m1, l0, l1 = carried
    new_stage, new_phase = advance(stage, phase)
    wait(at(BAR_K_FULL, new_stage), new_phase)
    turn(mine)
    s = scores(q, k, new_stage)
    wait(at(BAR_V_FULL, stage), phase)
    acc = values(p, v, stage, acc)
    turn(next, " {arrive}")
    s = wait_group(1, s)
    release(BAR_K_FREE, new_stage)
    new, maxima, sums, decays = softmax(s, [m0, m1], [l0, l1])
    acc = wait_group(0, acc)
    release(BAR_V_FREE, stage)
    p = packed(new)
    return [new_stage, new_phase, rescaled(acc, decays), p, *maxima, *sums]


def epilogue(acc, sums, group, q_base, row_block, head, batch):
    inverse = []
    for total in sums:
        for lane in (1, 2):
            total = arith("addf", total, shuffled(total, lane), "f32")
        inverse.append(op(f"sm.rcp {total} : f32"))
    words = op(f"vector.bitcast {op(f'sm.cvt_pack {rescaled(wait_group(0, acc), inverse)} : {O} to vector<64xbf16>')} : vector<64xbf16> to {P}")
    row = add(arith("andi", LANE, const(15)), mul(arith("andi", WARP, const(3)), const(16)))
    chunk, swizzle = arith("shrui", LANE, const(4)), arith("andi", row, const(7))
    for i in range(D // 16):
        half, step = divmod(i, 4)
        place = arith("shli", arith("xori", add(chunk, const(2 * step)), swizzle), const(4))
        address = add(add(q_base, const(half * 64 * 128)), add(mul(row, const(128)), place))
        part = op(f"vector.extract_strided_slice {words} {{offsets = [{4 * i}], sizes = [4], strides = [1]}} : {P} to vector<4xi32>")
        emit(f"sm.stmatrix {part}, {address} : vector<4xi32>")
    emit("sm.fence_proxy")
    emit(f"sm.named_barrier {add(group, const(8))}, {const(128)}")
    emit(f"scf.if {LEADER} {{")
    for half in range(D // 64):
        row = add(mul(row_block, const(BM)), mul(group, const(64)))
        emit(f"sm.tma_store %o[{const(half * 64)}, {row}, {head}, {batch}], {add(q_base, const(half * 64 * 128))} : !sm.tensor_map")
    emit("sm.tma_commit")
    emit("sm.tma_wait {pending = 0 : i64, read}")
    emit("}")


def consumer(row_block, head, batch):
    global LEADER, SCALE
    emit("sm.set_registers increase 240")
    group = arith("subi", GROUP, const(1))
    LEADER = op(f"arith.cmpi eq, {arith('andi', TID, const(127))}, {const(0)} : i32")
    first = op(f"arith.cmpi eq, {group}, {const(0)} : i32")
    emit(f"scf.if {first} {{")
    turn(const(1), " {arrive}")
    emit("}")
    mine, following = add(group, const(1)), add(group, const(1))
    wraps = op(f"arith.cmpi eq, {following}, {const(GROUPS)} : i32")
    next = add(op(f"arith.select {wraps}, {const(0)}, {following} : i32"), const(1))
    SCALE = op(f"vector.broadcast %scale : f32 to {S}")
    q_base = at(0, group, 64 * D * 2)
    q, k, v = descriptor(q_base, DESC_K), descriptor(at(OFF_K), DESC_K), descriptor(at(OFF_V), DESC_V)
    wait(at(BAR_Q), const(0))
    wait(at(BAR_K_FULL, const(0)), const(0))
    s = wait_group(0, scores(q, k, const(0)))
    release(BAR_K_FREE, const(0))
    p, maxima, sums, _ = softmax(s, None, None)
    carried = [const(0), const(0), const(0.0, O), packed(p), *maxima, *sums]
    types = ["i32", "i32", O, P] + ["f32"] * 4
    names = ["%stage", "%phase", "%acc", "%p", "%m0", "%m1", "%l0", "%l1"]
    args = ", ".join(f"{n} = {x}" for n, x in zip(names, carried))
    emit(f"%r:8 = scf.for %i = {const(1)} to %blocks step {const(1)} iter_args({args}) -> ({', '.join(types)}) : i32 {{")
    emit(f"scf.yield {', '.join(step(q, k, v, mine, next, names))} : {', '.join(types)}")
    emit("}")
    wait(at(BAR_V_FULL, "%r#0"), "%r#1")
    acc = values("%r#3", v, "%r#0", "%r#2")
    epilogue(acc, ["%r#6", "%r#7"], group, q_base, row_block, head, batch)


def kernel():
    global BASE, TID, WARP, LANE, GROUP
    BASE, TID, WARP, LANE = op("sm.shared_base"), op("sm.thread_id"), op("sm.warp_id"), op("sm.lane_id")
    cta = op("sm.cta_id")
    GROUP = arith("shrui", WARP, const(2))
    row_block, rest = arith("remui", cta, "%row_blocks"), arith("divui", cta, "%row_blocks")
    head, batch = arith("remui", rest, "%heads"), arith("divui", rest, "%heads")
    kv_head = arith("divui", head, "%group_size")
    setup()
    emit(f"scf.if {op(f'arith.cmpi eq, {GROUP}, {const(0)} : i32')} {{")
    producer(row_block, head, kv_head, batch)
    emit("} else {")
    consumer(row_block, head, batch)
    emit("}")
    emit("return")


kernel()
literal = lambda v, t: f"dense<{v}> : {t}" if t.startswith("vector") else f"{v} : {t}"
print(f"""func.func @attention(%q: !sm.tensor_map, %k: !sm.tensor_map, %v: !sm.tensor_map, %o: !sm.tensor_map,
                     %blocks: i32, %scale: f32, %row_blocks: i32, %heads: i32, %group_size: i32)
    attributes {{tile.num_warps = {4 * (GROUPS + 1)} : i64, tile.shared_bytes = {SHARED} : i64}} {{""")
for (value, type), name in constants.items():
    print(f"    {name} = arith.constant {literal(value, type)}")
print("\n".join(out))
print("}")
