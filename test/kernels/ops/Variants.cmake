set(ops ${CMAKE_CURRENT_SOURCE_DIR}/ops)

add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE f32 f16 bf16 CONFIG to=3,4 saturate=0,1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e4m3 e5m2 CONFIG to=0,1,2 saturate=1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e4m3 CONFIG to=4 saturate=0,1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e5m2 CONFIG to=3 saturate=0,1)
add_tile_kernel(cast_scalars SOURCE ${ops}/Cast.cpp DTYPE e4m3 e5m2)

add_tile_kernel(float_pairs SOURCE ${ops}/Elements.cpp DTYPE f32)
add_tile_kernel(reduce_tile SOURCE ${ops}/Elements.cpp DTYPE f32 i32 CONFIG axis=0,1 rows=20 cols=100 warps=4)
add_tile_kernel(transposed_difference SOURCE ${ops}/Elements.cpp DTYPE i32 i8)

add_tile_kernel(apply_function SOURCE ${ops}/Functions.cpp DTYPE f32 CONFIG function=0,1,2,3,4,5,6,7,8,9)

# wgmma and mma.sync; swizzles of 128, 64 and 32 bytes; both operands in shared memory, or a in registers.
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2
  CONFIG block_m=64 block_n=72 block_k=128 mixed=0,1 registers=0,1)
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3
  CONFIG block_m=128 block_n=24 block_k=32,64 mixed=1 registers=0,1)
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2
  CONFIG block_m=16 block_n=40 block_k=64 mixed=0,1 registers=0,1)
add_tile_kernel(chained_gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2 CONFIG block_m=16,64,128)

# Runs that are whole warpgroups, parts of one, several in one, and neither; both orders of b.
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16
  CONFIG rows=128 groups=2 cols=64 depth=64 columns_last=0,1 registers=0,1 warps=0)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE f16
  CONFIG rows=128 groups=2 cols=48 depth=80 columns_last=0,1 registers=0 warps=4)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16
  CONFIG rows=128 groups=2 cols=64 depth=32 columns_last=0,1 registers=0 warps=16)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16
  CONFIG rows=256 groups=2,4 cols=64 depth=64 columns_last=0,1 registers=0 warps=0)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16
  CONFIG rows=384 groups=2 cols=32 depth=128 columns_last=0,1 registers=0 warps=0)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16
  CONFIG rows=128 groups=1 cols=24 depth=32 columns_last=0 registers=0 warps=0)
add_tile_kernel(grouped_product SOURCE ${ops}/GroupedGemm.cpp DTYPE e4m3
  CONFIG rows=128 groups=2 cols=40 depth=64 columns_last=0 registers=0,1 warps=0)
add_tile_kernel(grouped_part SOURCE ${ops}/GroupedGemm.cpp DTYPE bf16 CONFIG taken=2,4 cols=32 depth=64)

add_tile_kernel(integer_pairs SOURCE ${ops}/Bits.cpp DTYPE i32 i8)
add_tile_kernel(integer_scalars SOURCE ${ops}/Bits.cpp DTYPE i64)
add_tile_kernel(flip_sign SOURCE ${ops}/Bits.cpp DTYPE f32 bf16)
add_tile_kernel(unpack_mask SOURCE ${ops}/Bits.cpp DTYPE i32)

foreach(kernel collatz lower_bounds halve_rows checked_copy)
  add_tile_kernel(${kernel} SOURCE ${ops}/Control.cpp DTYPE i32)
endforeach()
add_tile_kernel(number_ctas SOURCE ${ops}/Control.cpp DTYPE i32 CONFIG order=1,2,3,4)
add_tile_kernel(sum_listed SOURCE ${ops}/Control.cpp DTYPE i32 CONFIG ctas_per_sm=4)
add_tile_kernel(listed_products SOURCE ${ops}/Control.cpp DTYPE bf16 CONFIG ctas_per_sm=1)
add_tile_kernel(counted_products SOURCE ${ops}/Control.cpp DTYPE bf16 CONFIG ctas_per_sm=1,2 adds=0)
add_tile_kernel(counted_products SOURCE ${ops}/Control.cpp DTYPE bf16 CONFIG ctas_per_sm=1 adds=1)
add_tile_kernel(printed_copy SOURCE ${ops}/Control.cpp DTYPE bf16)

