//===- Parameters.cpp - parameters, dimensions, what the launcher needs ---===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

namespace tile::inline dsl::detail {

Builder::Builder(mlir::ModuleOp module, const std::string &symbol, const std::string &source,
                 Loc loc)
    : OpBuilder(module.getBodyRegion()), source(source), kernelLoc(loc) {
  kernel = mlir::tile::KernelOp::create(*this, location(loc), getStringAttr(symbol),
                                        mlir::TypeAttr::get(getFunctionType({}, {})),
                                        mlir::ArrayAttr(), mlir::ArrayAttr());
  setInsertionPointToStart(&kernel.getBody().emplaceBlock());
}

Builder::~Builder() {
  while (oldest) { // the author's statics, if any, outlive the kernel
    Variable *variable = oldest;
    oldest = variable->next;
    variable->owner = nullptr;
    variable->value = nullptr;
  }
}

void Builder::finish() {
  mlir::tile::ReturnOp::create(*this, location(kernelLoc));
  mlir::Block &body = kernel.getBody().front();
  canonicalizeOrder(body);
  if (persistent)
    loopOverGrid(*this);
  for (const std::string &name : llvm::reverse(dimNames))
    if (auto dim = dimByName.find(name); dim != dimByName.end())
      dim->second.getDefiningOp()->moveBefore(&body.front());
  kernel.setFunctionTypeAttr(mlir::TypeAttr::get(getFunctionType(body.getArgumentTypes(), {})));
  kernel->setAttr(mlir::tile::TileDialect::launchAttrName, launchAttr());
}

void Builder::useNames(const Dim &dim, Loc loc) {
  auto visit = [&](auto &self, const DimNode &node) -> void {
    if (node.op == DimNode::Op::name) {
      if (!llvm::is_contained(dimNames, node.name))
        dimNames.push_back(node.name);
      int64_t &multiple = dimMultiple.try_emplace(node.name, 1).first->second;
      multiple = std::lcm(multiple, node.multipleOf);
    }
    if (node.left)
      self(self, *node.left), self(self, *node.right);
  };
  visit(visit, dim.node());
}

void Builder::useGroups(const Dim &members, const Dim &groups, Loc loc) {
  useNames(members, loc);
  useNames(groups, loc);
  auto refuse = [&](const std::string &what) {
    fail(loc, "group needs equal groups: expected " + what + "; found " + text(members) +
                  " members and " + text(groups) + " groups");
  };
  const DimNode &count = groups.node();
  if (count.isConstant() && count.value < 1)
    refuse("at least 1 group");
  if (count.isConstant() && members.node().isConstant() && members.node().value % count.value != 0)
    refuse("a multiple of the groups as members");
  bool known = llvm::any_of(dimGroups, [&](const auto &pair) {
    return text(pair.first) == text(members) && text(pair.second) == text(groups);
  });
  if (!known)
    dimGroups.emplace_back(members, groups);
}

static mlir::Value dimOperation(Builder &b, const DimNode &node, mlir::Value left,
                                mlir::Value right, mlir::Location loc) {
  using namespace mlir::arith;
  bool divides = node.op == DimNode::Op::floorDiv || node.op == DimNode::Op::ceilDiv ||
                 node.op == DimNode::Op::mod;
  if (divides && !node.right->isConstant()) // a dimension may be 0
    right = MaxSIOp::create(b, loc, right, b.indexConstant(1, node.loc));
  switch (node.op) {
  case DimNode::Op::add:
    return AddIOp::create(b, loc, left, right);
  case DimNode::Op::sub:
    return SubIOp::create(b, loc, left, right);
  case DimNode::Op::mul:
    return MulIOp::create(b, loc, left, right);
  case DimNode::Op::floorDiv:
    return FloorDivSIOp::create(b, loc, left, right);
  case DimNode::Op::ceilDiv:
    return CeilDivSIOp::create(b, loc, left, right);
  case DimNode::Op::mod:
    return RemSIOp::create(b, loc, left, right);
  case DimNode::Op::min:
    return MinSIOp::create(b, loc, left, right);
  default:
    return MaxSIOp::create(b, loc, left, right);
  }
}

mlir::Value Builder::dimValue(const Dim &dim, Loc loc) {
  useNames(dim, loc);
  auto build = [&](auto &self, const DimNode &node) -> mlir::Value {
    if (node.isConstant())
      return indexConstant(node.value, loc);
    if (node.op == DimNode::Op::smCount)
      fail(loc, "the number of multiprocessors is known to the launcher only; use it in the grid");
    if (node.op != DimNode::Op::name) {
      mlir::Value left = self(self, *node.left), right = self(self, *node.right);
      return dimOperation(*this, node, left, right, location(loc));
    }
    mlir::Value &known = dimByName[node.name];
    if (known)
      return known;
    InsertionGuard guard(*this);
    if (lastDim)
      setInsertionPointAfter(lastDim);
    else
      setInsertionPointToStart(&kernel.getBody().front());
    lastDim = mlir::tile::DimOp::create(*this, location(node.loc), getI64Type(), node.name);
    return known = lastDim->getResult(0);
  };
  return build(build, dim.node());
}

Parameter &Builder::addParameter(Parameter parameter, mlir::Type type) {
  for (const Parameter &other : parameters)
    if (other.name == parameter.name)
      fail(parameter.loc, "parameter '" + other.name +
                              "' is declared twice; the first is at line " +
                              std::to_string(other.loc.line()));
  parameter.argument = kernel.getBody().front().addArgument(type, location(parameter.loc));
  parameters.push_back(std::move(parameter));
  return parameters.back();
}

GlobalHandle addTensor(Builder &b, Access access, Element element, const std::string &name,
                       const std::vector<Dim> &extents, Loc loc) {
  if (extents.empty() || extents.size() > 8)
    fail(loc, "tensor '" + name + "' has " + std::to_string(extents.size()) +
                  " dimensions; it must have 1 to 8");
  llvm::SmallVector<int64_t> shape;
  for (const Dim &extent : extents) {
    b.useNames(extent, loc);
    bool isConstant = extent.node().isConstant();
    if (isConstant && extent.node().value < 1)
      fail(loc, "tensor '" + name + "' has the extents " + text(extents) +
                    "; a number must be at least 1");
    shape.push_back(isConstant ? extent.node().value : mlir::ShapedType::kDynamic);
  }
  auto type = mlir::tile::GlobalType::get(b.getContext(), shape, b.type(element));
  b.addParameter({name, element, loc, access, extents, false, {}}, type);
  return {&b, static_cast<unsigned>(b.parameters.size() - 1)};
}

Dim extentOf(const GlobalHandle &tensor, unsigned dim) {
  return tensor.builder->parameters[tensor.parameter].extents.at(dim);
}

Variable addScalar(Builder &b, Element element, const std::string &name, Loc loc) {
  return b.make(b.addParameter({name, element, loc, {}, {}, false, {}}, b.type(element)).argument);
}

void declarePositive(const Variable &scalar, Loc loc) {
  Builder &b = *scalar.builder();
  mlir::Value value = b.get(scalar, loc);
  for (Parameter &parameter : b.parameters)
    if (parameter.argument == value)
      parameter.positive = true;
}

int64_t Builder::knownMultiple(const DimNode &extent) {
  if (extent.isConstant())
    return extent.value;
  auto known = extent.op == DimNode::Op::name ? dimMultiple.find(extent.name) : dimMultiple.end();
  return known == dimMultiple.end() ? 1 : known->second;
}

mlir::DictionaryAttr Builder::parameterAttr(const Parameter &parameter) {
  mlir::NamedAttrList attributes;
  attributes.set("name", getStringAttr(parameter.name));
  attributes.set("dtype", getStringAttr(detail::name(parameter.element)));
  attributes.set("kind", getStringAttr(parameter.access ? "tensor" : "scalar"));
  if (parameter.positive)
    attributes.set("positive", getUnitAttr());
  if (!parameter.access)
    return attributes.getDictionary(getContext());
  attributes.set("access", getStringAttr(detail::name(*parameter.access)));
  auto extents = llvm::map_to_vector(parameter.extents, [](const Dim &d) { return text(d); });
  attributes.set("extents", getStrArrayAttr(llvm::to_vector_of<llvm::StringRef>(extents)));
  if (knownMultiple(parameter.extents.back().node()) * byteSize(parameter.element) % 16 == 0)
    attributes.set("aligned", getUnitAttr());
  return attributes.getDictionary(getContext());
}

/// Of a persistent grid: as many CTAs as run at once, and no more than there are items.
std::string Builder::persistentGrid() {
  int64_t ctasPerSm = kernel->getAttrOfType<mlir::IntegerAttr>("tile.ctas_per_sm").getInt();
  std::string items = "1";
  for (const Dim &extent : gridExtents)
    items = "items(" + items + ", " + text(extent) + ")";
  return "min(" + items + ", sm_count() * " + std::to_string(ctasPerSm) + ")";
}

mlir::DictionaryAttr Builder::launchAttr() {
  auto grid = llvm::map_to_vector(gridExtents, [](const Dim &d) { return text(d); });
  if (grid.empty())
    grid.push_back("1");
  if (persistent)
    grid = {persistentGrid()};
  llvm::SmallVector<mlir::Attribute> params, facts, groups;
  for (const Parameter &parameter : parameters)
    params.push_back(parameterAttr(parameter));
  for (const std::string &dim : dimNames)
    if (int64_t multiple = dimMultiple[dim]; multiple > 1)
      facts.push_back(
          getDictionaryAttr({getNamedAttr("dim", getStringAttr(dim)),
                             getNamedAttr("multiple_of", getI64IntegerAttr(multiple))}));
  for (const auto &[members, count] : dimGroups)
    groups.push_back(getDictionaryAttr({getNamedAttr("members", getStringAttr(text(members))),
                                        getNamedAttr("groups", getStringAttr(text(count)))}));
  mlir::NamedAttrList launch;
  launch.set("dims", getStrArrayAttr(llvm::to_vector_of<llvm::StringRef>(dimNames)));
  launch.set("facts", getArrayAttr(facts));
  launch.set("grid", getStrArrayAttr(llvm::to_vector_of<llvm::StringRef>(grid)));
  if (!groups.empty())
    launch.set("groups", getArrayAttr(groups));
  if (!order.first.empty())
    launch.set("order",
               getDictionaryAttr({getNamedAttr(order.first, getStringAttr(order.second))}));
  launch.set("params", getArrayAttr(params));
  launch.set("source", getStringAttr(source));
  return launch.getDictionary(getContext());
}

} // namespace tile::inline dsl::detail
