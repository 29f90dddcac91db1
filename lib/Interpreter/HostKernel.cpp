//===- HostKernel.cpp - launches from the words of the launcher -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Interpreter/HostKernel.h"

#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;

std::atomic<InterpretedKernel *> InterpretedKernel::current = nullptr;

/// A tensor as its words say: address, extents, strides but the last.
struct InterpretedKernel::View {
  char *data = nullptr;
  std::vector<int64_t> extents, strides;

  /// Bytes from the first to the last element; strides are not negative.
  int64_t bytes(int64_t elementBytes) const {
    int64_t last = 0;
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      if (extents[axis] == 0)
        return 0;
      last += (extents[axis] - 1) * strides[axis];
    }
    return (last + 1) * elementBytes;
  }
};

LogicalResult InterpretedKernel::readMaps(func::FuncOp kernel) {
  auto launch = kernel->getAttrOfType<DictionaryAttr>(mlir::tile::TileDialect::launchAttrName);
  auto list = launch ? launch.getAs<ArrayAttr>("maps") : ArrayAttr();
  for (Attribute entry : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto recipe = dyn_cast<DictionaryAttr>(entry);
    auto param = recipe ? recipe.getAs<IntegerAttr>("param") : IntegerAttr();
    auto swizzle = recipe ? recipe.getAs<IntegerAttr>("swizzle") : IntegerAttr();
    if (!param || !swizzle || param.getInt() < 0 ||
        static_cast<size_t>(param.getInt()) >= description.params.size())
      return kernel.emitError() << "expected {param, box, swizzle} in 'maps', found " << entry;
    MapRecipe result{static_cast<size_t>(param.getInt()), {}, swizzle.getInt()};
    if (auto box = recipe.getAs<ArrayAttr>("box"))
      for (Attribute extent : box)
        result.box.push_back(cast<IntegerAttr>(extent).getInt());
    else if (auto dense = recipe.getAs<DenseI64ArrayAttr>("box"))
      result.box.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
    maps.push_back(std::move(result));
  }
  return success();
}

LogicalResult InterpretedKernel::readDerived(func::FuncOp kernel) {
  std::vector<std::string_view> names(description.dims.begin(), description.dims.end());
  for (const std::string &text : description.derived) {
    ::tile::Result<::tile::Expr> expr = ::tile::Expr::parse(text, names);
    if (!expr.ok())
      return kernel.emitError() << "derived: " << expr.message();
    derived.push_back(std::move(*expr));
  }
  return success();
}

FailureOr<std::unique_ptr<InterpretedKernel>> InterpretedKernel::create(func::FuncOp kernel) {
  std::unique_ptr<InterpretedKernel> result(new InterpretedKernel);
  FailureOr<KernelDesc> description = describeKernel(kernel);
  if (failed(description))
    return failure();
  result->kernel = kernel;
  result->description = std::move(*description);
  result->grid = result->description.grid;
  result->setSmCount(usualSmCount);
  FailureOr<SMProgram> code = SMProgram::create(kernel);
  if (failed(code) || failed(result->readMaps(kernel)) || failed(result->readDerived(kernel)))
    return failure();
  result->code = std::move(*code);
  return result;
}

InterpretedKernel::~InterpretedKernel() {
  InterpretedKernel *self = this;
  current.compare_exchange_strong(self, nullptr);
}

void InterpretedKernel::clearFailure() {
  failures = 0;
  counter = 0;
}

/// The launcher would put in the number of this process's threads.
void InterpretedKernel::setSmCount(int64_t count) {
  constexpr llvm::StringLiteral name = "sm_count()";
  description.grid = grid;
  for (std::string &extent : description.grid)
    for (size_t at; (at = extent.find(name)) != std::string::npos;)
      extent.replace(at, name.size(), std::to_string(count));
}

SMLaunch InterpretedKernel::launchOf(void **params) {
  SMLaunch launch;
  launch.seed = seed;
  launch.maxSteps = maxSteps;
  auto next = [&] {
    launch.words.push_back(0);
    std::memcpy(&launch.words.back(), *params++, sizeof(uint64_t));
    return launch.words.back();
  };
  std::vector<View> views;
  for (const ParamDesc &param : description.params) {
    View &view = views.emplace_back();
    if (param.kind != ::tile::ParamInfo::Kind::tensor) {
      next();
      continue;
    }
    view.data = reinterpret_cast<char *>(next());
    size_t rank = param.extents.size();
    for (size_t axis = 0; axis < rank; ++axis)
      view.extents.push_back(static_cast<int64_t>(next()));
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      view.strides.push_back(static_cast<int64_t>(next()));
    view.strides.push_back(1);
    launch.buffers.push_back({param.name, view.data, view.bytes(::tile::byteSize(param.dtype)),
                              param.access != ::tile::Access::in});
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < description.dims.size(); ++i)
    dims.push_back(static_cast<int64_t>(next()));
  for (const ::tile::Expr &expr : derived) {
    ::tile::Result<int64_t> value = expr.evaluate(dims, /*smCount=*/1);
    launch.words.push_back(value.ok() ? static_cast<uint64_t>(*value) : 0);
  }
  if (description.counter) {
    launch.words.push_back(hasCounter ? reinterpret_cast<uintptr_t>(&counter) : 0);
    launch.buffers.push_back({"counter of work items", &counter, sizeof(counter)});
  }
  // The launcher's number of thread blocks follows: no word of the kernel.
  std::memcpy(&launch.grid, *params, sizeof(launch.grid));
  for (const MapRecipe &recipe : maps) {
    const View &view = views[recipe.param];
    launch.maps.push_back({view.data, ::tile::byteSize(description.params[recipe.param].dtype),
                           view.extents, view.strides, recipe.box, recipe.swizzle});
  }
  return launch;
}

::tile::HostFunction InterpretedKernel::function() {
  current = this;
  return trampoline;
}

/// The CTAs must leave the counter as they found it.
LogicalResult InterpretedKernel::runItems(SMLaunch &launch) {
  launch.concurrent = launch.grid;
  if (failed(code.run(launch)))
    return failure();
  if (uint32_t value = std::exchange(counter, 0))
    return emitError(kernel.getLoc())
           << "the counter of work items ended at " << value << ", expected 0";
  done += launch.grid;
  return success();
}

/// Of several calls for the CTAs of a launch that has a counter, the first one runs them all.
void InterpretedKernel::trampoline(void **params, int64_t begin, int64_t end) {
  InterpretedKernel *kernel = current;
  if (!kernel || kernel->failures)
    return;
  SMLaunch launch = kernel->launchOf(params);
  if (kernel->description.counter) {
    if (begin == 0 && failed(kernel->runItems(launch)))
      ++kernel->failures;
  } else if (failed(kernel->code.run(launch, begin, end))) {
    ++kernel->failures;
  } else {
    kernel->done += end - begin;
  }
}