foreach(axis 0 1)
  add_tile_kernel(scan_tile SOURCE ${ops}/Scan.cpp DTYPE i32
    CONFIG axis=${axis} max=0,1 exclusive=0,1 reverse=0,1 rows=20 cols=100 warps=4)
  add_tile_kernel(scan_tile SOURCE ${ops}/Scan.cpp DTYPE f32 i64
    CONFIG axis=${axis} max=0,1 exclusive=1 reverse=${axis} rows=33 cols=64 warps=2)
  add_tile_kernel(argmax_tile SOURCE ${ops}/Scan.cpp DTYPE f32 i32
    CONFIG axis=${axis} rows=20 cols=100 warps=4)
endforeach()
add_tile_kernel(argmax_tile SOURCE ${ops}/Scan.cpp DTYPE f32 CONFIG axis=1 rows=1 cols=1000 warps=8)
add_tile_kernel(pack_positions SOURCE ${ops}/Scan.cpp DTYPE i32 f32 CONFIG length=1,31,1000 warps=4)
add_tile_kernel(pack_positions SOURCE ${ops}/Scan.cpp DTYPE i32 CONFIG length=4096 warps=16)

add_tile_kernel(atomic_window SOURCE ${ops}/Atomic.cpp DTYPE f32 CONFIG kind=0,1,2,3)
add_tile_kernel(atomic_shared SOURCE ${ops}/Atomic.cpp DTYPE f32 CONFIG kind=0,1,2,3)
add_tile_kernel(atomic_window SOURCE ${ops}/Atomic.cpp DTYPE i32 i64 CONFIG kind=0,1,2,3,4,5)
add_tile_kernel(atomic_shared SOURCE ${ops}/Atomic.cpp DTYPE i32 i64 CONFIG kind=0,1,2,3,4,5)
add_tile_kernel(column_sums SOURCE ${ops}/Atomic.cpp DTYPE i32 CONFIG kind=0)
add_tile_kernel(append SOURCE ${ops}/Atomic.cpp DTYPE i32 CONFIG kind=0)
add_tile_kernel(atomic_elements SOURCE ${ops}/Atomic.cpp DTYPE i32 i64 CONFIG kind=0)
add_tile_kernel(read_then_add SOURCE ${ops}/Atomic.cpp DTYPE i32 CONFIG stages=1,3)

# Rows of any length and of a known one, through registers and through shared memory.
add_tile_kernel(gather_rows SOURCE ${ops}/Gather.cpp DTYPE f32 bf16 i8
  CONFIG shared=0,1 wide=0 pad=99 cols=0)
add_tile_kernel(gather_rows SOURCE ${ops}/Gather.cpp DTYPE bf16 i8 CONFIG shared=1 wide=0 pad=0 cols=0,96)
add_tile_kernel(gather_rows SOURCE ${ops}/Gather.cpp DTYPE bf16 CONFIG shared=0,1 wide=1 pad=99 cols=96)
add_tile_kernel(gather_heads SOURCE ${ops}/Gather.cpp DTYPE bf16 CONFIG shared=0,1)
add_tile_kernel(gather_elements SOURCE ${ops}/Gather.cpp DTYPE f32 bf16 CONFIG axis=0,1)
add_tile_kernel(scatter_rows SOURCE ${ops}/Gather.cpp DTYPE f32 bf16 i8
  CONFIG shared=0 wide=0 pad=0 cols=0,96)
add_tile_kernel(scatter_rows SOURCE ${ops}/Gather.cpp DTYPE bf16 CONFIG shared=0 wide=1 pad=0 cols=96)
add_tile_kernel(scatter_elements SOURCE ${ops}/Gather.cpp DTYPE f32 bf16 CONFIG axis=0,1)
add_tile_kernel(scatter_product SOURCE ${ops}/Gather.cpp DTYPE bf16)
add_tile_kernel(shared_table SOURCE ${ops}/Gather.cpp DTYPE f32 bf16)
add_tile_kernel(permute_line SOURCE ${ops}/Gather.cpp DTYPE f32 i64 CONFIG shared=0,1)

