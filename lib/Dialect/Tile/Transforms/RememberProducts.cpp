//===- RememberProducts.cpp - how scores can be computed again ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "tilec/Layout/Reshape.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace tilec {
#define GEN_PASS_DEF_REMEMBERPRODUCTSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

/// Columns whose terms are added up in one loop.
static constexpr int64_t kColumns = 32;

namespace {
struct RememberProducts : tilec::impl::RememberProductsPassBase<RememberProducts> {
  void runOnOperation() override;
};

/// A product of rows with rows, each from a window of its own.
struct Product {
  tile::GemmOp gemm;
  tile::WindowOp a, b;
};

/// Writes the body of `tile.again`.
class Body {
public:
  Body(Product product, tile::AgainOp again)
      : product(product), block(again->getBlock()), type(again.getType()), builder(again.getContext()) {
    builder.setInsertionPointToStart(&again.getBody().emplaceBlock());
  }
  LogicalResult write();

private:
  bool clone(Value value);
  Value column(tile::WindowOp rows, int64_t first, Value number, RankedTensorType part, int64_t axis);
  Value columns(int64_t first, RankedTensorType part);

  Product product;
  Block *block;
  RankedTensorType type;
  OpBuilder builder;
  IRMapping mapping;
};
} // namespace

/// The window that fills a tile, in one copy.
static tile::WindowOp windowOf(Value operand) {
  auto tile = operand.getDefiningOp<tile::AllocSharedOp>();
  if (!tile)
    return {};
  tile::WindowOp window;
  for (Operation *user : tile->getUsers()) {
    if (isa<tile::GemmOp, tile::LoadOp>(user))
      continue;
    auto copy = dyn_cast<tile::CopyOp>(user);
    if (!copy || window || copy.getTarget() != operand || copy.getPad())
      return {};
    window = copy.getSource().getDefiningOp<tile::WindowOp>();
    if (!window || window.getType().getShape() != tile.getType().getShape())
      return {};
  }
  return window;
}

/// True if reading one element at a time gives what the product adds up.
static bool isPlain(Product product) {
  tile::GemmOp gemm = product.gemm;
  Type element = gemm.getOperandElementType();
  return !gemm.isGrouped() && gemm.getTransposeB() && !gemm.getTransposeA() &&
         matchPattern(gemm.getAcc(), m_AnyZeroFloat()) && (element.isBF16() || element.isF16()) && product.a &&
         product.b && product.a.getDims().size() == 2 && product.b.getDims().size() == 2;
}

/// The one product that `value` is computed from in its block.
static tile::GemmOp findProduct(Value value) {
  SmallVector<Value> open{value};
  SmallPtrSet<Operation *, 16> seen;
  tile::GemmOp found;
  Operation *definition = value.getDefiningOp();
  Block *block = definition ? definition->getBlock() : nullptr;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    Operation *here = op && block ? block->findAncestorOpInBlock(*op) : nullptr;
    if (!here || !seen.insert(here).second)
      continue;
    if (auto gemm = dyn_cast<tile::GemmOp>(here)) {
      if (found)
        return {};
      found = gemm;
      continue;
    }
    here->walk([&](Operation *inner) { llvm::append_range(open, inner->getOperands()); });
  }
  return found;
}

/// Clones what `value` is computed from in the iteration.
bool Body::clone(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block || mapping.contains(value))
    return true;
  bool mayRunAgain = op->getNumRegions() == 0 && (isPure(op) || isa<tile::LoadScalarOp>(op));
  if (!mayRunAgain || !llvm::all_of(op->getOperands(), [&](Value operand) { return clone(operand); }))
    return false;
  builder.clone(*op, mapping);
  return true;
}

