//===- Verify.cpp - which fragment layouts are well formed -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/FragmentLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace tilec;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::Twine;

using Problem = std::optional<std::string>;

static constexpr int64_t kMaxExtent = int64_t(1)
                                      << 20; // of the atom along one axis, and of a digit
static constexpr int64_t kMaxRegisters = int64_t(1) << 20;
static constexpr int64_t kMaxWarps = 32;

/// `moved[d]`: the bits of coordinate d that a vector seen so far moves.
static Problem verifyBasis(const char *name, ArrayRef<Coord> basis, MutableArrayRef<int64_t> moved,
                           bool mayCopy) {
  for (auto [index, vector] : llvm::enumerate(basis)) {
    auto problem = [&, i = index](const Twine &text) {
      return (Twine(name) + "[" + Twine(i) + "] " + text).str();
    };
    if (vector.size() != moved.size())
      return problem("has " + Twine(vector.size()) + " coordinates, expected " +
                     Twine(moved.size()));
    int axes = 0;
    for (auto [bits, step] : llvm::zip(moved, vector)) {
      if (step == 0)
        continue;
      if (step < 0 || step > kMaxExtent || !llvm::isPowerOf2_64(step))
        return problem("has the step " + Twine(step) + ", expected 0 or a power of two");
      if (bits & step)
        return problem("repeats the step " + Twine(step) +
                       " of another vector; write a zero vector for a copy");
      bits |= step;
      ++axes;
    }
    if (axes > 1)
      return problem("moves along " + Twine(axes) + " axes, expected one");
    if (axes == 0 && !mayCopy)
      return problem("is zero; registers hold no copies, leave the vector out");
  }
  return std::nullopt;
}

static Problem verifyDigits(const char *name, ArrayRef<Digit> digits, int rank, bool mayCopy) {
  for (auto [index, digit] : llvm::enumerate(digits)) {
    auto problem = [&, i = index](const Twine &text) {
      return (Twine(name) + "[" + Twine(i) + "] " + text).str();
    };
    if (digit.dim < (mayCopy ? -1 : 0) || digit.dim >= rank)
      return problem("runs along axis " + Twine(digit.dim) + ", expected " +
                     (mayCopy ? "-1" : "0") + " to " + Twine(rank - 1));
    if (digit.count < 2 || digit.count > kMaxExtent)
      return problem("has the count " + Twine(digit.count) + ", expected 2 to " +
                     Twine(kMaxExtent) + " (a count of 1 is left out)");
    if (index > 0 && digits[index - 1].dim == digit.dim)
      return problem(
          "runs along the same axis as the digit before it; write one digit with the product");
  }
  return std::nullopt;
}

/// The product of 2^bits and the counts if it is at most `limit`.
static Problem verifyTotal(const char *what, size_t bits, ArrayRef<Digit> digits, int64_t limit) {
  int64_t total = bits < 20 ? int64_t(1) << bits : limit + 1;
  for (const Digit &digit : digits)
    total = std::min(total, limit + 1) * digit.count;
  if (total > limit)
    return (Twine("has more than ") + Twine(limit) + " " + what).str();
  return std::nullopt;
}

Problem FragmentLayout::verify() const {
  if (lane.size() != 5)
    return ("lane has " + Twine(lane.size()) + " vectors, expected 5").str();
  if (!warp.empty() && warp.size() != 2)
    return ("warp has " + Twine(warp.size()) + " vectors, expected none or 2").str();
  Coord moved(rank, 0);
  if (Problem problem = verifyBasis("reg", reg, moved, /*mayCopy=*/false))
    return problem;
  if (Problem problem = verifyBasis("lane", lane, moved, /*mayCopy=*/true))
    return problem;
  if (Problem problem = verifyBasis("warp", warp, moved, /*mayCopy=*/true))
    return problem;
  for (auto [axis, bits] : llvm::enumerate(moved))
    if (!llvm::isPowerOf2_64(bits + 1))
      return ("no vector moves by " + Twine(int64_t(1) << llvm::countr_one<uint64_t>(bits)) +
              " along axis " + Twine(axis) + ", but one moves by " +
              Twine(llvm::bit_floor<uint64_t>(bits)))
          .str();
  if (Problem problem = verifyDigits("repeat", repeat, rank, /*mayCopy=*/false))
    return problem;
  if (Problem problem = verifyDigits("warps", warps, rank, /*mayCopy=*/true))
    return problem;
  if (Problem problem = verifyTotal("registers", reg.size(), repeat, kMaxRegisters))
    return problem;
  return verifyTotal("warps", warp.size(), warps, kMaxWarps);
}
