//===- VerifyKernel.cpp - a kernel against its launch declaration ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "mlir/IR/Remarks.h"
#include "tile/Expr.h"
#include "tilec/Analysis/SharedAccess.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "tile-verify-kernel"

using namespace mlir;
using mlir::tile::GlobalType;

namespace tilec {
#define GEN_PASS_DEF_VERIFYKERNELPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
struct VerifyKernel : tilec::impl::VerifyKernelPassBase<VerifyKernel> {
  void runOnOperation() override;

  LogicalResult checkDims(DictionaryAttr launch);
  LogicalResult checkGrid(DictionaryAttr launch);
  LogicalResult checkOrder(DictionaryAttr launch);
  LogicalResult checkParams(DictionaryAttr launch);
  LogicalResult checkParam(DictionaryAttr param, BlockArgument argument);
  LogicalResult checkExtents(DictionaryAttr param, BlockArgument argument);
  LogicalResult checkExpression(Location loc, const Twine &what, Attribute text);
  LogicalResult checkAccesses();
  void remarkIdlePipelines();

  SmallVector<std::string_view> dims;
  DenseMap<Value, DictionaryAttr> paramOf;
};
} // namespace

static StringRef stringIn(DictionaryAttr dictionary, StringRef key) {
  auto value = dictionary.getAs<StringAttr>(key);
  return value ? value.getValue() : StringRef();
}

void VerifyKernel::runOnOperation() {
  dims.clear();
  paramOf.clear();
  markAllAnalysesPreserved();
  DictionaryAttr launch = getOperation().getLaunch();
  if (!launch) {
    getOperation().emitOpError("has no 'tile.launch', which says what a launcher passes");
    return signalPassFailure();
  }
  if (failed(checkDims(launch)) || failed(checkGrid(launch)) || failed(checkParams(launch)) ||
      failed(checkOrder(launch)) || failed(checkAccesses()))
    return signalPassFailure();
  remarkIdlePipelines();
}

LogicalResult VerifyKernel::checkDims(DictionaryAttr launch) {
  auto names = launch.getAs<ArrayAttr>("dims");
  if (!names)
    return getOperation().emitOpError("expected 'dims' in 'tile.launch' to be a list of names");
  for (Attribute attribute : names) {
    auto name = dyn_cast<StringAttr>(attribute);
    if (!name || name.getValue().empty())
      return getOperation().emitOpError("expected a launch-time dimension to be a name, found ")
             << attribute;
    if (llvm::is_contained(dims, std::string_view(name.getValue())))
      return getOperation().emitOpError("declares the launch-time dimension '")
             << name.getValue() << "' twice";
    dims.push_back(name.getValue());
  }
  auto facts = launch.getAs<ArrayAttr>("facts");
  for (Attribute attribute : facts ? facts.getValue() : ArrayRef<Attribute>()) {
    auto fact = dyn_cast<DictionaryAttr>(attribute);
    auto multiple = fact ? fact.getAs<IntegerAttr>("multiple_of") : IntegerAttr();
    if (!multiple || multiple.getInt() < 1)
      return getOperation().emitOpError("expected a fact to be {dim, multiple_of > 0}, found ")
             << attribute;
    if (!llvm::is_contained(dims, std::string_view(stringIn(fact, "dim"))))
      return getOperation().emitOpError("states a fact about '")
             << stringIn(fact, "dim") << "', which is not a launch-time dimension";
  }
  auto groups = launch.getAs<ArrayAttr>("groups");
  for (Attribute attribute : groups ? groups.getValue() : ArrayRef<Attribute>()) {
    auto group = dyn_cast<DictionaryAttr>(attribute);
    for (StringRef name : {"members", "groups"})
      if (failed(checkExpression(getOperation().getLoc(), "a group",
                                 group ? group.get(name) : Attribute())))
        return failure();
  }
  return success();
}

LogicalResult VerifyKernel::checkGrid(DictionaryAttr launch) {
  auto grid = launch.getAs<ArrayAttr>("grid");
  if (!grid || grid.empty())
    return getOperation().emitOpError("has no grid; say how many programs run, for example 1");
  for (Attribute extent : grid)
    if (failed(checkExpression(getOperation().getLoc(), "the grid", extent)))
      return failure();
  return success();
}

/// `order` says which CTAs start first: {cost = expression of the grid's coordinates} or {list =
/// name of the parameter with their numbers}.
LogicalResult VerifyKernel::checkOrder(DictionaryAttr launch) {
  Attribute order = launch.get("order");
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(order);
  if (!order)
    return success();
  StringRef cost = dictionary ? stringIn(dictionary, "cost") : "";
  StringRef list = dictionary ? stringIn(dictionary, "list") : "";
  if (cost.empty() == list.empty())
    return getOperation().emitOpError("expected 'order' in 'tile.launch' to be {cost = \"...\"} or "
                                      "{list = \"...\"}, found ")
           << order;
  if (list.empty()) {
    SmallVector<std::string_view> names = dims;
    names.append({"cta_x", "cta_y", "cta_z"});
    auto expression = ::tile::Expr::parse(std::string_view(cost), names);
    if (!expression.ok())
      return getOperation().emitOpError("in the cost of a CTA: ") << expression.message();
    return success();
  }
  for (const auto &[argument, param] : paramOf)
    if (stringIn(param, "name") == list && isa<GlobalType>(argument.getType()))
      return success();
  return getOperation().emitOpError(
             "expected the order of the CTAs to be a tensor parameter, found '")
         << list << "'";
}

