//===- Builder.h - what a kernel under construction consists of -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_BUILDER_H
#define TILE_DSL_LIB_BUILDER_H

#include "tile/dsl/Kernel.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <numeric>
#include <stdexcept>

namespace tile::inline dsl::detail {

/// A mistake of the author; ends the building of the kernel.
struct BuildError : std::runtime_error {
  BuildError(Loc loc, const std::string &message) : std::runtime_error(message), loc(loc) {}
  Loc loc;
};

/// One node of a launch-time expression.
struct DimNode {
  enum class Op : uint8_t {
    name,
    constant,
    smCount,
    add,
    sub,
    mul,
    floorDiv,
    ceilDiv,
    mod,
    min,
    max
  };
  Op op;
  std::string name;
  int64_t value = 0;
  std::shared_ptr<DimNode> left, right;
  int64_t multipleOf = 1;
  Loc loc;

  bool isConstant() const { return op == Op::constant; }
};

/// In the syntax of tile/Expr.h: "ceildiv(q_len, 128)".
std::string text(const Dim &dim);
/// "[m=64, d=128]"
std::string text(const Axes &axes);
/// "[batch, heads, 128]"
std::string text(const std::vector<Dim> &extents);

bool isFloat(Element element);
unsigned byteSize(Element element);
const char *name(Access access);

/// A parameter as declared.
struct Parameter {
  std::string name;
  Element element;
  Loc loc;
  std::optional<Access> access; // none: a scalar
  std::vector<Dim> extents;
  bool positive = false;
  mlir::Value argument;
};

/// The kernel under construction. Public functions of the language are thin wrappers of this.
class Builder : public mlir::OpBuilder {
public:
  Builder(mlir::ModuleOp module, const std::string &symbol, const std::string &source, Loc loc);
  ~Builder();

  mlir::tile::KernelOp kernelOp() const { return kernel; }
  /// Ends the body and attaches what the launcher needs.
  void finish();

  // Locations (Location.cpp).
  mlir::Location location(Loc loc) const;
  /// Of a BuildError, whose helpers' scopes have already ended.
  mlir::Location errorLocation(Loc loc) const;
  std::vector<Loc> callers; // of the helpers that are open, outermost first
  std::vector<Loc> unwound; // of those that an error ended, innermost first

  // Types and values (Builder.cpp).
  mlir::Type type(Element element);
  /// A tensor of the axes' extents; the scalar type for none.
  mlir::Type type(Element element, const Axes &axes);
  mlir::Value constant(mlir::Type type, double value, Loc loc);
  mlir::Value constant(mlir::Type type, int64_t value, Loc loc);
  mlir::TypedAttr padAttr(Element element, double value);
  mlir::Value indexConstant(int64_t value, Loc loc) { return constant(getI64Type(), value, loc); }
  /// The value of a variable; an error if it has none here.
  mlir::Value get(const Variable &variable, Loc loc);
  Variable make(mlir::Value value, Axes axes = {}) {
    return Variable(*this, value.getAsOpaquePointer(), std::move(axes));
  }
  /// An i64.
  mlir::Value indexValue(const Input &input);
  /// An i64 brought into the range [low, high] by scalar code.
  mlir::Value clamp(mlir::Value x, int64_t low, int64_t high, Loc loc);
  /// A tile of these axes: numbers and scalars are spread, missing axes added.
  mlir::Value spread(const Input &input, Element element, const Axes &axes);
  /// The axis under the name's first declaration; an error if extents differ.
  Axis canonical(const Axis &axis, Loc loc);
  /// Canonical, in the order of declaration; an error on a repeated axis.
  Axes sorted(const Axes &axes, Loc loc);
  /// The axes of both.
  Axes unite(const Axes &a, const Axes &b);

  // Dimensions and parameters (Parameters.cpp).
  mlir::Value dimValue(const Dim &dim, Loc loc);
  void useNames(const Dim &dim, Loc loc);
  /// Has the launcher check that `groups` equal groups make up `members`.
  void useGroups(const Dim &members, const Dim &groups, Loc loc);
  Parameter &addParameter(Parameter parameter, mlir::Type type);
  std::vector<Parameter> parameters;
  std::vector<Dim> gridExtents;
  std::optional<Loc> gridLoc;
  bool persistent = false;                    // CTAs go through the grid's numbers
  std::pair<std::string, std::string> order;  // of the CTAs: "cost" or "list", and which
  std::vector<std::pair<Dim, Dim>> dimGroups; // members, groups; each pair once

  // Variables alive (Value.cpp).
  /// Those that a loop or a branch may change, oldest first.
  std::vector<Variable *> aliveVariables() const;
  mlir::Value current(const Variable &variable) const {
    return mlir::Value::getFromOpaquePointer(variable.value);
  }
  void set(Variable &variable, mlir::Value value) { variable.value = value.getAsOpaquePointer(); }
  static bool isMemory(const Variable &variable) { return variable.kind == Variable::Kind::memory; }
  /// Variables that name a value of this region, which ends, have no value any more.
  void forgetValuesOf(mlir::Region &region);
  /// Lists of variables held across an author's callback: a variable that dies becomes null there.
  std::vector<std::vector<Variable *> *> watched;

private:
  friend class Variable;
  mlir::DictionaryAttr launchAttr();
  std::string persistentGrid();
  mlir::DictionaryAttr parameterAttr(const Parameter &parameter);
  /// A factor of the extent: its value, or the declared fact about its name.
  int64_t knownMultiple(const DimNode &extent);

  mlir::tile::KernelOp kernel;
  std::string source;
  Loc kernelLoc;
  std::map<std::string, Axis> axisByName;
  std::vector<std::string> dimNames;
  std::map<std::string, int64_t> dimMultiple;
  std::map<std::string, mlir::Value> dimByName;
  mlir::Operation *lastDim = nullptr;
  Variable *oldest = nullptr, *newest = nullptr;
};

/// Puts the operations of a block into an order that does not depend on the order in which the host
/// compiler evaluated operands (OperandOrder.cpp). Drops pure operations without users.
void canonicalizeOrder(mlir::Block &block);
/// The body of a kernel whose grid is persistent goes into a loop over the grid's numbers.
void loopOverGrid(Builder &b);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_BUILDER_H
