//===- RememberProducts.cpp - how scores can be computed again ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "RowSources.h"
#include "tilec/Analysis/AddressWork.h"
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

/// A product of rows with rows.
struct Product {
  tile::GemmOp gemm;
  Rows a;
  SmallVector<Rows> b;
};

/// Writes the body of `tile.again`.
class Body {
public:
  Body(Product product, tile::AgainOp again)
      : product(std::move(product)), block(again->getBlock()), type(again.getType()),
        builder(again.getContext()) {
    builder.setInsertionPointToStart(&again.getBody().emplaceBlock());
  }
  LogicalResult write();

private:
  bool clone(Value value);
  Value load(const Rows &rows, int64_t first, Value number, RankedTensorType type);
  Value column(const Rows &rows, int64_t first, Value number, RankedTensorType part, int64_t axis);
  Value columns(const Rows &rows, int64_t first, RankedTensorType part);

  Product product;
  Block *block;
  RankedTensorType type;
  OpBuilder builder;
  IRMapping mapping;
};
} // namespace

/// The product, if reading one element at a time gives what it adds up.
static std::optional<Product> productOf(tile::GemmOp gemm) {
  Type element = gemm.getOperandElementType();
  if (gemm.isGrouped() || !gemm.getTransposeB() || gemm.getTransposeA() ||
      !matchPattern(gemm.getAcc(), m_AnyZeroFloat()) || !element.isBF16())
    return std::nullopt;
  SmallVector<Rows> a = rowsOf(gemm.getA(), gemm), b = rowsOf(gemm.getB(), gemm);
  if (a.size() != 1 || b.empty())
    return std::nullopt;
  return Product{gemm, a.front(), std::move(b)};
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
  auto cloneOperand = [&](Value operand) { return clone(operand); };
  if (op->getNumRegions() != 0 || !isAddressWork(op) ||
      !llvm::all_of(op->getOperands(), cloneOperand))
    return false;
  builder.clone(*op, mapping);
  return true;
}

/// Element `number` of each row from row `first` of `rows` on.
Value Body::load(const Rows &rows, int64_t first, Value number, RankedTensorType loaded) {
  Location loc = product.gemm.getLoc();
  tile::WindowOp whole = rows.window;
  SmallVector<Value> offsets, limits;
  for (Value offset : whole.getOffsets())
    offsets.push_back(mapping.lookupOrDefault(offset));
  for (Value limit : whole.getLimits())
    limits.push_back(mapping.lookupOrDefault(limit));
  if (!limits.empty())
    limits.pop_back();
  ArrayRef<int64_t> dims = whole.getDims();
  Value start = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(first));
  offsets[dims.front()] = arith::AddIOp::create(builder, loc, offsets[dims.front()], start);
  offsets[dims.back()] = arith::AddIOp::create(builder, loc, offsets[dims.back()], number);
  auto type =
      tile::WindowType::get(builder.getContext(), loaded.getShape(), loaded.getElementType());
  Value window = tile::WindowOp::create(builder, loc, type, whole.getSource(), offsets, limits,
                                        dims.drop_back());
  return tile::LoadOp::create(builder, loc, loaded, window, TypedAttr());
}

/// The same in f32, spread over a part of the product along its other axis.
Value Body::column(const Rows &rows, int64_t first, Value number, RankedTensorType part,
                   int64_t axis) {
  Location loc = product.gemm.getLoc();
  MLIRContext *context = builder.getContext();
  tile::WindowOp whole = rows.window;
  ArrayRef<int64_t> shape = whole.getType().getShape();
  int64_t extent = part.getDimSize(axis);
  FragmentLayout layout =
      cast<tile::FragAttr>(part.getEncoding()).getLayout().slice(axis == 0 ? 1 : 0);
  auto type = RankedTensorType::get({extent}, whole.getType().getElementType(),
                                    tile::FragAttr::get(context, layout));
  Value loaded;
  if (shape.size() == 2) {
    loaded = load(rows, first, number, type);
  } else { // rows of several heads
    FragmentLayout apart = *splitAxis(layout, 0, shape[0], shape[1]);
    auto split = RankedTensorType::get(shape.drop_back(), type.getElementType(),
                                       tile::FragAttr::get(context, apart));
    loaded = tile::JoinOp::create(builder, loc, type, load(rows, first, number, split), 0);
  }
  Value wide = arith::ExtFOp::create(builder, loc, type.clone(builder.getF32Type()), loaded);
  return tile::BroadcastOp::create(builder, loc, part, wide, ArrayRef<int64_t>{axis});
}

