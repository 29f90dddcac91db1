# N of every multiple of 8, K that no wide swizzle fits, few rows, every number of stages.
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=64 block_n=24,40,56,72 block_k=64 stages=2 transpose_b=0,1 aligned=0)
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=64 block_n=64 block_k=48,80 stages=2 transpose_b=0,1 aligned=0)
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=4,8,16 block_n=64 block_k=64 stages=2 transpose_b=0 aligned=0)
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=64 block_n=64 block_k=64 stages=1,2,4 transpose_b=0 aligned=0)
# The same where producers fetch tiles in bulk for consumers.
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=128 block_n=128 block_k=64 stages=1,2,4 transpose_b=0 aligned=1)
add_tile_kernel(gemm DTYPE bf16
  CONFIG block_m=64 block_n=24,72 block_k=64 stages=2 transpose_b=1 aligned=1)

# Query and key blocks of unequal and of small size.
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=64 block_m=64 block_n=128 stages=1 causal=1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=64 block_m=128 block_n=64 stages=3 causal=1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=64 block_m=16 block_n=32 stages=2 causal=1 value_dim=128)

# A mask for each run of rows, in both loops.
add_tile_kernel(paired_forward DTYPE bf16
  CONFIG head_dim=64 block_m=64 block_n=64 stages=2 causal=1)

set(loops ${CMAKE_CURRENT_SOURCE_DIR}/faults/Loops.cpp)
add_tile_kernel(gather_sum SOURCE ${loops} DTYPE f32 CONFIG stages=1,3)
add_tile_kernel(guarded_gemm SOURCE ${loops} DTYPE bf16 CONFIG stages=1,2,3 copy_inside=0,1)
add_tile_kernel(prefix_sum SOURCE ${loops} DTYPE f32 CONFIG stages=1,2)
add_tile_kernel(two_loop_gemm SOURCE ${loops} DTYPE bf16 CONFIG first=2 second=4)
add_tile_kernel(two_loop_gemm SOURCE ${loops} DTYPE bf16 CONFIG first=3 second=1)
add_tile_kernel(overwritten_tile SOURCE ${loops} DTYPE i32 CONFIG stages=1,2)
add_tile_kernel(reused_tile SOURCE ${loops} DTYPE f16 CONFIG stages=1,2)
add_tile_kernel(count_iterations SOURCE ${loops} DTYPE i32 CONFIG stages=2)

set(tiles ${CMAKE_CURRENT_SOURCE_DIR}/faults/Tiles.cpp)
add_tile_kernel(padded_copy SOURCE ${tiles} DTYPE bf16 i32 CONFIG shared=0,1)
foreach(kernel stored_operand chained_gemm)
  add_tile_kernel(${kernel} SOURCE ${tiles} DTYPE bf16)
endforeach()
foreach(kernel both_maxima row_absmax)
  add_tile_kernel(${kernel} SOURCE ${tiles} DTYPE f32)
endforeach()
foreach(kernel conditions diagonal)
  add_tile_kernel(${kernel} SOURCE ${tiles} DTYPE i32)
endforeach()
