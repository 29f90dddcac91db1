//===- Facts.cpp - what is known of a window before the launch --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tilec/Analysis/AxisDivisibility.h"

#include <numeric>

using namespace mlir;
using tilec::Divisibility;
using namespace tilec::to_sm;

/// Largest power of two, at most 16, that divides `value` (0 is divided by everything).
static int64_t powerOfTwoDivisor(int64_t value) {
  int64_t divisor = 16;
  while (value % divisor != 0)
    divisor /= 2;
  return divisor;
}

static WindowFacts factsOf(tile::WindowOp window, const Divisibility &divisibility) {
  WindowFacts facts;
  auto global = cast<tile::GlobalType>(window.getSource().getType());
  int64_t last = static_cast<int64_t>(global.getShape().size()) - 1;
  int64_t bytes = storageBytes(global.getElementType());
  facts.alignment = bytes;
  auto axis = llvm::find(window.getDims(), last);
  if (axis == window.getDims().end())
    return facts;
  facts.contiguousAxis = axis - window.getDims().begin();
  int64_t offset = divisibility.of(window.getOffsets()[last]);
  if (divisibility.isAligned(window.getSource()))
    facts.alignment = std::max(bytes, powerOfTwoDivisor(offset * bytes));
  int64_t bound = std::gcd(offset, divisibility.ofExtent(window.getSource(), last));
  bound = std::gcd(bound, window.getType().getShape()[facts.contiguousAxis]);
  if (!window.getLimits().empty())
    bound = std::gcd(bound, divisibility.of(window.getLimits()[facts.contiguousAxis]));
  facts.boundMultiple = powerOfTwoDivisor(bound);
  return facts;
}

void tilec::to_sm::collectWindowFacts(tile::KernelOp kernel, KernelState &state) {
  Divisibility divisibility(kernel);
  kernel.walk([&](tile::WindowOp window) {
    WindowFacts facts = factsOf(window, divisibility);
    for (Operation *user : window->getUsers())
      state.facts[user] = facts;
  });
}
