//===- Kernel.cpp - tile.kernel to a function that runs one CTA -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "convert-tile-to-linalg"

using namespace mlir;
using namespace tilec::host;

namespace {
struct ConvertTileToLinalgPass : PassWrapper<ConvertTileToLinalgPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertTileToLinalgPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "tile kernels to functions over linalg, memref and scf that run one CTA on the host";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;

  /// Makes the function with its arguments, and moves the body there.
  func::FuncOp convertSignature(tile::KernelOp kernel, KernelState &state);
  LogicalResult convertBody(func::FuncOp function, KernelState &state);
};
} // namespace

/// The memref that stands for a global tensor: the last axis has stride 1.
static MemRefType globalMemRef(tile::GlobalType type) {
  SmallVector<int64_t> strides(type.getShape().size(), ShapedType::kDynamic);
  strides.back() = 1;
  auto layout = StridedLayoutAttr::get(type.getContext(), 0, strides);
  return MemRefType::get(type.getShape(), memoryType(type.getElementType()), layout);
}

static ArrayRef<Attribute> launchDims(tile::KernelOp kernel) {
  DictionaryAttr launch = kernel.getLaunch();
  auto dims = launch ? launch.getAs<ArrayAttr>("dims") : ArrayAttr();
  return dims ? dims.getValue() : ArrayRef<Attribute>();
}

static LogicalResult checkNoLayouts(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding()) {
        op->emitError("the host target expected fragments without a layout, found ")
            << type << "; give it the kernel as it was before layout assignment";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

template <class Op> static bool contains(tile::KernelOp kernel) {
  return kernel.walk([](Op) { return WalkResult::interrupt(); }).wasInterrupted();
}

func::FuncOp ConvertTileToLinalgPass::convertSignature(tile::KernelOp kernel, KernelState &state) {
  OpBuilder b(kernel);
  Type i64 = b.getI64Type();
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes()) {
    auto global = dyn_cast<tile::GlobalType>(type);
    types.push_back(global ? Type(globalMemRef(global)) : memoryType(type));
  }
  ArrayRef<Attribute> dims = launchDims(kernel);
  bool asksForGrid = contains<tile::NumProgramsOp>(kernel);
  bool checks = contains<tile::CheckOp>(kernel);
  types.append(dims.size() + asksForGrid, i64);
  if (checks)
    types.push_back(LLVM::LLVMPointerType::get(&getContext()));
  types.push_back(i64);
  auto function =
      func::FuncOp::create(b, kernel.getLoc(), kernel.getSymName(), b.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(tilec::hostCtaAttrName, b.getUnitAttr());
  if (asksForGrid)
    function->setAttr(tilec::hostGridAttrName, b.getUnitAttr());
  if (checks)
    function->setAttr(tilec::hostReportAttrName, b.getUnitAttr());
  function.getBody().takeBody(kernel.getBody());

  Block &entry = function.getBody().front();
  b.setInsertionPointToStart(&entry);
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i) {
    Value old = entry.getArgument(i), argument = entry.addArgument(types[i], old.getLoc());
    if (isa<tile::GlobalType>(old.getType()))
      state.buffers[old] = argument;
    else
      old.replaceAllUsesWith(old.getType() == types[i]
                                 ? argument
                                 : fromMemory(b, old.getLoc(), argument, old.getType()));
  }
  for (Attribute name : dims)
    state.dims[cast<StringAttr>(name).getValue()] = entry.addArgument(i64, kernel.getLoc());
  if (asksForGrid)
    state.numPrograms = entry.addArgument(i64, kernel.getLoc());
  if (checks)
    entry.addArgument(LLVM::LLVMPointerType::get(&getContext()), kernel.getLoc());
  state.programId = entry.addArgument(i64, kernel.getLoc());
  return function;
}

/// Lowers one operation of the `tile` dialect. Windows are read where they are used.
static LogicalResult lowerOp(Operation *op, OpBuilder &b, KernelState &state) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tile::AllocSharedOp, tile::LoadOp, tile::StoreOp, tile::CopyOp, tile::LoadScalarOp,
            tile::StoreScalarOp, tile::GatherOp, tile::GatherCopyOp, tile::ScatterOp, tile::GemmOp,
            tile::ReduceOp, tile::IotaOp, tile::BroadcastOp, tile::ConvertLayoutOp, tile::SplitOp,
            tile::JoinOp, tile::PermuteOp, tile::TakeOp, tile::StackOp, tile::SliceOp, tile::CastOp,
            tile::PrintOp, tile::CheckOp, tile::AtomicOp, tile::AtomicScalarOp, tile::FenceOp,
            tile::ScanOp>([&](auto typed) { return lower(typed, b, state); })
      .Case([](tile::WindowOp) { return success(); })
      .Case([&](tile::ReturnOp) {
        func::ReturnOp::create(b, op->getLoc());
        return success();
      })
      .Case([&](tile::ProgramIdOp id) {
        id.getResult().replaceAllUsesWith(state.programId);
        return success();
      })
      .Case([&](tile::NumProgramsOp count) {
        count.getResult().replaceAllUsesWith(state.numPrograms);
        return success();
      })
      .Case([&](tile::DimOp dim) -> LogicalResult {
        Value value = state.dims.lookup(dim.getName());
        if (!value)
          return dim.emitError("the host target expected '")
                 << dim.getName() << "' among the dims of 'tile.launch'; declare it there";
        dim.getResult().replaceAllUsesWith(value);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitError(
            "the host target does not know this operation; it takes kernels as the "
            "author wrote them");
      });
}

LogicalResult ConvertTileToLinalgPass::convertBody(func::FuncOp function, KernelState &state) {
  SmallVector<Operation *> tileOps;
  SmallVector<arith::SelectOp> selects;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_nonnull<tile::TileDialect>(op->getDialect()))
      tileOps.push_back(op);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      selects.push_back(select);
  });
  for (arith::SelectOp select : selects) {
    OpBuilder b(select);
    lowerScalarSelect(select, b);
  }
  for (Operation *op : tileOps) {
    OpBuilder b(op);
    if (failed(lowerOp(op, b, state)))
      return failure();
  }
  for (Operation *op : llvm::reverse(tileOps))
    op->erase();
  return success();
}

void ConvertTileToLinalgPass::runOnOperation() {
  for (tile::KernelOp kernel :
       llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
    if (failed(checkNoLayouts(kernel)))
      return signalPassFailure();
    KernelState state;
    unsigned oldArguments = kernel.getArgumentTypes().size();
    func::FuncOp function = convertSignature(kernel, state);
    if (failed(convertBody(function, state)))
      return signalPassFailure();
    function.getBody().front().eraseArguments(0, oldArguments);
    kernel.erase();
  }
}

std::unique_ptr<Pass> tilec::createConvertTileToLinalgPass() {
  return std::make_unique<ConvertTileToLinalgPass>();
}
