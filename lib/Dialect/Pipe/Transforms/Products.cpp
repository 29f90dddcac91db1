//===- Products.cpp - products in flight in a rotated loop --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Products.h"

using namespace mlir;
using namespace tilec;

/// The accumulator of a product: of one in flight that goes on with it alone, the registers are not
/// waited for.
static Value accumulatorOf(OpBuilder &builder, tile::GemmOp gemm, Flying &flying,
                           IRMapping &mapping) {
  Value acc = gemm.getAcc();
  auto *before = llvm::find_if(flying, [&](auto &entry) { return entry.first.getResult() == acc; });
  if (before == flying.end())
    return mapping.lookupOrDefault(acc);
  if (!acc.hasOneUse()) {
    awaitProducts(builder, flying, mapping, 0);
    flying.clear();
    return mapping.lookup(acc);
  }
  Value inFlight = before->second;
  flying.erase(before);
  return inFlight;
}

Flying tilec::issueProducts(OpBuilder &builder, const OpList &ops, IRMapping &mapping) {
  Flying flying;
  for (Operation *op : ops) {
    auto gemm = dyn_cast<tile::GemmOp>(op);
    if (!gemm) {
      builder.clone(*op, mapping);
      continue;
    }
    auto type = pipe::InflightType::get(builder.getContext(), gemm.getType());
    Value value = pipe::MmaOp::create(
        builder, gemm.getLoc(), type, mapping.lookupOrDefault(gemm.getA()),
        mapping.lookupOrDefault(gemm.getB()), accumulatorOf(builder, gemm, flying, mapping),
        gemm.getTransposeAAttr(), gemm.getTransposeBAttr());
    flying.emplace_back(gemm, value);
  }
  return flying;
}

void tilec::awaitProducts(OpBuilder &builder, const Flying &flying, IRMapping &mapping,
                          int64_t younger) {
  int64_t pending = younger + flying.size();
  for (auto [gemm, value] : flying) {
    Value done = pipe::MmaWaitOp::create(builder, gemm.getLoc(), gemm.getType(), value,
                                         builder.getI64IntegerAttr(--pending));
    mapping.map(gemm.getResult(), done);
  }
}