/// Element `number` of each row from row `first` on, in f32, spread over a part of the product along its other axis.
Value Body::column(tile::WindowOp rows, int64_t first, Value number, RankedTensorType part, int64_t axis) {
  Location loc = product.gemm.getLoc();
  SmallVector<Value> offsets, limits;
  for (Value offset : rows.getOffsets())
    offsets.push_back(mapping.lookupOrDefault(offset));
  int64_t outer = rows.getDims().front(), inner = rows.getDims().back();
  Value start = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(first));
  offsets[outer] = arith::AddIOp::create(builder, loc, offsets[outer], start);
  offsets[inner] = arith::AddIOp::create(builder, loc, offsets[inner], number);
  if (!rows.getLimits().empty())
    limits.push_back(mapping.lookupOrDefault(rows.getLimits().front()));
  Type element = rows.getType().getElementType();
  int64_t extent = part.getDimSize(axis);
  auto windowType = tile::WindowType::get(builder.getContext(), {extent}, element);
  Value window = tile::WindowOp::create(builder, loc, windowType, rows.getSource(), offsets, limits,
                                        rows.getDims().take_front(1));
  FragmentLayout layout = cast<tile::FragAttr>(part.getEncoding()).getLayout().slice(axis == 0 ? 1 : 0);
  auto columnType = RankedTensorType::get({extent}, element, tile::FragAttr::get(builder.getContext(), layout));
  Value loaded = tile::LoadOp::create(builder, loc, columnType, window, TypedAttr());
  Value wide = arith::ExtFOp::create(builder, loc, columnType.clone(builder.getF32Type()), loaded);
  return tile::BroadcastOp::create(builder, loc, part, wide, ArrayRef<int64_t>{axis});
}

/// The product's columns from `first` on: a term at a time.
Value Body::columns(int64_t first, RankedTensorType part) {
  Location loc = product.gemm.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(part));
  auto loop = scf::ForOp::create(builder, loc, number(0), number(product.gemm.getK()), number(1), zero);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value a = column(product.a, 0, loop.getInductionVar(), part, 0);
  Value b = column(product.b, first, loop.getInductionVar(), part, 1);
  Value term = arith::MulFOp::create(builder, loc, a, b);
  scf::YieldOp::create(builder, loc, arith::AddFOp::create(builder, loc, loop.getRegionIterArg(0), term).getResult());
  return loop.getResult(0);
}

LogicalResult Body::write() {
  Location loc = product.gemm.getLoc();
  for (tile::WindowOp window : {product.a, product.b})
    for (Value operand : window->getOperands())
      if (!clone(operand))
        return failure();
  // Some columns at a time: their terms are few registers beside the sums.
  FragmentLayout layout = cast<tile::FragAttr>(type.getEncoding()).getLayout();
  int64_t count = type.getDimSize(1), parts = count / kColumns;
  auto laidOut = [&](ArrayRef<int64_t> shape, const FragmentLayout &of) {
    return RankedTensorType::get(shape, builder.getF32Type(), tile::FragAttr::get(builder.getContext(), of));
  };
  FragmentLayout ofPart = wgmmaAccumulator(layout.coverage()[0], kColumns, layout.warps);
  FragmentLayout ofStack = stackAxis(ofPart, 1, parts);
  if (count % kColumns != 0 || parts < 2 || joinAxes(ofStack, 1, parts, kColumns) != layout) {
    tile::YieldOp::create(builder, loc, columns(0, type));
    return success();
  }
  SmallVector<Value> sums;
  for (int64_t number = 0; number < parts; ++number)
    sums.push_back(columns(number * kColumns, laidOut({type.getDimSize(0), kColumns}, ofPart)));
  Value stack = tile::StackOp::create(builder, loc, laidOut({type.getDimSize(0), parts, kColumns}, ofStack), sums, 1);
  tile::YieldOp::create(builder, loc, tile::JoinOp::create(builder, loc, type, stack, 1).getResult());
  return success();
}

static bool remember(tile::GemmOp gemm) {
  Product product{gemm, windowOf(gemm.getA()), windowOf(gemm.getB())};
  if (!isPlain(product))
    return false;
  OpBuilder builder(gemm->getContext());
  builder.setInsertionPointAfter(gemm);
  auto again = tile::AgainOp::create(builder, gemm.getLoc(), gemm.getType(), gemm.getResult());
  if (failed(Body(product, again).write())) {
    again->erase();
    return false;
  }
  gemm.getResult().replaceAllUsesExcept(again.getResult(), again);
  return true;
}

void RememberProducts::runOnOperation() {
  llvm::SetVector<Operation *> products;
  getOperation().walk([&](arith::SelectOp select) {
    auto loop = dyn_cast<scf::ForOp>(select->getParentOp());
    if (!loop || !loop->hasAttr(tile::TileDialect::pipelineAttrName) || !select->hasAttr(tile::TileDialect::followsAttrName))
      return;
    if (tile::GemmOp gemm = findProduct(select.getTrueValue()))
      products.insert(gemm);
  });
  for (Operation *gemm : products)
    remembered += remember(cast<tile::GemmOp>(gemm));
}
