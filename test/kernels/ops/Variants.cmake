set(ops ${CMAKE_CURRENT_SOURCE_DIR}/ops)

add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE f32 f16 bf16 CONFIG to=3,4 saturate=0,1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e4m3 e5m2 CONFIG to=0,1,2 saturate=1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e4m3 CONFIG to=4 saturate=0,1)
add_tile_kernel(cast_elements SOURCE ${ops}/Cast.cpp DTYPE e5m2 CONFIG to=3 saturate=0,1)
add_tile_kernel(cast_scalars SOURCE ${ops}/Cast.cpp DTYPE e4m3 e5m2)

add_tile_kernel(apply_function SOURCE ${ops}/Functions.cpp DTYPE f32 CONFIG function=0,1,2,3,4,5,6,7,8,9)

# wgmma and mma.sync; swizzles of 128, 64 and 32 bytes; both operands in shared memory, or a in registers.
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2
  CONFIG block_m=64 block_n=72 block_k=128 mixed=0,1 registers=0,1)
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3
  CONFIG block_m=128 block_n=24 block_k=32,64 mixed=1 registers=0,1)
add_tile_kernel(gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2
  CONFIG block_m=16 block_n=40 block_k=64 mixed=0,1 registers=0,1)
add_tile_kernel(chained_gemm8 SOURCE ${ops}/Gemm8.cpp DTYPE e4m3 e5m2 CONFIG block_m=16,64,128)

add_tile_kernel(integer_pairs SOURCE ${ops}/Bits.cpp DTYPE i32 i8 i16 i64)
add_tile_kernel(integer_scalars SOURCE ${ops}/Bits.cpp DTYPE i64)
add_tile_kernel(flip_sign SOURCE ${ops}/Bits.cpp DTYPE f32 f16 bf16 e4m3 e5m2)
add_tile_kernel(unpack_mask SOURCE ${ops}/Bits.cpp DTYPE i32)

foreach(kernel collatz lower_bounds halve_rows checked_copy)
  add_tile_kernel(${kernel} SOURCE ${ops}/Control.cpp DTYPE i32)
endforeach()
add_tile_kernel(number_ctas SOURCE ${ops}/Control.cpp DTYPE i32 CONFIG order=0,1,2,3,4)
add_tile_kernel(sum_listed SOURCE ${ops}/Control.cpp DTYPE i32 CONFIG ctas_per_sm=1,4)
add_tile_kernel(listed_products SOURCE ${ops}/Control.cpp DTYPE bf16)
add_tile_kernel(printed_copy SOURCE ${ops}/Control.cpp DTYPE f32 bf16 i16 i64)
