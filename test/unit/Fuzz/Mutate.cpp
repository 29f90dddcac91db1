//===- Mutate.cpp - changes of a program's IR at random -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Mutate.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilec::fuzz {

template <class T> static T &any(Random &random, SmallVectorImpl<T> &list) {
  return list[static_cast<size_t>(pick(random, 0, static_cast<int64_t>(list.size()) - 1))];
}

static int64_t wildNumber(Random &random) {
  static constexpr int64_t numbers[] = {-1,       0, 1, 2, 3, 7, 16, 31, 64, 1000, int64_t(1) << 31,
                                        INT64_MAX};
  return numbers[pick(random, 0, std::size(numbers) - 1)];
}

/// The same kind of attribute with another number somewhere; null if it has none.
static Attribute changed(Attribute attribute, Random &random) {
  Builder builder(attribute.getContext());
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    // Of 32 bits are enumerations, whose printers trust them.
    return number.getType().isInteger(64) ? builder.getI64IntegerAttr(wildNumber(random))
                                          : Attribute();
  }
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute); list && !list.empty()) {
    SmallVector<int64_t> numbers(list.asArrayRef());
    any(random, numbers) = wildNumber(random);
    if (pick(random, 0, 3) == 0)
      numbers.pop_back();
    return builder.getDenseI64ArrayAttr(numbers);
  }
  return {};
}

/// Of our operations: upstream's printers trust attributes that only a program can leave out.
static void changeAttribute(Operation *op, Random &random) {
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  if (attributes.empty() || op->getName().getDialectNamespace() != "tile")
    return;
  NamedAttribute &chosen = any(random, attributes);
  if (pick(random, 0, 4) == 0)
    op->removeAttr(chosen.getName());
  else if (Attribute other = changed(chosen.getValue(), random))
    op->setAttr(chosen.getName(), other);
}

/// Another value that is there, mostly of the same type.
static void changeOperand(Operation *op, Random &random) {
  if (op->getNumOperands() == 0)
    return;
  OpOperand &operand = op->getOpOperand(
      static_cast<unsigned>(pick(random, 0, static_cast<int64_t>(op->getNumOperands()) - 1)));
  bool sameType = pick(random, 0, 5) != 0;
  SmallVector<Value> candidates;
  for (Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    for (Value result : other.getResults())
      if (!sameType || result.getType() == operand.get().getType())
        candidates.push_back(result);
  }
  if (!candidates.empty())
    operand.set(any(random, candidates));
}

static void removeOrCopy(Operation *op, Random &random) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  if (pick(random, 0, 1))
    OpBuilder(op).clone(*op);
  else if (op->use_empty())
    op->erase();
}

void mutate(ModuleOp module, Random &random, int changes) {
  for (int i = 0; i < changes; ++i) {
    SmallVector<Operation *> ops;
    module->walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    Operation *op = any(random, ops);
    switch (pick(random, 0, 3)) {
    case 0:
      changeAttribute(op, random);
      break;
    case 1:
      removeOrCopy(op, random);
      break;
    default:
      changeOperand(op, random);
      break;
    }
  }
}

} // namespace tilec::fuzz