/// The product's columns for keys from row `first` of `rows` on: a term at a time.
Value Body::columns(const Rows &rows, int64_t first, RankedTensorType part) {
  Location loc = product.gemm.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(part));
  auto loop =
      scf::ForOp::create(builder, loc, number(0), number(product.gemm.getK()), number(1), zero);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value a = column(product.a, 0, loop.getInductionVar(), part, 0);
  Value b = column(rows, first, loop.getInductionVar(), part, 1);
  Value term = arith::MulFOp::create(builder, loc, a, b);
  Value sum = arith::AddFOp::create(builder, loc, loop.getRegionIterArg(0), term);
  scf::YieldOp::create(builder, loc, sum);
  return loop.getResult(0);
}

LogicalResult Body::write() {
  Location loc = product.gemm.getLoc();
  SmallVector<Rows> all{product.a};
  llvm::append_range(all, product.b);
  for (Rows &rows : all)
    for (Value operand : rows.window->getOperands())
      if (!clone(operand))
        return failure();
  FragmentLayout layout = cast<tile::FragAttr>(type.getEncoding()).getLayout();
  int64_t count = type.getDimSize(1), parts = count / kColumns;
  auto laidOut = [&](ArrayRef<int64_t> shape, const FragmentLayout &of) {
    return RankedTensorType::get(shape, builder.getF32Type(),
                                 tile::FragAttr::get(builder.getContext(), of));
  };
  FragmentLayout ofPart = wgmmaAccumulator(layout.coverage()[0], kColumns, layout.warps);
  FragmentLayout ofStack = stackAxis(ofPart, 1, parts);
  if (joinAxes(ofStack, 1, parts, kColumns) != layout)
    return failure();
  // Some columns at a time: their terms are few registers beside the sums.
  SmallVector<Value> sums;
  for (const Rows &rows : product.b)
    for (int64_t first = 0; first < rows.count; first += kColumns)
      sums.push_back(columns(rows, first, laidOut({type.getDimSize(0), kColumns}, ofPart)));
  Value stack = tile::StackOp::create(
      builder, loc, laidOut({type.getDimSize(0), parts, kColumns}, ofStack), sums, 1);
  tile::YieldOp::create(builder, loc,
                        tile::JoinOp::create(builder, loc, type, stack, 1).getResult());
  return success();
}

/// True if the columns can be taken in equal parts, and the rows of both are along one axis, or two
/// for queries.
static bool isRegular(const Product &product) {
  auto rank = [](const Rows &rows) {
    tile::WindowOp window = rows.window;
    return window.getType().getShape().size();
  };
  tile::WindowOp first = product.a.window;
  tile::GemmOp gemm = product.gemm;
  ArrayRef<int64_t> shape = first.getType().getShape();
  FragmentLayout rows = cast<tile::FragAttr>(gemm.getType().getEncoding()).getLayout().slice(1);
  bool canSplit =
      shape.size() == 2 || (shape.size() == 3 && splitAxis(rows, 0, shape[0], shape[1]));
  return canSplit && llvm::all_of(product.b, [&](const Rows &rows) {
           return rank(rows) == 2 && rows.count % kColumns == 0;
         });
}

static bool remember(tile::GemmOp gemm) {
  std::optional<Product> product = productOf(gemm);
  if (!product || !isRegular(*product))
    return false;
  OpBuilder builder(gemm->getContext());
  builder.setInsertionPointAfter(gemm);
  auto again = tile::AgainOp::create(builder, gemm.getLoc(), gemm.getType(), gemm.getResult());
  if (failed(Body(std::move(*product), again).write())) {
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
    if (!loop || !loop->hasAttr(tile::TileDialect::pipelineAttrName) ||
        !select->hasAttr(tile::TileDialect::followsAttrName))
      return;
    if (tile::GemmOp gemm = findProduct(select.getTrueValue()))
      products.insert(gemm);
  });
  for (Operation *gemm : products)
    remembered += remember(cast<tile::GemmOp>(gemm));
}
