//===- Dim.cpp - launch-time expressions ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

#include "llvm/Support/MathExtras.h"

namespace tile::inline dsl {

using detail::DimNode;

static bool isIdentifier(const std::string &name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && !llvm::isDigit(name[0]) && llvm::all_of(name, isWord);
}

Dim::Dim(const std::string &name, Loc loc)
    : shared(std::make_shared<DimNode>(DimNode{DimNode::Op::name, name, 0, {}, {}, 1, loc})) {
  if (!isIdentifier(name))
    detail::fail(loc, "a dimension's name is a letter or '_', then letters, digits, '_'; found '" +
                          name + "'");
}

Dim::Dim(int64_t value)
    : shared(std::make_shared<DimNode>(DimNode{DimNode::Op::constant, "", value, {}, {}, 1, {}})) {}

Dim Dim::sm_count() {
  return Dim(std::make_shared<DimNode>(DimNode{DimNode::Op::smCount, "", 0, {}, {}, 1, {}}));
}

Dim &Dim::multiple_of(int64_t factor, Loc loc) {
  if (shared->op != DimNode::Op::name)
    detail::fail(loc, "multiple_of is a fact about a named dimension; found the expression '" +
                          detail::text(*this) + "'");
  if (factor < 1)
    detail::fail(loc, "multiple_of takes a factor of at least 1; found " + std::to_string(factor));
  shared->multipleOf = std::lcm(shared->multipleOf, factor);
  return *this;
}

/// The value of an operation on two constants, if it has one.
static std::optional<int64_t> fold(DimNode::Op op, int64_t a, int64_t b) {
  int64_t result;
  switch (op) {
  case DimNode::Op::add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case DimNode::Op::sub:
    return llvm::SubOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case DimNode::Op::mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case DimNode::Op::min:
    return std::min(a, b);
  case DimNode::Op::max:
    return std::max(a, b);
  case DimNode::Op::floorDiv:
    return b > 0 ? std::optional(llvm::divideFloorSigned(a, b)) : std::nullopt;
  case DimNode::Op::ceilDiv:
    return b > 0 ? std::optional(llvm::divideCeilSigned(a, b)) : std::nullopt;
  case DimNode::Op::mod:
    return b > 0 ? std::optional(llvm::mod(a, b)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static DimNode::Op operationOf(char symbol) {
  switch (symbol) {
  case '+':
    return DimNode::Op::add;
  case '-':
    return DimNode::Op::sub;
  case '*':
    return DimNode::Op::mul;
  case '/':
    return DimNode::Op::floorDiv;
  case 'c':
    return DimNode::Op::ceilDiv;
  case '%':
    return DimNode::Op::mod;
  case '<':
    return DimNode::Op::min;
  default:
    return DimNode::Op::max;
  }
}

Dim Dim::binary(char operation, const Dim &a, const Dim &b) {
  DimNode::Op op = operationOf(operation);
  if (a.node().isConstant() && b.node().isConstant())
    if (std::optional<int64_t> value = fold(op, a.node().value, b.node().value))
      return Dim(*value);
  return Dim(std::make_shared<DimNode>(DimNode{op, "", 0, a.shared, b.shared, 1, {}}));
}

namespace detail {

static std::string text(const DimNode &node) {
  auto infix = [&](const char *symbol) {
    return "(" + text(*node.left) + symbol + text(*node.right) + ")";
  };
  auto call = [&](const char *function) {
    return std::string(function) + "(" + text(*node.left) + ", " + text(*node.right) + ")";
  };
  switch (node.op) {
  case DimNode::Op::name:
    return node.name;
  case DimNode::Op::constant: // the grammar has no sign
    return node.value < 0 ? "(0 - " + std::to_string(-node.value) + ")"
                          : std::to_string(node.value);
  case DimNode::Op::smCount:
    return "sm_count()";
  case DimNode::Op::add:
    return infix(" + ");
  case DimNode::Op::sub:
    return infix(" - ");
  case DimNode::Op::mul:
    return infix(" * ");
  case DimNode::Op::floorDiv:
    return call("floordiv");
  case DimNode::Op::ceilDiv:
    return call("ceildiv");
  case DimNode::Op::mod:
    return call("mod");
  case DimNode::Op::min:
    return call("min");
  case DimNode::Op::max:
    return call("max");
  }
  return "";
}

std::string text(const Dim &dim) {
  std::string result = text(dim.node());
  bool wrapped = result.front() == '(' && dim.node().op != DimNode::Op::constant;
  return wrapped ? result.substr(1, result.size() - 2) : result;
}

std::string text(const std::vector<Dim> &extents) {
  std::string result = "[";
  for (const Dim &extent : extents)
    result += (result.size() > 1 ? ", " : "") + text(extent);
  return result + "]";
}

} // namespace detail
} // namespace tile::inline dsl