LogicalResult VerifyKernel::checkExpression(Location loc, const Twine &what, Attribute attribute) {
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return emitError(loc) << "expected an extent of " << what << " to be an expression, found "
                          << attribute;
  auto expression = ::tile::Expr::parse(std::string_view(text.getValue()), dims);
  if (!expression.ok())
    return emitError(loc) << "in an extent of " << what << ": " << expression.message();
  return success();
}

LogicalResult VerifyKernel::checkParams(DictionaryAttr launch) {
  auto params = launch.getAs<ArrayAttr>("params");
  Block::BlockArgListType arguments = getOperation().getBody().getArguments();
  if (!params || params.size() != arguments.size())
    return getOperation().emitOpError("expected 'tile.launch' to describe ")
           << arguments.size() << " parameters, found " << (params ? params.size() : 0);
  llvm::StringSet<> names;
  for (auto [attribute, argument] : llvm::zip(params, arguments)) {
    auto param = dyn_cast<DictionaryAttr>(attribute);
    if (!param || stringIn(param, "name").empty())
      return emitError(argument.getLoc())
             << "expected a parameter to have a name, found " << attribute;
    if (!names.insert(stringIn(param, "name")).second)
      return emitError(argument.getLoc())
             << "two parameters are named '" << stringIn(param, "name") << "'";
    if (failed(checkParam(param, argument)))
      return failure();
    paramOf[argument] = param;
  }
  return success();
}

/// The contract's name of an element type.
static StringRef dtypeName(Type type) {
  return TypeSwitch<Type, StringRef>(type)
      .Case([](Float32Type) { return "f32"; })
      .Case([](Float16Type) { return "f16"; })
      .Case([](BFloat16Type) { return "bf16"; })
      .Case([](Float8E4M3FNType) { return "e4m3"; })
      .Case([](Float8E5M2Type) { return "e5m2"; })
      .Case([](IntegerType integer) -> StringRef {
        switch (integer.getWidth()) {
        case 1:
          return "i1";
        case 8:
          return "i8";
        case 16:
          return "i16";
        case 32:
          return "i32";
        default:
          return "i64";
        }
      })
      .Default(StringRef());
}

LogicalResult VerifyKernel::checkParam(DictionaryAttr param, BlockArgument argument) {
  StringRef name = stringIn(param, "name");
  auto global = dyn_cast<GlobalType>(argument.getType());
  StringRef expectedKind = global ? "tensor" : "scalar";
  if (stringIn(param, "kind") != expectedKind)
    return emitError(argument.getLoc())
           << "expected parameter '" << name << "' to be declared a " << expectedKind << ", found '"
           << stringIn(param, "kind") << "'";
  StringRef dtype = dtypeName(global ? global.getElementType() : argument.getType());
  if (stringIn(param, "dtype") != dtype)
    return emitError(argument.getLoc()) << "expected parameter '" << name << "' to be declared "
                                        << dtype << ", found '" << stringIn(param, "dtype") << "'";
  if (!global)
    return success();
  if (!llvm::is_contained({"in", "out", "inout", "workspace"}, stringIn(param, "access")))
    return emitError(argument.getLoc())
           << "expected the access of parameter '" << name
           << "' to be in, out, inout or workspace, found '" << stringIn(param, "access") << "'";
  return checkExtents(param, argument);
}

LogicalResult VerifyKernel::checkExtents(DictionaryAttr param, BlockArgument argument) {
  StringRef name = stringIn(param, "name");
  ArrayRef<int64_t> shape = cast<GlobalType>(argument.getType()).getShape();
  auto extents = param.getAs<ArrayAttr>("extents");
  if (!extents || extents.size() != shape.size())
    return emitError(argument.getLoc()) << "expected " << shape.size() << " extents of parameter '"
                                        << name << "', found " << (extents ? extents.size() : 0);
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    if (failed(checkExpression(argument.getLoc(), "parameter '" + name + "'", extent)))
      return failure();
    StringRef text = cast<StringAttr>(extent).getValue();
    auto expression = ::tile::Expr::parse(std::string_view(text), dims);
    if (!ShapedType::isDynamic(shape[axis]) && expression->asConstant() != shape[axis])
      return emitError(argument.getLoc())
             << "axis " << axis << " of parameter '" << name << "' has extent " << shape[axis]
             << " in the kernel and '" << text << "' at launch";
  }
  return success();
}

LogicalResult VerifyKernel::checkAccesses() {
  WalkResult result = getOperation().walk([&](Operation *op) {
    for (const Access &access : accessesOf(op)) {
      DictionaryAttr param = access.shared ? DictionaryAttr() : paramOf.lookup(access.base);
      if (!param || stringIn(param, "access") != (access.write ? "in" : "out"))
        continue;
      InFlightDiagnostic error = op->emitOpError()
                                 << (access.write ? "writes" : "reads") << " parameter '"
                                 << stringIn(param, "name") << "', which is declared as an "
                                 << (access.write ? "input" : "output") << "; declare it as "
                                 << (access.write ? "an output or inout" : "inout");
      error.attachNote(access.base.getLoc()) << "declared here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A pipelined loop without a copy has nothing to keep in flight.
void VerifyKernel::remarkIdlePipelines() {
  getOperation().walk([](scf::ForOp loop) {
    if (!loop->hasAttr(mlir::tile::TileDialect::pipelineAttrName))
      return;
    WalkResult copies = loop.walk([](Operation *op) {
      return isAsyncCopy(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!copies.wasInterrupted())
      remark::missed(loop.getLoc(), remark::RemarkOpts::name("pipeline").category("pipeline"))
          << "pipelined has no effect: the loop copies nothing to shared memory";
  });
}
