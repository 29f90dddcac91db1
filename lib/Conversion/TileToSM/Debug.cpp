//===- Debug.cpp - printing and checking ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

#include "tilec/Dialect/Tile/IR/DebugText.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Does something where the condition holds, or always if it is null.
static void when(Emitter e, Value condition, llvm::function_ref<void(Emitter)> body) {
  if (!condition)
    return body(e);
  scf::IfOp::create(e.builder, e.loc, condition, [&](OpBuilder &builder, Location loc) {
    body(Emitter(builder, loc));
    scf::YieldOp::create(builder, loc);
  });
}

/// As `sm.print` takes it; null for an 8-bit float.
static Value promote(Emitter e, Value value) {
  Type type = value.getType(), i32 = e.builder.getI32Type();
  if (isa<Float16Type, BFloat16Type>(type))
    return arith::ExtFOp::create(e.builder, e.loc, e.builder.getF32Type(), value);
  if (isa<FloatType>(type))
    return type.isF32() ? value : Value();
  if (type.isInteger(1))
    return arith::ExtUIOp::create(e.builder, e.loc, i32, value);
  return type.getIntOrFloatBitWidth() < 32
             ? arith::ExtSIOp::create(e.builder, e.loc, i32, value).getOut()
             : value;
}

namespace {
/// The thread that stores an element prints it; of scalars the first thread.
class PrintLowering : public TilePattern<tile::PrintOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    if (isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(op.getValue().getType())))
      return op.emitOpError("expected f32, f16, bf16 or an integer, found ")
             << op.getValue().getType() << "; convert it with tile.cast first";
    std::string format = printFormat(op);
    if (auto tensor = dyn_cast<RankedTensorType>(op.getValue().getType()))
      when(e, isFirstCopy(e, state, layoutOf(tensor)),
           [&](Emitter inner) { printFragment(inner, tensor, adaptor.getValue(), format); });
    else
      when(e, e.compare(arith::CmpIPredicate::eq, state.thread, e.i32(0)),
           [&](Emitter inner) { print(inner, format, {}, adaptor.getValue()); });
    rewriter.eraseOp(op);
    return success();
  }

private:
  void print(Emitter e, StringRef format, ArrayRef<Value> coordinates, Value value) const {
    SmallVector<Value> values(coordinates);
    values.push_back(promote(e, value));
    values.push_back(e.widen(state.cta));
    sm::PrintOp::create(e.builder, e.loc, format, values);
  }

  void printFragment(Emitter e, RankedTensorType type, Value registers, StringRef format) const {
    FragmentLayout layout = layoutOf(type);
    SmallVector<ThreadCoord> thread = threadCoords(e, state, layout);
    Bounds bounds(e, type.getShape(), thread);
    for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
      SmallVector<int64_t> offset = llvm::to_vector(layout.regCoords(reg));
      when(e, bounds.at(offset), [&](Emitter inner) {
        SmallVector<Value> coordinates;
        for (auto [part, constant] : llvm::zip(thread, offset))
          coordinates.push_back(inner.add(part.value, constant));
        Value value = vector::ExtractOp::create(inner.builder, inner.loc, registers, reg);
        print(inner, format, coordinates, value);
      });
    }
  }
};

/// One line per warp that holds an element for which the condition fails.
class CheckLowering : public TilePattern<tile::CheckOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::CheckOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value good = adaptor.getCondition();
    if (auto tensor = dyn_cast<RankedTensorType>(op.getCondition().getType()))
      good = allElements(e, tensor, good);
    Value all =
        sm::VoteOp::create(rewriter, op.getLoc(), rewriter.getI1Type(), sm::VoteMode::All, good);
    std::string text = checkText(op);
    when(e, e.bitXor(all, 1), [&](Emitter failed) {
      Value first = failed.compare(arith::CmpIPredicate::eq, state.lane, failed.i32(0));
      when(failed, first, [&](Emitter inner) {
        sm::PrintOp::create(inner.builder, inner.loc, escapeFormat(text) + " (CTA %lld)\n",
                            inner.widen(state.cta));
      });
      sm::TrapOp::create(failed.builder, failed.loc, text);
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Whether the condition holds for all elements of this thread.
  Value allElements(Emitter e, RankedTensorType type, Value registers) const {
    FragmentLayout layout = layoutOf(type);
    Bounds bounds(e, type.getShape(), threadCoords(e, state, layout));
    Value all = e.constant(e.builder.getI1Type(), 1);
    for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
      Value good = vector::ExtractOp::create(e.builder, e.loc, registers, reg);
      if (Value inside = bounds.at(llvm::to_vector(layout.regCoords(reg))))
        good = e.bitOr(good, e.bitXor(inside, 1));
      all = e.bitAnd(all, good);
    }
    return all;
  }
};
} // namespace

void tilec::to_sm::populateDebugPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         KernelState &state) {
  patterns.add<PrintLowering, CheckLowering>(types, patterns.getContext(), state);
}
