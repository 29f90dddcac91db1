add_tile_kernel(axpy DTYPE f32 f16 bf16 CONFIG block=1024)
add_tile_kernel(copy DTYPE f32 f16 bf16 i32 CONFIG block_rows=32 block_cols=128)
add_tile_kernel(gemm DTYPE bf16 f16
  CONFIG block_m=128 block_n=128 block_k=64 stages=3 transpose_b=0,1 aligned=0)
add_tile_kernel(gemm DTYPE bf16 f16
  CONFIG block_m=128 block_n=256 block_k=64 stages=4 transpose_b=0,1 aligned=1)
add_tile_kernel(gathered_gemm DTYPE bf16 f16
  CONFIG block_m=128 block_n=128 block_k=64 stages=4 aligned=0,1)
add_tile_kernel(gemm DTYPE e4m3 e5m2
  CONFIG block_m=128 block_n=256 block_k=128 stages=4 transpose_b=1 aligned=1)
add_tile_kernel(gemm DTYPE e4m3 e5m2
  CONFIG block_m=128 block_n=128 block_k=128 stages=3 transpose_b=1 aligned=0)
add_tile_kernel(scaled_gemm DTYPE e4m3
  CONFIG block_m=128 block_n=256 block_k=128 stages=4 wide=0,1 aligned=1)
# A row of up to block_cols is read once. 32 elements a thread (16 of short rows), and as many CTAs as then
# have registers: kernels/host/Rows.cpp chooses by the length of the row.
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=32 block_cols=128 warps=8 ctas_per_sm=4)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=16 block_cols=512 warps=8 ctas_per_sm=4)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=4 block_cols=1024 warps=4 ctas_per_sm=8)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=4 block_cols=2048 warps=8 ctas_per_sm=4)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=1 block_cols=4096 warps=4 ctas_per_sm=8)
add_tile_kernel(softmax DTYPE f16 bf16 CONFIG block_rows=1 block_cols=6144 warps=4 ctas_per_sm=6)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=1 block_cols=8192 warps=8 ctas_per_sm=4)
add_tile_kernel(softmax DTYPE f16 bf16 CONFIG block_rows=1 block_cols=12288 warps=8 ctas_per_sm=3)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=1 block_cols=16384 warps=16 ctas_per_sm=2)
add_tile_kernel(softmax DTYPE f32 CONFIG block_rows=1 block_cols=32768 warps=32 ctas_per_sm=1)
# The same in parts. Whether rows start at multiples of 16 bytes is tested at run time, and costs nothing.
add_tile_kernel(quantize_rows DTYPE f32 bf16
  CONFIG block_rows=4 block_cols=1024 parts=4 warps=4 ctas_per_sm=8 aligned=0)
add_tile_kernel(quantize_rows DTYPE f32 bf16
  CONFIG block_rows=1 block_cols=4096 parts=4 warps=4 ctas_per_sm=8 aligned=0)
add_tile_kernel(quantize_rows DTYPE bf16
  CONFIG block_rows=1 block_cols=6144 parts=6 warps=4 ctas_per_sm=6 aligned=0)
add_tile_kernel(quantize_rows DTYPE f32 bf16
  CONFIG block_rows=1 block_cols=8192 parts=4 warps=8 ctas_per_sm=4 aligned=0)
# Weights beside the rows take registers; what is known of alignment saves some. Rows that start at
# multiples of 16 bytes, and any.
add_tile_kernel(layer_norm DTYPE f32
  CONFIG block_rows=2 block_cols=2048 parts=4 warps=4 ctas_per_sm=6 aligned=1)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=2 block_cols=2048 parts=4 warps=4 ctas_per_sm=8 aligned=1)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=4 block_cols=1024 parts=4 warps=4 ctas_per_sm=8 aligned=1,0)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=1 block_cols=4096 parts=4 warps=4 ctas_per_sm=8 aligned=1,0)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=1 block_cols=6144 parts=6 warps=4 ctas_per_sm=7 aligned=1)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=1 block_cols=6144 parts=6 warps=4 ctas_per_sm=6 aligned=0)
add_tile_kernel(layer_norm DTYPE bf16
  CONFIG block_rows=1 block_cols=8192 parts=4 warps=8 ctas_per_sm=4 aligned=1)
add_tile_kernel(layer_norm DTYPE f32
  CONFIG block_rows=4 block_cols=1024 parts=4 warps=4 ctas_per_sm=6 aligned=1,0)
add_tile_kernel(layer_norm DTYPE f32
  CONFIG block_rows=1 block_cols=4096 parts=4 warps=4 ctas_per_sm=6 aligned=1,0)
add_tile_kernel(layer_norm DTYPE f32
  CONFIG block_rows=1 block_cols=8192 parts=4 warps=8 ctas_per_sm=3 aligned=1)
add_tile_kernel(order_by_cost DTYPE i32 CONFIG block=64 step=512)
add_tile_kernel(jagged_copy DTYPE f32
  CONFIG block_rows=128 part_rows=8 block_cols=128 ctas_per_sm=8 warps=4 aligned=0,1)
add_tile_kernel(jagged_copy DTYPE bf16
  CONFIG block_rows=128 part_rows=16 block_cols=128 ctas_per_sm=8 warps=4 aligned=1)
# Rows of a mask of up to `most` key blocks.
add_tile_kernel(block_lists DTYPE i1 i8 CONFIG block_rows=8 most=512 warps=4 ctas_per_sm=8)
add_tile_kernel(block_lists DTYPE i1 i8 CONFIG block_rows=1 most=2048 warps=4 ctas_per_sm=8)
add_tile_kernel(block_lists DTYPE i1 i8 CONFIG block_rows=1 most=8192 warps=8 ctas_per_sm=3)
# Lists of up to `entries` of at most `most` key blocks.
add_tile_kernel(pair_lists DTYPE i32 CONFIG entries=64,256 most=256 warps=2)
add_tile_kernel(pair_lists DTYPE i32 CONFIG entries=256,1024 most=1024 warps=4)
add_tile_kernel(pair_lists DTYPE i32 CONFIG entries=4096 most=4096 warps=8)
add_tile_kernel(histogram DTYPE i32 i8 CONFIG bins=1024 block=4096 ctas=1024 warps=8 ctas_per_sm=5)
add_tile_kernel(merge_splits DTYPE f32
  CONFIG block_rows=16 head_dim=64 together=4 warps=4 ctas_per_sm=7)
add_tile_kernel(merge_splits DTYPE f32
  CONFIG block_rows=8 head_dim=128 together=4 warps=4 ctas_per_sm=8)
add_tile_kernel(merge_splits DTYPE bf16
  CONFIG block_rows=16 head_dim=64 together=4 warps=4 ctas_per_sm=8)
add_tile_kernel(merge_splits DTYPE bf16
  CONFIG block_rows=8 head_dim=128 together=4 warps=4 ctas_per_sm=10)
add_tile_kernel(split_logsumexp DTYPE f32 CONFIG block=1024)
add_tile_kernel(top_k DTYPE f32 CONFIG most=2048 chunk=2048 capacity=8192 part=2048 warps=8 ctas_per_sm=3)
add_tile_kernel(top_k DTYPE f32 CONFIG most=64 chunk=1024 capacity=2048 part=1024 warps=4 ctas_per_sm=4)
add_tile_kernel(rotary DTYPE f32 bf16 CONFIG head_dim=64,128 interleaved=0,1 block_seq=4 block_heads=8)
# Rows of pages that are smaller than a block, and as large.
add_tile_kernel(paged_copy DTYPE f32 bf16 CONFIG page=16,128 dim=128 block=128)
