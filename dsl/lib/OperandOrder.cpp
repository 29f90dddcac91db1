//===- OperandOrder.cpp - one order of operations for all host compilers --===//
// SPDX-License-Identifier: Apache-2.0
//
// C++ leaves the order in which operands are evaluated open, so `gemm(a, b) * (s * 3.0)` reaches
// the builder in different orders. What writes memory or has a region is a statement of its own,
// and its order is the author's; everything else is emitted again just before the statement that
// needs it, operands first, from left to right. Reads keep their place between the statements
// around them.

#include "Builder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tile::inline dsl::detail {

namespace {

enum class Role { statement, read, pure };

Role roleOf(mlir::Operation &op) {
  if (op.getNumRegions() || op.hasTrait<mlir::OpTrait::IsTerminator>() ||
      llvm::isa<mlir::tile::DimOp>(op))
    return Role::statement;
  if (mlir::isMemoryEffectFree(&op))
    return Role::pure;
  return mlir::hasSingleEffect<mlir::MemoryEffects::Read>(&op) ? Role::read : Role::statement;
}

/// Operations of one block in the order of a depth-first walk.
class Walk {
public:
  explicit Walk(mlir::Block &block) : block(block) {}

  void visit(mlir::Operation *op) {
    if (op->getBlock() != &block || !seen.insert(op).second)
      return;
    visitOperands(op);
    order.push_back(op);
  }
  bool contains(mlir::Operation *op) const { return seen.contains(op); }

  std::vector<mlir::Operation *> order;

private:
  void visitOperands(mlir::Operation *op) {
    op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *nested) {
      for (mlir::Value operand : nested->getOperands())
        if (mlir::Operation *definition = operand.getDefiningOp())
          visit(definition);
    });
  }

  mlir::Block &block;
  llvm::DenseSet<mlir::Operation *> seen;
};

} // namespace

/// The reads of the block, numbered as a walk from the statements meets them.
static llvm::DenseMap<mlir::Operation *, unsigned> numberReads(mlir::Block &block) {
  Walk walk(block);
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  for (mlir::Operation &op : block)
    if (roleOf(op) == Role::statement)
      walk.visit(&op);
  for (mlir::Operation *op : walk.order)
    if (roleOf(*op) == Role::read)
      numbers.try_emplace(op, numbers.size());
  return numbers;
}

static std::vector<mlir::Operation *> newOrder(mlir::Block &block) {
  llvm::DenseMap<mlir::Operation *, unsigned> numbers = numberReads(block);
  Walk walk(block);
  std::vector<mlir::Operation *> waiting; // reads since the last statement
  for (mlir::Operation &op : block) {
    Role role = roleOf(op);
    if (role == Role::read && numbers.contains(&op))
      waiting.push_back(&op);
    if (role != Role::statement)
      continue;
    llvm::sort(waiting, [&](auto *a, auto *b) { return numbers[a] < numbers[b]; });
    for (mlir::Operation *read : waiting)
      walk.visit(read);
    waiting.clear();
    walk.visit(&op);
  }
  return std::move(walk.order);
}

void canonicalizeOrder(mlir::Block &block) {
  std::vector<mlir::Operation *> order = newOrder(block);
  llvm::DenseSet<mlir::Operation *> kept(order.begin(), order.end());
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (!kept.contains(&op))
      op.erase();
  for (mlir::Operation *op : order)
    op->moveBefore(&block, block.end());
}

} // namespace tile::inline dsl::detail
