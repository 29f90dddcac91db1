//===- SinkScalars.cpp - scalars where a role first needs them ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "sm-sink-scalars"

namespace tilec {
#define GEN_PASS_DEF_SINKSCALARSPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

/// The same in all threads of a CTA that compute it, as known so far.
using Uniformity = llvm::DenseMap<Value, bool>;

/// True if all threads of a CTA that compute the value get the same.
static bool isUniform(Value value, Uniformity &known) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  auto isUniformHere = [&](Value operand) { return isUniform(operand, known); };
  bool uniform;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    uniform = isUniformHere(branch.getCondition()) &&
              isUniformHere(branch.thenYield().getOperand(number)) &&
              isUniformHere(branch.elseYield().getOperand(number));
  } else {
    bool isScalarWork = isa<arith::ArithDialect, vector::VectorDialect>(op->getDialect()) &&
                        isMemoryEffectFree(op) && op->getNumRegions() == 0;
    uniform = (isa<sm::CtaIdOp, sm::LoadGlobalOp>(op) || isScalarWork) &&
              llvm::all_of(op->getOperands(), isUniformHere);
  }
  return known[value] = uniform;
}

/// What only tells ptxas that all lanes hold the same.
static bool isBroadcastOfUniform(Operation *op) {
  auto shuffle = dyn_cast<sm::ShuffleOp>(op);
  Uniformity known;
  return shuffle && shuffle.getMode() == sm::ShuffleMode::Idx &&
         matchPattern(shuffle.getLane(), m_Zero()) && isUniform(shuffle.getValue(), known);
}

/// The kernel's flat arguments that are addresses of tensors nobody writes during the launch.
static llvm::SmallDenseSet<Value> inputAddresses(func::FuncOp function) {
  llvm::SmallDenseSet<Value> inputs;
  auto launch = function->getAttrOfType<DictionaryAttr>("tile.launch");
  auto params = launch ? launch.getAs<ArrayAttr>("params") : ArrayAttr();
  unsigned number = 0;
  for (Attribute entry : params ? params.getValue() : ArrayRef<Attribute>()) {
    auto param = dyn_cast<DictionaryAttr>(entry);
    auto extents = param ? param.getAs<ArrayAttr>("extents") : ArrayAttr();
    auto access = param ? param.getAs<StringAttr>("access") : StringAttr();
    if (!param || number >= function.getNumArguments())
      break;
    if (extents && access && access.getValue() == "in")
      inputs.insert(function.getArgument(number));
    // Address, extents, strides of all dimensions but the last; or a scalar.
    number += extents && !extents.empty() ? 2 * extents.size() : 1;
  }
  return inputs;
}

/// True if the address is one of `inputs` plus arithmetic on other integers.
static bool isInput(Value address, const llvm::SmallDenseSet<Value> &inputs) {
  auto sum = address.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return inputs.contains(address);
  return isInput(sum.getLhs(), inputs) || isInput(sum.getRhs(), inputs);
}

