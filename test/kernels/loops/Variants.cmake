set(loops ${CMAKE_CURRENT_SOURCE_DIR}/loops)

foreach(kernel capped scaled guarded paged sink)
  add_tile_kernel(${kernel}_attention SOURCE ${loops}/Attention.cpp DTYPE bf16
    CONFIG head_dim=128 block_m=128 block_n=128 stages=2 items=0)
endforeach()
foreach(kernel pair small_pages)
  add_tile_kernel(${kernel}_attention SOURCE ${loops}/Attention.cpp DTYPE bf16
    CONFIG head_dim=128 block_m=128 block_n=64 stages=2 items=0)
endforeach()
# Three tiles of 64 columns fit into a thread's registers beside each other.
add_tile_kernel(query_gradient SOURCE ${loops}/Attention.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=64 stages=2 items=0)
foreach(kernel gathered table short)
  add_tile_kernel(${kernel}_attention SOURCE ${loops}/Gathered.cpp DTYPE bf16
    CONFIG head_dim=128 block_m=128 block_n=64 stages=2 items=0)
endforeach()
add_tile_kernel(item_attention SOURCE ${loops}/Items.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=128 stages=2)
add_tile_kernel(grouped_attention SOURCE ${loops}/Grouped.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=64 block_n=64 stages=2 items=0)
# Persistent grids; with 2 the most expensive first. Listed blocks, two loops, two tiles beside each other outside
# of the loop, rows that the producer's threads copy.
add_tile_kernel(capped_attention SOURCE ${loops}/Attention.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=128 stages=2 items=2)
add_tile_kernel(sink_attention SOURCE ${loops}/Attention.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=128 stages=2 items=1)
add_tile_kernel(query_gradient SOURCE ${loops}/Attention.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=64 stages=2 items=1)
add_tile_kernel(gathered_attention SOURCE ${loops}/Gathered.cpp DTYPE bf16
  CONFIG head_dim=128 block_m=128 block_n=64 stages=2 items=1)
