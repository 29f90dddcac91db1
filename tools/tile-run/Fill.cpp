//===- Fill.cpp - random content of tensors -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Fill.h"

#include <cmath>
#include <numbers>
#include <random>

using tile::DType;
using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
/// The engine is the standard's, the distributions are ours: the standard's differ by library.
class Random {
public:
  Random(uint64_t seed, uint64_t stream) {
    std::seed_seq sequence{seed & 0xffffffff, seed >> 32, stream};
    engine.seed(sequence);
  }

  /// In (0, 1].
  double unit() { return static_cast<double>((engine() >> 11) + 1) * 0x1p-53; }

  double normal() {
    double radius = std::sqrt(-2 * std::log(unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }

  /// Both ends included. The bias of the remainder is below 2^-32 for ranges of 32 bits.
  int64_t integer(int64_t low, int64_t high) {
    uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    uint64_t drawn = span == 0 ? engine() : engine() % span;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + drawn);
  }

private:
  std::mt19937_64 engine;
};

double draw(Random &random, const InputSpec &spec, DType dtype) {
  if (tile::isFloat(dtype) && spec.range)
    return static_cast<double>(spec.range->first) +
           random.unit() * static_cast<double>(spec.range->second - spec.range->first);
  if (tile::isFloat(dtype))
    return random.normal();
  auto [low, high] = spec.range.value_or(std::pair<int64_t, int64_t>(0, 1));
  return static_cast<double>(random.integer(low, high));
}
} // namespace

Result<std::vector<char>> randomElements(const InputSpec &spec, DType dtype, int64_t count,
                                         uint64_t stream) {
  if (!tile::isFloat(dtype) && dtype != DType::i1 && !spec.range)
    return Status::error("expected random:lo..hi for elements of type " +
                         std::string(tile::name(dtype)) + ", found random without a range");
  Random random(spec.seed, stream);
  size_t bytes = static_cast<size_t>(tile::byteSize(dtype));
  std::vector<char> elements(static_cast<size_t>(count) * bytes);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i)
    tile::writeElement(dtype, elements.data() + i * bytes, draw(random, spec, dtype));
  return elements;
}

} // namespace tilerun