/// A scalar of an input, or what stands for it outside of the tensor. Both roles read the same.
static bool isScalarOfInput(Operation *op, const llvm::SmallDenseSet<Value> &inputs) {
  if (auto load = dyn_cast<sm::LoadGlobalOp>(op))
    return isInput(load.getAddress(), inputs);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return false;
  return !branch
              .walk([&](Operation *inner) {
                bool isFine = inner == op || isa<scf::YieldOp>(inner) ||
                              (isMemoryEffectFree(inner) && inner->getNumRegions() == 0) ||
                              (isa<sm::LoadGlobalOp>(inner) && isScalarOfInput(inner, inputs));
                return isFine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static bool isSinkable(Operation *op, const llvm::SmallDenseSet<Value> &inputs) {
  if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
    return false;
  bool isScalarWork = isa<arith::ArithDialect, vector::VectorDialect>(op->getDialect()) &&
                      op->getNumRegions() == 0 && isMemoryEffectFree(op);
  return isScalarWork || isBroadcastOfUniform(op) || isScalarOfInput(op, inputs);
}

namespace {
/// The first place in a role at which a value is needed, outside of its loops.
struct Place {
  Operation *before = nullptr;
  bool singleThread = false;
};
} // namespace

/// The operation of `block` that holds all users, if there is only one and it is none of them.
static scf::IfOp commonBranch(Block *block, ArrayRef<OpOperand *> uses) {
  Operation *common = nullptr;
  for (OpOperand *use : uses) {
    Operation *holder = block->findAncestorOpInBlock(*use->getOwner());
    if (holder == use->getOwner() || (common && holder != common))
      return {};
    common = holder;
  }
  return dyn_cast<scf::IfOp>(common);
}

/// `stayConverged`: all lanes of a warp, or a single thread, have to get there.
static Place findPlace(Region &role, ArrayRef<OpOperand *> uses, bool stayConverged) {
  Place place;
  auto firstIn = [&](Block *block) {
    Operation *first = nullptr;
    for (OpOperand *use : uses) {
      Operation *holder = block->findAncestorOpInBlock(*use->getOwner());
      first = !first || holder->isBeforeInBlock(first) ? holder : first;
    }
    return first;
  };
  Block *block = &role.front();
  place.before = firstIn(block);
  while (scf::IfOp branch = commonBranch(block, uses)) {
    auto inside = [&](Region &region) {
      return llvm::all_of(uses, [&](OpOperand *use) {
        return region.isAncestor(use->getOwner()->getParentRegion());
      });
    };
    bool inThen = inside(branch.getThenRegion());
    if (!inThen && !inside(branch.getElseRegion()))
      break;
    block = inThen ? branch.thenBlock() : branch.elseBlock();
    place.singleThread |= inThen && branch.getCondition().getDefiningOp<sm::ElectOp>();
    if (!stayConverged || place.singleThread)
      place.before = firstIn(block);
  }
  return place;
}

static bool loads(Operation *op) {
  return op->walk([](sm::LoadGlobalOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Loads start early, so that their latencies overlap: next to the single thread's own first load,
/// and otherwise where the role starts.
static Operation *startOfLoads(Region &role, const Place &place) {
  Block *block = place.singleThread ? place.before->getBlock() : &role.front();
  for (Operation &op : *block) {
    bool isEarlyEnough = place.singleThread ? loads(&op) : !isa<sm::SetRegistersOp>(op);
    if (&op == place.before || isEarlyEnough)
      return &op;
  }
  return place.before;
}

static void sinkInto(Region &role, Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (role.isAncestor(use.getOwner()->getParentRegion()))
      uses.push_back(&use);
  if (uses.empty())
    return;
  bool isBroadcast = isa<sm::ShuffleOp>(op);
  Place place = findPlace(role, uses, /*stayConverged=*/isBroadcast);
  if (loads(op))
    place.before = startOfLoads(role, place);
  Value copy;
  if (isBroadcast && place.singleThread)
    copy = cast<sm::ShuffleOp>(op).getValue();
  else
    copy = OpBuilder(place.before).clone(*op)->getResult(0);
  for (OpOperand *use : uses)
    use->set(copy);
}

/// The branch between the roles: the last one with two sides.
static scf::IfOp findRoles(func::FuncOp function) {
  scf::IfOp roles;
  if (function->hasAttr("tile.producer_warps"))
    for (auto branch : function.getBody().front().getOps<scf::IfOp>())
      if (branch.getNumResults() == 0 && branch.elseBlock())
        roles = branch;
  return roles;
}

namespace {
class SinkScalars : public tilec::impl::SinkScalarsPassBase<SinkScalars> {
public:
  void runOnOperation() override {
    scf::IfOp roles = findRoles(getOperation());
    if (!roles)
      return;
    llvm::SmallDenseSet<Value> inputs = inputAddresses(getOperation());
    for (Operation *op = roles->getPrevNode(); op;) {
      Operation *current = std::exchange(op, op->getPrevNode());
      bool hasOtherUsers = llvm::any_of(
          current->getUsers(), [&](Operation *user) { return !roles->isProperAncestor(user); });
      if (hasOtherUsers || current->use_empty() || !isSinkable(current, inputs))
        continue;
      sinkInto(roles.getThenRegion(), current);
      sinkInto(roles.getElseRegion(), current);
      current->erase();
      ++sunk;
    }
  }
};
} // namespace
