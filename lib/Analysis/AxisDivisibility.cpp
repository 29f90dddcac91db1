//===- AxisDivisibility.cpp - what divides offsets and extents -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/AxisDivisibility.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace tilec;

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
