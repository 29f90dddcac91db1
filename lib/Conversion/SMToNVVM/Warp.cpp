//===- Warp.cpp - thread indices and exchange within a warp to NVVM -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;

namespace {

constexpr int64_t allLanes = -1, lastLane = 31;

Value threadId(OpBuilder &b, Location loc) {
  return NVVM::ThreadIdXOp::create(b, loc, b.getI32Type());
}

template <class Op, class Register> struct IndexLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<Register>(op, b.getI32Type());
    return success();
  }
};

/// A block is one-dimensional and whole warps, so the lane is the low bits of the thread.
struct LaneIdLowering : ConvertOpToLLVMPattern<sm::LaneIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::LaneIdOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    b.replaceOpWithNewOp<LLVM::AndOp>(op, threadId(b, loc), constantI32(b, loc, lastLane));
    return success();
  }
};

/// The shuffle tells ptxas that the value is uniform: what is computed from it lives in uniform
/// registers.
struct WarpIdLowering : ConvertOpToLLVMPattern<sm::WarpIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WarpIdOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value warp = LLVM::LShrOp::create(b, loc, threadId(b, loc), constantI32(b, loc, 5));
    b.replaceOpWithNewOp<NVVM::ShflOp>(op, b.getI32Type(), constantI32(b, loc, allLanes), warp,
                                       constantI32(b, loc, 0), constantI32(b, loc, lastLane),
                                       NVVM::ShflKind::idx, UnitAttr());
    return success();
  }
};

NVVM::ShflKind shuffleKind(sm::ShuffleMode mode) {
  switch (mode) {
  case sm::ShuffleMode::Xor:
    return NVVM::ShflKind::bfly;
  case sm::ShuffleMode::Idx:
    return NVVM::ShflKind::idx;
  case sm::ShuffleMode::Up:
    return NVVM::ShflKind::up;
  case sm::ShuffleMode::Down:
    return NVVM::ShflKind::down;
  }
  llvm_unreachable("all modes are listed");
}

struct ShuffleLowering : ConvertOpToLLVMPattern<sm::ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::ShuffleOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value value = in.getValue();
    bool floats = getElementTypeOrSelf(value.getType()).isF32();
    SmallVector<Value> words = floats ? unpackElements(b, loc, value) : toWords(b, loc, value);
    Value mask = constantI32(b, loc, allLanes);
    Value clamp = constantI32(b, loc, op.getMode() == sm::ShuffleMode::Up ? 0 : lastLane);
    for (Value &word : words)
      word = NVVM::ShflOp::create(b, loc, word.getType(), mask, word, in.getLane(), clamp,
                                  shuffleKind(op.getMode()), UnitAttr());
    b.replaceOp(op, floats ? packElements(b, loc, value.getType(), words)
                           : fromWords(b, loc, value.getType(), words));
    return success();
  }
};

struct VoteLowering : ConvertOpToLLVMPattern<sm::VoteOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::VoteOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    auto kind =
        op.getMode() == sm::VoteMode::Any ? NVVM::VoteSyncKind::any : NVVM::VoteSyncKind::all;
    b.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, b.getI1Type(), constantI32(b, op.getLoc(), allLanes),
                                           in.getPredicate(), kind);
    return success();
  }
};

struct ElectLowering : ConvertOpToLLVMPattern<sm::ElectOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::ElectOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::ElectSyncOp>(op, b.getI1Type(), Value());
    return success();
  }
};

struct SetRegistersLowering : ConvertOpToLLVMPattern<sm::SetRegistersOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::SetRegistersOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::SetMaxRegisterOp>(op, uint32_t(op.getCount()),
                                                 op.getIncrease()
                                                     ? NVVM::SetMaxRegisterAction::increase
                                                     : NVVM::SetMaxRegisterAction::decrease);
    return success();
  }
};

} // namespace

void tilec::hoistIndices(Operation *kernel) {
  Block &entry = kernel->getRegion(0).front();
  llvm::SmallMapVector<OperationName, Operation *, 8> first;
  SmallVector<Operation *> later;
  kernel->walk([&](Operation *op) {
    if (!isa<sm::ThreadIdOp, sm::WarpIdOp, sm::LaneIdOp, sm::CtaIdOp, sm::NumCtasOp,
             sm::SharedBaseOp>(op))
      return;
    if (!first.insert({op->getName(), op}).second)
      later.push_back(op);
  });
  for (auto &[name, op] : llvm::reverse(first))
    op->moveBefore(&entry, entry.begin());
  for (Operation *op : later) {
    op->getResult(0).replaceAllUsesWith(first.lookup(op->getName())->getResult(0));
    op->erase();
  }
}

void tilec::populateWarpPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<IndexLowering<sm::ThreadIdOp, NVVM::ThreadIdXOp>,
               IndexLowering<sm::CtaIdOp, NVVM::BlockIdXOp>,
               IndexLowering<sm::NumCtasOp, NVVM::GridDimXOp>, LaneIdLowering, WarpIdLowering,
               ShuffleLowering, VoteLowering, ElectLowering, SetRegistersLowering>(converter);
}
