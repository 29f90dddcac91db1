//===- TileToSM.cpp - convert-tile-to-sm ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToSM.h"
#include "Lowering.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Pass/Pass.h"

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILETOSMPASS
#include "tilec/Conversion/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec::to_sm;

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) -> std::optional<Type> {
    if (isa<RankedTensorType, tile::GlobalType, tile::WindowType, tile::SharedType,
            pipe::ChannelType, pipe::CursorType, pipe::InflightType>(type))
      return std::nullopt;
    return type;
  });
  addConversion([](RankedTensorType type) -> std::optional<Type> {
    if (!isa_and_nonnull<tile::FragAttr>(type.getEncoding()))
      return std::nullopt;
    return VectorType::get({layoutOf(type).numRegs()}, type.getElementType());
  });
  addConversion(
      [](tile::SharedType type) -> Type { return IntegerType::get(type.getContext(), 32); });
  addConversion([](tile::GlobalType type, SmallVectorImpl<Type> &result) {
    result.append(2 * type.getShape().size(), IntegerType::get(type.getContext(), 64));
    return success();
  });
  addConversion([](tile::WindowType type, SmallVectorImpl<Type> &result) {
    size_t rank = type.getShape().size();
    result.append(1 + rank, IntegerType::get(type.getContext(), 64));
    result.append(2 * rank, IntegerType::get(type.getContext(), 32));
    result.append(2 * rank, IntegerType::get(type.getContext(), 64));
    return success();
  });
  addPipeConversions(*this);
}

/// What the patterns take for granted; a failure names the pass that was left out.
static LogicalResult checkLaidOut(tile::KernelOp kernel, const KernelState &state) {
  auto check = [&](Operation *op, Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!isa_and_nonnull<tile::FragAttr>(tensor.getEncoding()))
      return op->emitError() << "expected a fragment with a layout, found " << type
                             << "; run 'tile-assign-layouts' first";
    auto roles = op->getParentOfType<pipe::SpecializeOp>();
    bool produces = roles && roles.getProducer().isAncestor(op->getParentRegion());
    int64_t expected = produces ? state.producerWarps : state.numWarps;
    if (int64_t warps = layoutOf(tensor).numWarps(); warps != expected)
      return op->emitError() << "expected a layout over the " << (produces ? "producer" : "kernel")
                             << "'s " << expected << " warps, found one over " << warps;
    return success();
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op, type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Type type : region.empty() ? TypeRange() : TypeRange(region.getArgumentTypes()))
        if (failed(check(op, type)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Who the thread is, once at the kernel's entry.
static void createIndices(tile::KernelOp kernel, KernelState &state) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  state.thread = sm::ThreadIdOp::create(builder, loc);
  state.lane = sm::LaneIdOp::create(builder, loc);
  state.warp = state.ctaWarp = sm::WarpIdOp::create(builder, loc);
  if (state.pipe.threadsCopy) { // each role's layouts count its own warps
    Emitter e(builder, loc);
    Value consumers = e.i32(state.numWarps);
    Value produces = e.compare(arith::CmpIPredicate::uge, state.ctaWarp, consumers);
    state.warp = e.sub(state.ctaWarp, e.select(produces, consumers, e.i32(0)));
  }
  state.cta = sm::CtaIdOp::create(builder, loc);
  state.sharedBase = sm::SharedBaseOp::create(builder, loc);
}

/// Says on the kernel whether it calls the functions that print.
static void markPrints(tile::KernelOp kernel) {
  auto prints = [](Operation *op) {
    return isa<tile::PrintOp, tile::CheckOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (kernel.walk(prints).wasInterrupted())
    kernel->setAttr(tile::TileDialect::printsAttrName, UnitAttr::get(kernel.getContext()));
}

static void eraseUnusedIndices(const KernelState &state) {
  for (Value index : {state.thread, state.lane, state.warp, state.cta, state.sharedBase})
    if (index.use_empty())
      index.getDefiningOp()->erase();
}

static void populatePatterns(RewritePatternSet &patterns, ConversionTarget &target,
                             const TypeConverter &types, KernelState &state) {
  populateKernelPatterns(patterns, types, state);
  populateWindowPatterns(patterns, types, state);
  populateCopyPatterns(patterns, types, state);
  populateLoadPatterns(patterns, types, state);
  populateStorePatterns(patterns, types, state);
  populateGatherPatterns(patterns, types, state);
  populateScalarPatterns(patterns, types, state);
  populateGemmPatterns(patterns, types, state);
  populateAtomicPatterns(patterns, types, state);
  populateReducePatterns(patterns, types, state);
  populateScanPatterns(patterns, types, state);
  populateShapePatterns(patterns, types, state);
  populateReshapePatterns(patterns, types, state);
  populateSlicePatterns(patterns, types, state);
  populateConvertLayoutPatterns(patterns, types, state);
  populateDebugPatterns(patterns, types, state);
  populateElementwisePatterns(patterns, types);
  populateCastPatterns(patterns, types);
  populatePipePatterns(patterns, types, state);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
}

static LogicalResult convertKernel(tile::KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  auto warps = kernel->getAttrOfType<IntegerAttr>(tile::TileDialect::numWarpsAttrName);
  if (!warps)
    return kernel.emitError("has no number of warps; run 'tile-assign-layouts' first");
  KernelState state;
  state.numWarps = warps.getInt();
  if (failed(collectPipe(kernel, state)) || failed(checkLaidOut(kernel, state)))
    return failure();
  markPrints(kernel);
  collectWindowFacts(kernel, state);
  collectSlices(kernel, state);
  createIndices(kernel, state);

  TileTypeConverter types;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  target.addIllegalDialect<tile::TileDialect, pipe::PipeDialect>();
  target.addLegalDialect<sm::SMDialect, vector::VectorDialect, func::FuncDialect>();
  target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
      [&](Operation *op) { return types.isLegal(op) && !isApproximated(op); });
  populatePatterns(patterns, target, types, state);
  // A pattern that refuses says why; the driver's "failed to legalize" would only repeat that it
  // did.
  bool explained = false;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (explained && StringRef(diagnostic.str()).starts_with("failed to legalize operation"))
      return success();
    explained |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // goes on to the next handler
  });
  if (failed(applyPartialConversion(kernel, target, std::move(patterns))))
    return failure();
  eraseUnusedIndices(state);
  return success();
}

namespace {
class ConvertTileToSM : public tilec::impl::ConvertTileToSMPassBase<ConvertTileToSM> {
public:
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(convertKernel(kernel)))
        return signalPassFailure();
  }
};
} // namespace

void tilec::registerTileToSMPass() {
  registerPass([]() -> std::unique_ptr<Pass> { return createConvertTileToSMPass(); });
}
