//===- Kernel.cpp - kernels become functions of the LLVM dialect ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tilec;

namespace {

/// Of an SM; of the latter, what the driver takes for each CTA.
constexpr int64_t kThreadsPerSM = 2048, kReservedBytes = 1024;

/// The value of an integer attribute, or `absent`.
int64_t integerAttribute(Operation *op, StringRef name, int64_t absent) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : absent;
}

/// Of a role-split kernel, the producer's warps included.
int64_t numWarps(Operation *kernel) {
  return integerAttribute(kernel, tile::TileDialect::numWarpsAttrName, 1) +
         integerAttribute(kernel, pipe::producerWarpsAttrName, 0);
}

struct KernelLowering : ConvertOpToLLVMPattern<func::FuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    const TypeConverter &types = *getTypeConverter();
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(types.convertSignatureArgs(op.getArgumentTypes(), signature)))
      return b.notifyMatchFailure(op, "a parameter type has no LLVM counterpart");
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()),
                                            signature.getConvertedTypes());
    auto kernel = LLVM::LLVMFuncOp::create(b, op.getLoc(), op.getName(), type);
    kernel->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    setLaunchBounds(op, kernel, b);
    setTensorMaps(op, kernel, b);
    if (auto launch = op->getAttrOfType<DictionaryAttr>("tile.launch");
        launch && launch.contains("counter"))
      createCounters(op, b);
    b.inlineRegionBefore(op.getBody(), kernel.getBody(), kernel.end());
    if (failed(b.convertRegionTypes(&kernel.getBody(), types, &signature)))
      return failure();
    b.eraseOp(op);
    return success();
  }

private:
  /// The exact thread count and the CTAs per SM: without both, ptxas drops setmaxnreg.
  static void setLaunchBounds(func::FuncOp op, LLVM::LLVMFuncOp kernel, OpBuilder &b) {
    int32_t threads = 32 * numWarps(op);
    int32_t ctas = integerAttribute(op, sm::SMDialect::ctasPerSMAttrName, 1);
    kernel->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
    kernel->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), b.getDenseI32ArrayAttr({threads}));
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(ctas));
  }

  /// Counters of work items, all 0 when the module is loaded. The launcher gives a kernel one of
  /// them.
  static void createCounters(func::FuncOp op, ConversionPatternRewriter &b) {
    constexpr llvm::StringLiteral name = "tile_item_counters";
    constexpr int64_t number = 4096;
    if (op->getParentOfType<ModuleOp>().lookupSymbol(name))
      return;
    constexpr unsigned globalSpace = 1;
    auto type = LLVM::LLVMArrayType::get(b.getI32Type(), number);
    LLVM::GlobalOp::create(b, op.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External,
                           name,
                           DenseElementsAttr::get(RankedTensorType::get({number}, b.getI32Type()),
                                                  b.getI32IntegerAttr(0)),
                           /*alignment=*/4, globalSpace);
  }

  /// A tensor map is 128 bytes by value, read in place from the parameters.
  static void setTensorMaps(func::FuncOp op, LLVM::LLVMFuncOp kernel, OpBuilder &b) {
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      if (!isa<sm::TensorMapType>(type))
        continue;
      auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
      kernel.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
      kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
      kernel.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
    }
  }
};

struct ReturnLowering : ConvertOpToLLVMPattern<func::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

LogicalResult verifyRange(func::FuncOp op, StringRef name, int64_t value, int64_t least,
                          int64_t most) {
  if (value >= least && value <= most)
    return success();
  return op.emitOpError("expected '")
         << name << "' from " << least << " to " << most << ", found " << value;
}

/// `ctas` CTAs of that many threads and bytes of shared memory on one SM.
LogicalResult verifyOccupancy(func::FuncOp op, int64_t ctas, int64_t threads, int64_t bytes,
                              const Arch &arch) {
  auto refuse = [&](const Twine &what, int64_t each, int64_t all, StringRef remedy) {
    return emitError(op.getLoc()) << "kernel '" << op.getName() << "': " << ctas
                                  << " CTAs per SM do not fit: each has " << each << " " << what
                                  << ", an SM " << all << "; use " << remedy << " or at most "
                                  << all / each << (all / each == 1 ? " CTA" : " CTAs");
  };
  if (ctas > 1 && ctas * threads > kThreadsPerSM)
    return refuse("threads", threads, kThreadsPerSM, "fewer warps");
  if (ctas > 1 && ctas * (bytes + kReservedBytes) > arch.sharedBytesPerSM)
    return refuse("bytes of shared memory with the 1024 that are reserved", bytes + kReservedBytes,
                  arch.sharedBytesPerSM, "smaller tiles");
  return success();
}

} // namespace

LogicalResult tilec::verifyKernel(Operation *function, const Arch &arch) {
  auto op = cast<func::FuncOp>(function);
  StringRef warpsName = tile::TileDialect::numWarpsAttrName;
  if (!op->hasAttr(warpsName))
    return op.emitOpError("expected a kernel, which has the attribute '") << warpsName << "'";
  if (op.isDeclaration() || op.getNumResults() != 0)
    return op.emitOpError("expected a kernel with a body and without results");
  StringRef ctasName = sm::SMDialect::ctasPerSMAttrName;
  StringRef bytesName = tile::TileDialect::sharedBytesAttrName;
  int64_t ctas = integerAttribute(op, ctasName, 1);
  int64_t warps = integerAttribute(op, warpsName, 0);
  int64_t producers = integerAttribute(op, pipe::producerWarpsAttrName, 0);
  int64_t bytes = integerAttribute(op, bytesName, 0);
  if (failed(verifyRange(op, warpsName, warps, 1, arch.maxThreads / 32 - producers)) ||
      failed(verifyRange(op, ctasName, ctas, 1, 32)) ||
      failed(verifyRange(op, bytesName, bytes, 0, arch.maxSharedBytes)))
    return failure();
  return verifyOccupancy(op, ctas, 32 * (warps + producers), bytes, arch);
}

void tilec::populateKernelPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  converter.addConversion(
      [](sm::TensorMapType type) { return LLVM::LLVMPointerType::get(type.getContext()); });
  patterns.add<KernelLowering, ReturnLowering>(converter);
}
