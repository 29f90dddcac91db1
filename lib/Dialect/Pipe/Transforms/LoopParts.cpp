//===- LoopParts.cpp - the early and the late part of an iteration ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopParts.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tilec;

namespace {
class Sorter {
public:
  explicit Sorter(scf::ForOp loop) { parts.loop = loop; }
  FailureOr<LoopParts> run(std::string &why);

private:
  using OpSet = llvm::DenseSet<Operation *>;

  bool dependsOn(Operation *op, const OpSet &set) const;
  void findLate();
  void findCarried();
  void findPrepare();
  void findIssue();
  void findCasts();
  bool isAddressWork(Operation *op) const;
  bool isEnd(Operation *op) const;
  bool isWideLate() const;
  OpList &placeRelease(pipe::ReleaseOp release);
  LogicalResult sort(std::string &why);

  /// Operations of the body that (transitively) use one of `op`'s results count as one with their
  /// regions: operands of nested operations are operands of the outer one.
  template <typename Function> void forOperands(Operation *op, Function &&function) const {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        function(operand);
    });
  }
  Block *body() { return parts.loop.getBody(); }

  LoopParts parts;
  OpSet late, after, prepare, issue, addresses, casts;
  llvm::DenseSet<Value> lateArguments;
};
} // namespace

bool Sorter::dependsOn(Operation *op, const OpSet &set) const {
  bool found = false;
  forOperands(op, [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    found |= definition && set.contains(definition);
  });
  return found;
}

/// Late products, the waits that only they read, and what follows from their results.
void Sorter::findLate() {
  for (Operation &op : body()->without_terminator())
    if (op.hasAttr(lateAttrName))
      late.insert(&op);
  for (Operation &op : body()->without_terminator())
    if (isa<pipe::WaitOp>(op) &&
        llvm::all_of(op.getUsers(), [&](Operation *user) { return late.contains(user); }))
      late.insert(&op);
  for (Operation &op : body()->without_terminator())
    if (!late.contains(&op) && (dependsOn(&op, late) || dependsOn(&op, after)) &&
        !isa<pipe::ReleaseOp>(op))
      after.insert(&op);
}

void Sorter::findCarried() {
  auto yield = cast<scf::YieldOp>(body()->getTerminator());
  for (auto [argument, value] : llvm::zip(parts.loop.getRegionIterArgs(), yield.getOperands())) {
    Operation *definition = value.getDefiningOp();
    bool isLate = definition && (late.contains(definition) || after.contains(definition));
    parts.lateCarried.push_back(isLate);
    if (isLate)
      lateArguments.insert(argument);
  }
}

/// Early work on values that the late part of the iteration before yields.
void Sorter::findPrepare() {
  for (Operation &op : body()->without_terminator()) {
    if (late.contains(&op) || after.contains(&op))
      continue;
    bool needsLate = dependsOn(&op, prepare);
    forOperands(&op, [&](Value operand) { needsLate |= lateArguments.contains(operand); });
    if (needsLate)
      prepare.insert(&op);
  }
}

bool Sorter::isAddressWork(Operation *op) const {
  auto plain = [](Type type) {
    return type.isIntOrFloat() || isa<tile::WindowType, pipe::CursorType>(type);
  };
  bool reads = isa<tile::LoadScalarOp>(op) || isMemoryEffectFree(op);
  return reads && op->getNumRegions() == 0 && llvm::all_of(op->getResultTypes(), plain) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           Operation *definition = operand.getDefiningOp();
           return !definition || definition->getBlock() != op->getBlock() ||
                  addresses.contains(definition);
         });
}

/// A search for the next iteration: it carries scalars only, and only the next iteration needs
/// them.
bool Sorter::isEnd(Operation *op) const {
  return isa<scf::WhileOp>(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrFloat(); }) &&
         llvm::all_of(op->getUsers(), [](Operation *user) { return isa<scf::YieldOp>(user); });
}

/// Early products with all they need, and address work.
void Sorter::findIssue() {
  OpList worklist;
  for (Operation &op : body()->without_terminator()) {
    if (late.contains(&op) || after.contains(&op))
      continue;
    if (isa<tile::GemmOp>(op))
      worklist.push_back(&op);
    else if (!prepare.contains(&op) && isAddressWork(&op))
      addresses.insert(&op);
  }
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    issue.insert(op);
    forOperands(op, [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      if (definition && definition->getBlock() == body() && !issue.contains(definition))
        worklist.push_back(definition);
    });
  }
}

