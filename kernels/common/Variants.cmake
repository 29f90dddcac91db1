add_tile_kernel(axpy DTYPE f32 f16 bf16 CONFIG block=1024)
add_tile_kernel(copy DTYPE f32 f16 bf16 i32 CONFIG block_rows=32 block_cols=128)
add_tile_kernel(gemm DTYPE bf16 f16
  CONFIG block_m=128 block_n=128 block_k=64 stages=3 transpose_b=0,1 aligned=0)
add_tile_kernel(gemm DTYPE bf16 f16
  CONFIG block_m=128 block_n=256 block_k=64 stages=4 transpose_b=0,1 aligned=1)
# Rows of up to 4096 are read once; many short rows, two at a time.
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=1 block_cols=4096)
add_tile_kernel(softmax DTYPE f32 f16 bf16 CONFIG block_rows=2 block_cols=1024)
