//===- Example.h - a kernel's tables for the launch tests -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_TEST_RUNTIME_EXAMPLE_H
#define TILE_TEST_RUNTIME_EXAMPLE_H

#include "tile/KernelInfo.h"

#include <vector>

namespace example {

/// attend(q[batch, q_len, 64] bf16, index[batch, ceildiv(q_len, 16)] i32, o = q's shape in f32,
/// work[splits * 4] f32, scale f32 > 0, splits): one thread block per 16 queries and batch entry.
inline constexpr const char *dims[] = {"batch", "q_len", "splits"};
inline constexpr tile::FactInfo facts[] = {{"q_len", 8}};
inline constexpr const char *qExtents[] = {"batch", "q_len", "64"};
inline constexpr const char *indexExtents[] = {"batch", "ceildiv(q_len, 16)"};
inline constexpr const char *workExtents[] = {"splits * 4"};
inline constexpr const char *grid[] = {"ceildiv(q_len, 16)", "batch"};
inline constexpr auto tensorKind = tile::ParamInfo::Kind::tensor;
inline constexpr tile::ParamInfo params[] = {
    {.name = "q",
     .kind = tensorKind,
     .dtype = tile::DType::bf16,
     .extents = qExtents,
     .aligned = true},
    {.name = "index", .kind = tensorKind, .dtype = tile::DType::i32, .extents = indexExtents},
    {.name = "o",
     .kind = tensorKind,
     .dtype = tile::DType::f32,
     .access = tile::Access::out,
     .extents = qExtents},
    {.name = "work",
     .kind = tensorKind,
     .dtype = tile::DType::f32,
     .access = tile::Access::workspace,
     .extents = workExtents},
    {.name = "scale",
     .kind = tile::ParamInfo::Kind::scalar,
     .dtype = tile::DType::f32,
     .positive = true},
};

inline tile::KernelInfo info(tile::HostFunction host = nullptr) {
  return {.symbol = "attend__f32",
          .source = "attend",
          .dims = dims,
          .facts = facts,
          .params = params,
          .grid = grid,
          .host = host};
}

/// Correct arguments, to be spoilt by a test.
struct Arguments {
  explicit Arguments(int64_t batch = 2, int64_t qLen = 40, int64_t splits = 3)
      : blocks((qLen + 15) / 16), splits(splits),
        memory(*tile::Buffer::allocate(tile::Device::host, 1 << 22)),
        q(at(0), tile::DType::bf16, {batch, qLen, 64}, tile::Device::host),
        index(at(1), tile::DType::i32, {batch, blocks}, tile::Device::host),
        o(at(2), tile::DType::f32, {batch, qLen, 64}, tile::Device::host),
        work(at(3), tile::DType::f32, {splits * 4}, tile::Device::host) {}

  void *at(int slot) const { return static_cast<char *>(memory.data()) + slot * (1 << 20); }

  std::vector<tile::Arg> list() const {
    return {q,
            index,
            o,
            work,
            tile::Arg::real(tile::DType::f32, scale),
            tile::Arg::integer(tile::DType::i64, splits)};
  }

  int64_t blocks, splits;
  tile::Buffer memory;
  tile::Tensor q, index, o, work;
  double scale = 0.5;
};

} // namespace example

#endif // TILE_TEST_RUNTIME_EXAMPLE_H
