# Every field of the kernel's Config, in its order. block_m x block_n is the block size of the lists.
add_tile_kernel(block_sparse_forward DTYPE bf16 f16
  CONFIG head_dim=128 block_m=128 block_n=128 stages=2 causal=0,1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16 f16
  CONFIG head_dim=64 block_m=128 block_n=128 stages=2 causal=0,1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=64,128 block_m=64 block_n=64 stages=2 causal=0,1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=256 block_m=64 block_n=64 stages=2 causal=0,1 value_dim=0)
add_tile_kernel(block_sparse_forward DTYPE bf16
  CONFIG head_dim=192 block_m=128 block_n=128 stages=2 causal=1 value_dim=128)
# Two blocks of queries, or two heads, in a tile. Under a causal mask lists of neighbours are of unequal
# lengths, and single blocks were faster.
add_tile_kernel(paired_forward DTYPE bf16
  CONFIG head_dim=64,128 block_m=64 block_n=64 stages=2 causal=0)
add_tile_kernel(group_forward DTYPE bf16
  CONFIG head_dim=64,128 block_m=64 block_n=64 stages=2 causal=0,1)

# Every key: tiles of queries and keys as they are fastest, not a part of the interface.
add_tile_kernel(dense_forward DTYPE bf16 f16
  CONFIG head_dim=64 block_m=192 block_n=128 stages=2 causal=0,1)
add_tile_kernel(dense_forward DTYPE bf16 f16
  CONFIG head_dim=128 block_m=128 block_n=128 stages=2 causal=0,1)
add_tile_kernel(dense_forward DTYPE bf16
  CONFIG head_dim=256 block_m=128 block_n=64 stages=2 causal=0,1)