# Factors in bits of the pattern, across it, and such that fit none.
add_tile_kernel(exchange_factors SOURCE ${ops}/Axes.cpp DTYPE f32 CONFIG outer=2 inner=8)
add_tile_kernel(exchange_factors SOURCE ${ops}/Axes.cpp DTYPE i8 CONFIG outer=16 inner=4)
add_tile_kernel(exchange_factors SOURCE ${ops}/Axes.cpp DTYPE f32 CONFIG outer=3 inner=5)
add_tile_kernel(exchange_factors SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG outer=4 inner=6)
add_tile_kernel(reverse_axis SOURCE ${ops}/Axes.cpp DTYPE f32 i8 CONFIG outer=1 inner=3,4)
# A query's heads in lanes, in registers, in warps; on wgmma and on mma.sync.
add_tile_kernel(packed_scores SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG queries=32 heads=4 dim=64 keys=64)
add_tile_kernel(packed_scores SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG queries=8 heads=16 dim=64 keys=64)
add_tile_kernel(packed_scores SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG queries=2 heads=64 dim=128 keys=32)
add_tile_kernel(packed_scores SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG queries=3 heads=8 dim=64 keys=64)
# Parts of operands on wgmma and on mma.sync, in slabs of several widths.
add_tile_kernel(paged_gemm SOURCE ${ops}/Axes.cpp DTYPE bf16
  CONFIG rows=128 part=32 depth=128 step=16 pages=8)
add_tile_kernel(paged_gemm SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG rows=48 part=24 depth=48 step=16 pages=16)
add_tile_kernel(stepped_gemm SOURCE ${ops}/Axes.cpp DTYPE bf16
  CONFIG rows=128 part=16,64 depth=128 step=16 pages=1)
add_tile_kernel(stepped_gemm SOURCE ${ops}/Axes.cpp DTYPE bf16 CONFIG rows=48 part=24 depth=48 step=16 pages=1)
add_tile_kernel(double_part SOURCE ${ops}/Axes.cpp DTYPE f32 CONFIG rows=40 part=17 depth=36 step=8 pages=1)
add_tile_kernel(double_part SOURCE ${ops}/Axes.cpp DTYPE bf16
  CONFIG rows=40 part=24 depth=32,128 step=31 pages=1)

# Groups of a row repeated along their columns: in lanes, in registers, across warps.
add_tile_kernel(center_groups SOURCE ${ops}/Axes.cpp DTYPE f32 CONFIG rows=16 groups=14 size=32)
add_tile_kernel(center_groups SOURCE ${ops}/Axes.cpp DTYPE f32 CONFIG rows=1 groups=224 size=32)
add_tile_kernel(center_groups SOURCE ${ops}/Axes.cpp DTYPE i32 CONFIG rows=16 groups=6 size=5)

# Parts of shared tiles with rows of a swizzle and of none, from odd columns on and from aligned ones.
add_tile_kernel(gather_part SOURCE ${ops}/Parts.cpp DTYPE f32 CONFIG cols=32 unit=1)
add_tile_kernel(gather_part SOURCE ${ops}/Parts.cpp DTYPE bf16 CONFIG cols=128 unit=8)
add_tile_kernel(gather_part SOURCE ${ops}/Parts.cpp DTYPE i8 CONFIG cols=40 unit=1)
add_tile_kernel(atomic_part SOURCE ${ops}/Parts.cpp DTYPE i32)
# Rows of slabs of 128 bytes, and of no swizzle.
add_tile_kernel(part_window SOURCE ${ops}/Parts.cpp DTYPE f32 CONFIG cols=64 unit=1)
add_tile_kernel(part_window SOURCE ${ops}/Parts.cpp DTYPE f32 CONFIG cols=20 unit=1)

add_tile_kernel(attention8 SOURCE ${ops}/Attention8.cpp DTYPE e4m3 CONFIG rows=64 keys=64)
add_tile_kernel(attention8 SOURCE ${ops}/Attention8.cpp DTYPE e5m2 CONFIG rows=16 keys=32)

# Those of the first that spill no registers; FuzzTests has more, in the interpreter.
add_tile_kernel(random_program SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/../unit/Fuzz/Program.cpp DTYPE i32
  CONFIG seed=1,2,3,4,5,6,8,9,10,11,12,13,14,15,16,17,18,19,20,21 statements=10 dropped=0)

add_tile_kernel(far_line SOURCE ${ops}/Far.cpp DTYPE f32 bf16 CONFIG length=64)
add_tile_kernel(far_rows SOURCE ${ops}/Far.cpp DTYPE f32 bf16 CONFIG length=64)
