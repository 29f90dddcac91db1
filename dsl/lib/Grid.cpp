//===- Grid.cpp - numbering of CTAs, order by cost, work items -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Grid.h"
#include "Carried.h"

namespace tile::inline dsl::detail {

using namespace mlir::arith;

static constexpr const char *coordinateNames[] = {"cta_x", "cta_y", "cta_z"};

Dim gridCoordinate(size_t axis) { return Dim(coordinateNames[axis]); }

Variable programId(Builder &b, Loc loc) {
  return b.make(mlir::tile::ProgramIdOp::create(b, b.location(loc), b.getI64Type()));
}

/// Takes a CTA's number apart; the coordinates in the order of `axes` vary, the first fastest.
static std::vector<Variable> coordinates(Builder &b, mlir::Value rest, llvm::ArrayRef<size_t> axes,
                                         Loc loc) {
  mlir::Location at = b.location(loc);
  std::vector<Variable> ids(b.gridExtents.size());
  for (size_t axis : axes.drop_back()) {
    mlir::Value extent = b.dimValue(b.gridExtents[axis], loc);
    ids[axis] = b.make(RemUIOp::create(b, at, rest, extent));
    rest = DivUIOp::create(b, at, rest, extent);
  }
  ids[axes.back()] = b.make(rest);
  return ids;
}

static llvm::SmallVector<size_t> allAxes(const Builder &b) {
  return llvm::to_vector(llvm::seq<size_t>(0, b.gridExtents.size()));
}

static void setGrid(Builder &b, const std::vector<Dim> &extents, Loc loc) {
  if (b.gridLoc)
    fail(loc, "the grid is already set at line " + std::to_string(b.gridLoc->line()) +
                  "; a kernel has one");
  for (const Dim &extent : extents)
    b.useNames(extent, loc);
  b.gridLoc = loc;
  b.gridExtents = extents;
}

std::vector<Variable> grid(Builder &b, const std::vector<Dim> &extents, Loc loc) {
  setGrid(b, extents, loc);
  return coordinates(b, b.get(programId(b, loc), loc), allAxes(b), loc);
}

//===----------------------------------------------------------------------===//
// Order by cost
//===----------------------------------------------------------------------===//

/// How an expression changes with a coordinate of the grid.
enum class Trend : uint8_t { constant, up, down, unknown };

static Trend opposite(Trend trend) {
  return trend == Trend::up ? Trend::down : trend == Trend::down ? Trend::up : trend;
}

static Trend together(Trend a, Trend b) {
  if (a == Trend::constant || a == b)
    return b;
  return b == Trend::constant ? a : Trend::unknown;
}

/// Named dimensions and coordinates never are negative.
static bool isNonNegative(const DimNode &node) {
  if (node.op == DimNode::Op::name)
    return true;
  if (node.op == DimNode::Op::constant)
    return node.value >= 0;
  return node.op != DimNode::Op::sub && (!node.left || isNonNegative(*node.left)) &&
         (!node.right || isNonNegative(*node.right));
}

static Trend trendOf(const DimNode &node, llvm::StringRef name) {
  if (!node.left)
    return node.op == DimNode::Op::name && node.name == name ? Trend::up : Trend::constant;
  Trend left = trendOf(*node.left, name), right = trendOf(*node.right, name);
  Trend both = together(left, right);
  switch (node.op) {
  case DimNode::Op::sub:
    return together(left, opposite(right));
  case DimNode::Op::mul:
    return both == Trend::constant || (isNonNegative(*node.left) && isNonNegative(*node.right))
               ? both
               : Trend::unknown;
  case DimNode::Op::floorDiv:
  case DimNode::Op::ceilDiv:
    return right == Trend::constant ? left : Trend::unknown;
  case DimNode::Op::mod:
    return both == Trend::constant ? both : Trend::unknown;
  default: // sums, minima, maxima
    return both;
  }
}

/// The one coordinate that the cost changes with, and how.
static std::pair<size_t, Trend> costAxis(const Builder &b, const Dim &cost, Loc loc) {
  llvm::SmallVector<std::pair<size_t, Trend>> found;
  for (size_t axis : allAxes(b))
    if (Trend trend = trendOf(cost.node(), coordinateNames[axis]); trend != Trend::constant)
      found.push_back({axis, trend});
  if (found.size() != 1 || found.front().second == Trend::unknown)
    fail(loc, "expected a cost that rises or falls along one coordinate of the grid and does not "
              "depend on the others, found '" +
                  text(cost) + "'; order(list) takes any order");
  return found.front();
}

/// Those of `dim` that are no coordinates are dimensions of the launch.
static void useDimensions(Builder &b, const DimNode &node, Loc loc) {
  for (const std::shared_ptr<DimNode> &child : {node.left, node.right})
    if (child)
      useDimensions(b, *child, loc);
  if (node.op == DimNode::Op::name && !llvm::is_contained(coordinateNames, node.name))
    b.useNames(Dim(node.name, loc), loc);
}

/// CTAs of a launch; a bound that makes 32-bit divisions of 64-bit ones.
static constexpr int64_t mostPrograms = (int64_t(1) << 31) - 1;

/// A CTA's place in the order of costs, and its number among the members that share that place.
struct OrderedProgram {
  mlir::Value place, member;
};

/// Sections of `together` members, one after the other; the last may be smaller. Divides only by
/// what is known at launch.
static OrderedProgram inSections(Builder &b, mlir::Value program, const Dim &places,
                                 const Dim &members, const Dim &atMost, Loc loc) {
  mlir::Location at = b.location(loc);
  Dim together = max(atMost, Dim(1)), inLast = max(members % together, Dim(1));
  mlir::Value size = b.dimValue(together, loc), sizeOfLast = b.dimValue(inLast, loc);
  mlir::Value programs = b.dimValue(together * places, loc);
  mlir::Value section = DivUIOp::create(b, at, program, programs);
  mlir::Value rest = RemUIOp::create(b, at, program, programs);
  mlir::Value first = MulIOp::create(b, at, section, size);
  mlir::Value whole =
      CmpIOp::create(b, at, CmpIPredicate::ult, section, b.dimValue(members / together, loc));
  mlir::Value place = DivUIOp::create(b, at, rest, size);
  mlir::Value placeInLast = DivUIOp::create(b, at, rest, sizeOfLast);
  place = SelectOp::create(b, at, whole, place, placeInLast);
  mlir::Value member = RemUIOp::create(b, at, rest, size);
  mlir::Value memberInLast = RemUIOp::create(b, at, rest, sizeOfLast);
  member = SelectOp::create(b, at, whole, member, memberInLast);
  member = MinUIOp::create(b, at, AddIOp::create(b, at, first, member),
                           b.indexConstant(mostPrograms, loc));
  return {place, member};
}

std::vector<Variable> orderByCost(Builder &b, const Dim &cost, const std::optional<Dim> &together,
                                  Loc loc) {
  auto [axis, trend] = costAxis(b, cost, loc);
  useDimensions(b, cost.node(), loc);
  b.order = {"cost", text(cost)};
  llvm::SmallVector<size_t> axes = allAxes(b);
  axes.erase(axes.begin() + static_cast<ptrdiff_t>(axis));
  mlir::Location at = b.location(loc);
  mlir::Value program = b.get(programId(b, loc), loc);
  mlir::Value places = b.dimValue(b.gridExtents[axis], loc);
  std::vector<Variable> ids;
  if (together && !axes.empty()) {
    Dim members = b.gridExtents[axes.front()];
    for (size_t other : llvm::drop_begin(axes))
      members = members * b.gridExtents[other];
    auto [place, member] = inSections(b, program, b.gridExtents[axis], members, *together, loc);
    ids = coordinates(b, member, axes, loc);
    ids[axis] = b.make(place);
  } else {
    axes.push_back(axis);
    ids = coordinates(b, program, axes, loc);
  }
  if (trend == Trend::up) {
    mlir::Value last = SubIOp::create(b, at, places, b.indexConstant(1, loc));
    ids[axis] = b.make(SubIOp::create(b, at, last, b.get(ids[axis], loc)));
  }
  return ids;
}

std::vector<Variable> orderByList(Builder &b, const Variable &program, Loc loc) {
  mlir::Value number = b.get(program, loc);
  auto extend = number.getDefiningOp<ExtSIOp>();
  auto load = extend ? extend.getIn().getDefiningOp<mlir::tile::LoadScalarOp>()
                     : mlir::tile::LoadScalarOp();
  for (const Parameter &parameter : b.parameters)
    if (load && parameter.argument == load.getSource())
      b.order = {"list", parameter.name};
  return coordinates(b, number, allAxes(b), loc);
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

void tiles(Builder &b, const Dim &most, const Input &count, const Tiles &tiles,
           const LoopBody &body, Loc loc) {
  setCtasPerSm(b, tiles.ctas_per_sm, loc);
  setGrid(b, {min(most, Dim::sm_count() * Dim(tiles.ctas_per_sm))}, loc);
  mlir::Value items = b.indexValue(count);
  mlir::Value first = b.get(programId(b, loc), loc);
  mlir::Value step = mlir::tile::NumProgramsOp::create(b, b.location(loc), b.getI64Type());
  mlir::scf::ForOp loop = countedLoop(b, first, items, step, body, loc);
  loop->setAttr(mlir::tile::TileDialect::tileLoopAttrName, b.getUnitAttr());
}

static bool usesSmCount(const DimNode &node) {
  return node.op == DimNode::Op::smCount || (node.left && usesSmCount(*node.left)) ||
         (node.right && usesSmCount(*node.right));
}

void persist(Builder &b, std::optional<int> ctasPerSm, Loc loc) {
  if (b.persistent)
    fail(loc, "the grid is already persistent");
  if (b.getInsertionBlock()->getParentOp() != b.kernelOp())
    fail(loc, "persistent() concerns the whole kernel, but stands in a loop or a branch; say it "
              "where the "
              "grid is set: k.grid(...).persistent()");
  for (const Dim &extent : b.gridExtents)
    if (usesSmCount(extent.node()))
      fail(loc, "expected extents that the kernel can count its work items by, found '" +
                    text(extent) +
                    "'; the number of multiprocessors is known to the launcher only");
  if (ctasPerSm)
    setCtasPerSm(b, *ctasPerSm, loc);
  b.persistent = true;
}

void loopOverGrid(Builder &b) {
  Loc loc = *b.gridLoc;
  if (!b.kernelOp()->hasAttr("tile.ctas_per_sm"))
    setCtasPerSm(b, 1, loc);
  mlir::Location at = b.location(loc);
  mlir::Block &body = b.kernelOp().getBody().front();
  Dim items = b.gridExtents.front();
  for (const Dim &extent : llvm::drop_begin(b.gridExtents))
    items = items * extent;
  llvm::SmallVector<mlir::tile::ProgramIdOp> programs;
  body.walk([&](mlir::tile::ProgramIdOp program) { programs.push_back(program); });
  mlir::Operation &start =
      *llvm::find_if(body, [](mlir::Operation &op) { return !mlir::isa<mlir::tile::DimOp>(op); });
  b.setInsertionPoint(&start);
  mlir::Value first = mlir::tile::ProgramIdOp::create(b, at, b.getI64Type());
  mlir::Value step = mlir::tile::NumProgramsOp::create(b, at, b.getI64Type());
  mlir::Value count = b.dimValue(items, loc);
  auto loop = mlir::scf::ForOp::create(b, at, first, count, step);
  loop->setAttr(mlir::tile::TileDialect::tileLoopAttrName, b.getUnitAttr());
  loop.getBody()->getOperations().splice(std::prev(loop.getBody()->end()), body.getOperations(),
                                         start.getIterator(), std::prev(body.end()));
  b.setInsertionPointToStart(loop.getBody());
  // The launcher refuses more items; the bound makes 32-bit divisions of 64-bit ones.
  mlir::Value item =
      MinUIOp::create(b, at, loop.getInductionVar(), b.indexConstant(mostPrograms, loc));
  for (mlir::tile::ProgramIdOp program : programs) {
    program.replaceAllUsesWith(item);
    program.erase();
  }
}

} // namespace tile::inline dsl::detail