void Sorter::findCasts() {
  for (Operation *product : late) {
    auto gemm = dyn_cast<tile::GemmOp>(product);
    Operation *cast = gemm ? gemm.getA().getDefiningOp() : nullptr;
    if (cast && cast->getBlock() == body() && isa<arith::TruncFOp, tile::CastOp>(cast) &&
        llvm::all_of(cast->getUsers(), [&](Operation *user) { return late.contains(user); }))
      casts.insert(cast);
  }
}

bool Sorter::isWideLate() const {
  constexpr int64_t kManyRegisters = 64;
  return llvm::any_of(late, [](Operation *op) {
    auto gemm = dyn_cast<tile::GemmOp>(op);
    return gemm && cast<tile::FragAttr>(gemm.getType().getEncoding()).getLayout().numRegs() >
                       kManyRegisters;
  });
}

/// Behind the last reader of the slot: where several parts read it, in the one that runs last.
OpList &Sorter::placeRelease(pipe::ReleaseOp release) {
  OpSet readers;
  for (auto wait : parts.loop.getOps<pipe::WaitOp>()) {
    if (wait.getChannel() != release.getChannel())
      continue;
    readers.insert(wait);
    for (Operation *user : wait->getUsers())
      readers.insert(body()->findAncestorOpInBlock(*user));
  }
  auto anyIn = [&](const OpSet &set) {
    return llvm::any_of(readers, [&](Operation *reader) { return set.contains(reader); });
  };
  if (anyIn(after))
    return parts.after;
  if (anyIn(late))
    return parts.lateReleases;
  if (anyIn(prepare))
    return parts.prepare;
  bool onlyIssued =
      llvm::all_of(readers, [&](Operation *reader) { return issue.contains(reader); });
  return onlyIssued ? parts.earlyReleases : parts.rest;
}

LogicalResult Sorter::sort(std::string &why) {
  // A wide accumulator takes long to rescale: while the next early products run, not in front of
  // them.
  parts.wideLate = isWideLate();
  OpList &preparation = parts.wideLate ? parts.late : parts.prepare;
  for (Operation &op : body()->without_terminator()) {
    if (issue.contains(&op) &&
        (prepare.contains(&op) || late.contains(&op) || after.contains(&op))) {
      why = "an early product needs the result of a late one";
      return failure();
    }
    if (late.contains(&op) && dependsOn(&op, after)) {
      why = "a late product needs work on the result of another one";
      return failure();
    }
    if (auto release = dyn_cast<pipe::ReleaseOp>(op)) {
      placeRelease(release).push_back(&op);
      continue;
    }
    OpList &list = late.contains(&op)        ? parts.late
                   : after.contains(&op)     ? parts.after
                   : prepare.contains(&op)   ? preparation
                   : issue.contains(&op)     ? parts.issue
                   : addresses.contains(&op) ? parts.addresses
                   : casts.contains(&op)     ? parts.casts
                   : isEnd(&op)              ? parts.ends
                                             : parts.rest;
    list.push_back(&op);
  }
  return success();
}

FailureOr<LoopParts> Sorter::run(std::string &why) {
  findLate();
  findCarried();
  findPrepare();
  findIssue();
  findCasts();
  if (failed(sort(why)))
    return failure();
  return std::move(parts);
}

FailureOr<LoopParts> tilec::takeApart(scf::ForOp loop, std::string &why) {
  return Sorter(loop).run(why);
}

llvm::SetVector<Value> LoopParts::boundary() const {
  llvm::SetVector<Value> values;
  scf::ForOp thisLoop = loop;
  llvm::DenseSet<Operation *> inside(late.begin(), late.end());
  inside.insert(after.begin(), after.end());
  auto collect = [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    Block *block = definition ? definition->getBlock() : operand.getParentBlock();
    if (block == thisLoop.getBody() && !(definition && inside.contains(definition)))
      values.insert(operand);
  };
  for (const OpList &list : {late, after, lateReleases})
    for (Operation *op : list)
      op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), collect); });
  return values;
}
