//===- Facts.cpp - what is known of a window before the launch --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Divisibility of offsets and extents, from constants, loop steps and the launch facts. It decides
// between 16-byte accesses and a run-time test.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace tilec::to_sm;

namespace {
/// Numbers that divide values of one kernel; 0 is divided by everything.
class Divisibility {
public:
  explicit Divisibility(tile::KernelOp kernel);

  int64_t of(Value value, int depth = 0) const;
  /// Of extent `axis` of a tensor parameter.
  int64_t ofExtent(Value tensor, int64_t axis) const;
  /// True if the launcher checked that the tensor and its strides are multiples of 16 bytes.
  bool isAligned(Value tensor) const;

private:
  int64_t ofOperation(Operation *op, int depth) const;
  int64_t ofDim(StringRef name) const;
  DictionaryAttr parameter(Value tensor) const;

  mutable tile::KernelOp kernel; // accessors of operations are not const
  llvm::StringMap<int64_t> dimMultiples;
};
} // namespace

Divisibility::Divisibility(tile::KernelOp kernel) : kernel(kernel) {
  DictionaryAttr launch = kernel.getLaunch();
  auto facts = launch ? launch.getAs<ArrayAttr>("facts") : ArrayAttr();
  if (!facts)
    return;
  for (auto fact : facts.getAsRange<DictionaryAttr>()) {
    auto dim = fact.getAs<StringAttr>("dim");
    auto multiple = fact.getAs<IntegerAttr>("multiple_of");
    if (dim && multiple)
      dimMultiples[dim.getValue()] = multiple.getInt();
  }
}

int64_t Divisibility::ofDim(StringRef name) const {
  auto found = dimMultiples.find(name);
  return found == dimMultiples.end() ? 1 : found->second;
}

DictionaryAttr Divisibility::parameter(Value tensor) const {
  auto argument = dyn_cast<BlockArgument>(tensor);
  DictionaryAttr launch = kernel.getLaunch();
  auto params = launch ? launch.getAs<ArrayAttr>("params") : ArrayAttr();
  if (!argument || argument.getOwner() != &kernel.getBody().front() || !params ||
      argument.getArgNumber() >= params.size())
    return {};
  return dyn_cast<DictionaryAttr>(params[argument.getArgNumber()]);
}

bool Divisibility::isAligned(Value tensor) const {
  DictionaryAttr description = parameter(tensor);
  return description && description.contains("aligned");
}

int64_t Divisibility::ofExtent(Value tensor, int64_t axis) const {
  int64_t extent = cast<tile::GlobalType>(tensor.getType()).getShape()[axis];
  if (!ShapedType::isDynamic(extent))
    return extent;
  DictionaryAttr description = parameter(tensor);
  auto extents = description ? description.getAs<ArrayAttr>("extents") : ArrayAttr();
  if (!extents || axis >= static_cast<int64_t>(extents.size()))
    return 1;
  auto name = dyn_cast<StringAttr>(extents[axis]);
  return name ? ofDim(name.getValue()) : 1;
}

int64_t Divisibility::of(Value value, int depth) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::abs(constant.getSExtValue());
  if (depth > 8)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value)
      return 1;
    return std::gcd(of(loop.getLowerBound(), depth + 1), of(loop.getStep(), depth + 1));
  }
  return ofOperation(value.getDefiningOp(), depth + 1);
}

int64_t Divisibility::ofOperation(Operation *op, int depth) const {
  auto common = [&](Value a, Value b) { return std::gcd(of(a, depth), of(b, depth)); };
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::MulIOp mul) {
        // Only small factors matter; the bound keeps the product from overflowing.
        int64_t a = of(mul.getLhs(), depth), b = of(mul.getRhs(), depth);
        return std::gcd(a, int64_t(1) << 20) * std::gcd(b, int64_t(1) << 20);
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
          [&](auto binary) { return common(binary.getLhs(), binary.getRhs()); })
      .Case([&](arith::SelectOp select) {
        return common(select.getTrueValue(), select.getFalseValue());
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp>([&](auto cast) { return of(cast.getIn(), depth); })
      .Case([&](tile::DimOp dim) { return ofDim(dim.getName()); })
      .Default([](Operation *) { return int64_t(1); });
}

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
