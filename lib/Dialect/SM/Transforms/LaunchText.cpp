//===- LaunchText.cpp - values of the dimensions alone, as text --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LaunchText.h"
#include "NarrowDivisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec;

static constexpr int kMaxDepth = 12;

LaunchText::LaunchText(func::FuncOp function) {
  auto launch = function->getAttrOfType<DictionaryAttr>("tile.launch");
  auto dims = launch ? launch.getAs<ArrayAttr>("dims") : ArrayAttr();
  if (!dims)
    return;
  size_t behind = dims.size();
  for (StringRef further : {"derived", "maps"})
    if (auto list = launch.getAs<ArrayAttr>(further))
      behind += list.size();
  if (behind > function.getNumArguments())
    return;
  size_t first = function.getNumArguments() - behind;
  for (auto [number, name] : llvm::enumerate(dims.getAsValueRange<StringAttr>()))
    names[function.getArgument(first + number)] = name;
}

std::optional<LaunchText::Value> LaunchText::of(mlir::Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  ++depth;
  std::optional<Value> written = depth <= kMaxDepth ? write(value) : std::nullopt;
  --depth;
  known[value] = written;
  return written;
}

std::optional<LaunchText::Value> LaunchText::write(mlir::Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = constant.getSExtValue();
    std::string text = std::to_string(number);
    return Value{number < 0 ? "(0 - " + text.substr(1) + ")" : text, number >= 0, number > 0, 0};
  }
  if (auto name = names.find(value); name != names.end())
    return Value{name->second.str(), true, false, 0};
  Operation *op = value.getDefiningOp();
  return op ? writeOperation(op) : std::nullopt;
}

namespace {
/// How an operation is spelled, and for which operands the kernel and the launcher agree.
struct Spelling {
  StringRef text; // of a function, or with spaces around an operator
  bool isUnsigned = false, divides = false;
};
} // namespace

static Spelling spellingOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Spelling>(op)
      .Case([](arith::AddIOp) { return Spelling{" + "}; })
      .Case([](arith::SubIOp) { return Spelling{" - "}; })
      .Case([](arith::MulIOp) { return Spelling{" * "}; })
      .Case([](arith::MinSIOp) { return Spelling{"min"}; })
      .Case([](arith::MaxSIOp) { return Spelling{"max"}; })
      .Case([](arith::MinUIOp) { return Spelling{"min", true}; })
      .Case([](arith::MaxUIOp) { return Spelling{"max", true}; })
      .Case([](arith::CeilDivSIOp) { return Spelling{"ceildiv", false, true}; })
      .Case([](arith::FloorDivSIOp) { return Spelling{"floordiv", false, true}; })
      .Case([](arith::CeilDivUIOp) { return Spelling{"ceildiv", true, true}; })
      // A quotient that is cut towards 0 is rounded down where nothing is negative.
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return Spelling{"floordiv", true, true}; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Spelling{"mod", true, true}; })
      .Default(Spelling{});
}

std::optional<LaunchText::Value> LaunchText::writeOperation(Operation *op) {
  if (auto cast = dyn_cast<arith::ExtUIOp>(op))
    return of(cast.getIn());
  if (auto cast = dyn_cast<arith::TruncIOp>(op))
    return cast.getType().isInteger(32) && maxUnsigned(cast.getIn()) <= UINT32_MAX
               ? of(cast.getIn())
               : std::nullopt;
  Spelling spelling = spellingOf(op);
  if (spelling.text.empty())
    return std::nullopt;
  std::optional<Value> left = of(op->getOperand(0)), right = of(op->getOperand(1));
  if (!left || !right || (spelling.divides && !right->positive) ||
      (spelling.isUnsigned && !(left->nonNegative && right->nonNegative)))
    return std::nullopt;
  Value result;
  result.cost = left->cost + right->cost + (spelling.divides ? 8 : 1);
  bool isMax = spelling.text == "max", isSub = spelling.text == " - ";
  result.nonNegative = !isSub && (left->nonNegative || (isMax && right->nonNegative)) &&
                       (right->nonNegative || (isMax && left->nonNegative));
  result.positive = isMax && (left->positive || right->positive);
  if (spelling.text.starts_with(" "))
    result.text = "(" + left->text + spelling.text.str() + right->text + ")";
  else
    result.text = spelling.text.str() + "(" + left->text + ", " + right->text + ")";
  return result;
}
