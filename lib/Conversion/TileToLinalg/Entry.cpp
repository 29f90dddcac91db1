//===- Entry.cpp - the function that a launcher calls ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `params[i]` points at the i-th argument: of a tensor its address, the extents of all dimensions,
// the strides of all but the last; a scalar's value; then the launch dimensions, the number of CTAs
// and the address of the launch's `tile::HostReport`.
//
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "host-entry"

using namespace mlir;

namespace {
struct HostEntryPass : PassWrapper<HostEntryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostEntryPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "add NAME(void **params, i64 begin, i64 end), which runs a range of CTAs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};

/// Reads the arguments one after the other.
class ArgumentReader {
public:
  ArgumentReader(OpBuilder &b, Location loc, Value params) : b(b), loc(loc), params(params) {}

  void skip() { ++next; }
  /// The next argument, as the CTA function takes it.
  Value read(Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref ? readTensor(memref) : readValue(type);
  }

private:
  Value readValue(Type type) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value slot = LLVM::GEPOp::create(b, loc, pointer, pointer, params, LLVM::GEPArg(next++));
    Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
    return LLVM::LoadOp::create(b, loc, type, address);
  }
  Value readTensor(MemRefType type);
  /// A descriptor of `rank` dimensions, as finalize-memref-to-llvm lays it out.
  Value descriptor(Value pointer, ArrayRef<Value> extents, ArrayRef<Value> strides);
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }

  OpBuilder &b;
  Location loc;
  Value params;
  int32_t next = 0;
};
} // namespace

Value ArgumentReader::descriptor(Value pointer, ArrayRef<Value> extents, ArrayRef<Value> strides) {
  MLIRContext *context = b.getContext();
  Type i64 = b.getI64Type(), array = LLVM::LLVMArrayType::get(i64, extents.size());
  auto type = LLVM::LLVMStructType::getLiteral(
      context, {pointer.getType(), pointer.getType(), i64, array, array});
  Value result = LLVM::PoisonOp::create(b, loc, type);
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    result = LLVM::InsertValueOp::create(b, loc, result, value, position);
  };
  insert(pointer, 0);
  insert(pointer, 1);
  insert(constant(0), 2);
  for (auto [dim, extent] : llvm::enumerate(extents))
    insert(extent, {3, static_cast<int64_t>(dim)});
  for (auto [dim, stride] : llvm::enumerate(strides))
    insert(stride, {4, static_cast<int64_t>(dim)});
  return result;
}

Value ArgumentReader::readTensor(MemRefType type) {
  Value pointer = readValue(LLVM::LLVMPointerType::get(b.getContext()));
  SmallVector<Value> extents, strides;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    extents.push_back(readValue(b.getI64Type()));
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
    strides.push_back(readValue(b.getI64Type()));
  strides.push_back(constant(1));
  Value packed = descriptor(pointer, extents, strides);
  return UnrealizedConversionCastOp::create(b, loc, type, packed).getResult(0);
}

static void addEntry(func::FuncOp cta) {
  OpBuilder b(cta);
  Location loc = cta.getLoc();
  StringAttr name = cta.getSymNameAttr();
  cta.setSymName((name.getValue() + ".cta").str());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto entry = func::FuncOp::create(b, loc, name, b.getFunctionType({pointer, i64, i64}, {}));
  Block *block = entry.addEntryBlock();
  b.setInsertionPointToStart(block);
  ArgumentReader reader(b, loc, block->getArgument(0));
  SmallVector<Value> arguments;
  bool takesGrid = cta->hasAttr(tilec::hostGridAttrName);
  bool takesReport = cta->hasAttr(tilec::hostReportAttrName);
  for (Type type : cta.getArgumentTypes().drop_back(1 + takesReport))
    arguments.push_back(reader.read(type));
  if (takesReport) {
    if (!takesGrid)
      reader.skip();
    arguments.push_back(reader.read(pointer));
  }
  cta->removeAttr(tilec::hostGridAttrName);
  cta->removeAttr(tilec::hostReportAttrName);
  Value one = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  auto loop = scf::ForOp::create(b, loc, block->getArgument(1), block->getArgument(2), one);
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(loop.getBody());
  arguments.push_back(loop.getInductionVar());
  func::CallOp::create(b, loc, cta, arguments);
}

void HostEntryPass::runOnOperation() {
  auto internal = LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
  for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
    // Without this the objects of two kernels both define the helper that frees buffers.
    if (function.isPrivate() && !function.isDeclaration())
      function->setAttr("llvm.linkage", internal);
    if (!function->hasAttr(tilec::hostCtaAttrName))
      continue;
    function->removeAttr(tilec::hostCtaAttrName);
    addEntry(function);
  }
}

std::unique_ptr<Pass> tilec::createHostEntryPass() { return std::make_unique<HostEntryPass>(); }
