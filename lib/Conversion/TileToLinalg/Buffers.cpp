//===- Buffers.cpp - the buffers that a CTA holds -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A doubly linked ring of nodes, each in front of its buffer, in the same allocation: putting a
// buffer into the list and taking it out are a few stores and no branch. Only kernels with checks
// pay for it.
//===----------------------------------------------------------------------===//
#include "Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

/// Bytes in front of a buffer. It stays as aligned as it was.
static constexpr int64_t kNodeBytes = 64;

namespace {
/// Emits what works on nodes: the next one's address, then that of the one before.
struct Nodes {
  OpBuilder &b;
  Location loc;

  Type pointer() const { return LLVM::LLVMPointerType::get(b.getContext()); }
  Value before(Value node) const {
    return LLVM::GEPOp::create(b, loc, pointer(), pointer(), node, ArrayRef<LLVM::GEPArg>{1});
  }
  Value load(Value place) const { return LLVM::LoadOp::create(b, loc, pointer(), place); }
  void store(Value value, Value place) const { LLVM::StoreOp::create(b, loc, value, place); }
  void link(Value first, Value second) const {
    store(second, first);
    store(first, before(second));
  }
  /// The node in front of the buffer whose first byte, as memrefs count, `bytes` come after it.
  Value nodeOf(Value memref, int64_t bytes) const {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
    address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
    Value distance = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(bytes));
    address = arith::SubIOp::create(b, loc, address, distance);
    return LLVM::IntToPtrOp::create(b, loc, pointer(), address);
  }
};
} // namespace

static int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return type.getNumElements() * ((bits + 7) / 8);
}

/// The same buffer with a node in front, in the list.
static void addNode(memref::AllocOp alloc, Value list) {
  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  MemRefType type = alloc.getType();
  auto bytes = MemRefType::get({kNodeBytes + bytesOf(type)}, b.getI8Type());
  Value whole = memref::AllocOp::create(b, loc, bytes, alloc.getAlignmentAttr());
  Nodes nodes{b, loc};
  Value node = nodes.nodeOf(whole, 0), next = nodes.load(list);
  nodes.link(list, node);
  nodes.link(node, next);
  Value start = arith::ConstantIndexOp::create(b, loc, kNodeBytes);
  alloc.replaceAllUsesWith(
      memref::ViewOp::create(b, loc, type, whole, start, ValueRange()).getResult());
  alloc.erase();
}

static void removeNode(memref::DeallocOp dealloc) {
  OpBuilder b(dealloc);
  Nodes nodes{b, dealloc.getLoc()};
  Value node = nodes.nodeOf(dealloc.getMemref(), kNodeBytes);
  nodes.link(nodes.load(nodes.before(node)), nodes.load(node));
}

Value tilec::host::keepListOfBuffers(func::FuncOp function) {
  SmallVector<memref::AllocOp> allocs;
  SmallVector<memref::DeallocOp> deallocs;
  function.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  function.walk([&](memref::DeallocOp dealloc) { deallocs.push_back(dealloc); });
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  Nodes nodes{b, function.getLoc()};
  Value two = LLVM::ConstantOp::create(b, nodes.loc, b.getI64IntegerAttr(2));
  Value list = LLVM::AllocaOp::create(b, nodes.loc, nodes.pointer(), nodes.pointer(), two);
  nodes.link(list, list);
  for (memref::AllocOp alloc : allocs)
    addNode(alloc, list);
  for (memref::DeallocOp dealloc : deallocs)
    removeNode(dealloc);
  return list;
}

/// free(), as the lowering of memrefs declares it.
static LLVM::LLVMFuncOp freeIn(ModuleOp module) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>("free"))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = b.getContext();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {LLVM::LLVMPointerType::get(context)});
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), "free", type);
}

Block *tilec::host::buildRelease(OpBuilder &b, Location loc, Value list, Block *exit) {
  OpBuilder::InsertionGuard guard(b);
  LLVM::LLVMFuncOp free = freeIn(exit->getParentOp()->getParentOfType<ModuleOp>());
  Nodes nodes{b, loc};
  Block *test = b.createBlock(exit), *release = b.createBlock(exit);
  b.setInsertionPointToEnd(test);
  Value node = nodes.load(list);
  Value isLast = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, node, list);
  cf::CondBranchOp::create(b, loc, isLast, exit, release);
  b.setInsertionPointToEnd(release);
  nodes.link(list, nodes.load(node));
  LLVM::CallOp::create(b, loc, free, ValueRange(node));
  cf::BranchOp::create(b, loc, test);
  return test;
}
