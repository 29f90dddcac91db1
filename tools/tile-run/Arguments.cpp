//===- Arguments.cpp - a kernel's arguments from the command line ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Fill.h"
#include "Npy.h"

#include "tile/Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using tile::Result;
using tile::Status;
using tilec::KernelDesc;
using tilec::ParamDesc;

namespace tilerun {

namespace {
constexpr auto tensorKind = tile::ParamInfo::Kind::tensor;

/// Fills an `Arguments` step by step; each step returns the first fault.
class ArgumentMaker {
public:
  ArgumentMaker(const KernelDesc &kernel, const Options &options, int64_t smCount)
      : kernel(kernel), options(options), smCount(smCount),
        names(kernel.dims.begin(), kernel.dims.end()), known(names.size()) {
    result.dims.resize(names.size());
  }

  Result<Arguments> make();

private:
  Status checkNames();
  template <class Map, class Accepts>
  Status checkNames(llvm::StringRef option, llvm::StringRef what, const Map &given,
                    Accepts accepts);
  Status readFiles();
  Status bindDims();
  Status bindDim(unsigned dim, int64_t value, const std::string &where);
  Status fillTensor(Argument &argument, uint64_t stream);
  Status shapeTensor(Argument &argument);
  Status readScalar(Argument &argument);

  const KernelDesc &kernel;
  const Options &options;
  int64_t smCount;
  std::vector<std::string_view> names;
  /// Per dimension, where its value comes from; empty if it has none yet.
  std::vector<std::string> known;
  Arguments result;
};

bool isInput(const ParamDesc &param) {
  return param.kind == tensorKind &&
         (param.access == tile::Access::in || param.access == tile::Access::inout);
}

bool isOutput(const ParamDesc &param) {
  return param.kind == tensorKind &&
         (param.access == tile::Access::out || param.access == tile::Access::inout);
}

template <class Map, class Accepts>
Status ArgumentMaker::checkNames(llvm::StringRef option, llvm::StringRef what, const Map &given,
                                 Accepts accepts) {
  for (const auto &entry : given) {
    std::string list;
    bool found = false;
    for (const ParamDesc &param : kernel.params) {
      if (!accepts(param))
        continue;
      found |= param.name == entry.first;
      list += (list.empty() ? "" : ", ") + param.name;
    }
    if (!found)
      return Status::error(("--" + option + ": expected " + what + " of '" + kernel.source + "' (" +
                            (list.empty() ? "it has none" : list) + "), found '" + entry.first +
                            "'")
                               .str());
  }
  return {};
}

Status ArgumentMaker::checkNames() {
  Status status = checkNames("in", "an input", options.inputs, isInput);
  if (status.ok())
    status = checkNames("scalar", "a scalar", options.scalars,
                        [](const ParamDesc &param) { return param.kind != tensorKind; });
  if (status.ok())
    status = checkNames("out", "an output", options.outputs, isOutput);
  if (status.ok())
    status = checkNames("expect", "an output", options.expectations, isOutput);
  for (const auto &[name, value] : options.dims)
    if (status.ok() && !llvm::is_contained(kernel.dims, name))
      status = Status::error("--dim: expected a dimension of '" + kernel.source + "' (" +
                             llvm::join(kernel.dims, ", ") + "), found '" + name + "'");
  for (const ParamDesc &param : kernel.params) {
    bool isScalar = param.kind != tensorKind;
    if (status.ok() && isInput(param) && !options.inputs.contains(param.name))
      status = Status::error("expected --in " + param.name +
                             "=file.npy|random[:seed][:lo..hi]|zeros, found nothing");
    if (status.ok() && isScalar && !options.scalars.contains(param.name))
      status = Status::error("expected --scalar " + param.name + "=value, found nothing");
  }
  return status;
}

Status ArgumentMaker::readFiles() {
  for (Argument &argument : result.params) {
    if (!argument.isTensor() || !argument.isRead())
      continue;
    const InputSpec &spec = options.inputs.at(argument.param->name);
    if (spec.kind != InputSpec::Kind::file)
      continue;
    std::string where = "--in " + argument.param->name + ": ";
    Result<NpyArray> array = readNpy(spec.path);
    if (!array.ok())
      return Status::error(where + array.message());
    if (array->shape.size() != argument.param->extents.size())
      return Status::error(where + "expected " + std::to_string(argument.param->extents.size()) +
                           " dimensions [" + llvm::join(argument.param->extents, ", ") +
                           "], found " + tile::shapeText(array->shape));
    Result<std::vector<char>> elements = convertNpy(*array, argument.param->dtype);
    if (!elements.ok())
      return Status::error(where + elements.message());
    argument.array.shape = array->shape;
    argument.array.data = *std::move(elements);
  }
  return {};
}

Status ArgumentMaker::bindDim(unsigned dim, int64_t value, const std::string &where) {
  if (!known[dim].empty() && result.dims[dim] != value)
    return Status::error("dimension '" + kernel.dims[dim] + "' is " +
                         std::to_string(result.dims[dim]) + " by " + known[dim] + ", but " +
                         std::to_string(value) + " by " + where);
  if (known[dim].empty())
    known[dim] = where;
  result.dims[dim] = value;
  return {};
}

Status ArgumentMaker::bindDims() {
  for (const Argument &argument : result.params) {
    // Only files have a shape by now.
    for (size_t axis = 0; axis < argument.array.shape.size(); ++axis) {
      Result<tile::Expr> expr = tile::Expr::parse(argument.param->extents[axis], names);
      if (!expr.ok())
        return Status::error("parameter '" + argument.param->name + "': " + expr.message());
      if (!expr->asName())
        continue;
      Status status = bindDim(*expr->asName(), argument.array.shape[axis],
                              "the file of '" + argument.param->name + "'");
      if (!status.ok())
        return status;
    }
  }
  for (unsigned dim = 0; dim < names.size(); ++dim) {
    if (auto given = options.dims.find(kernel.dims[dim]); given != options.dims.end())
      if (Status status = bindDim(dim, given->second, "--dim"); !status.ok())
        return status;
    if (known[dim].empty())
      return Status::error("dimension '" + kernel.dims[dim] + "' has no value; expected --dim " +
                           kernel.dims[dim] + "=N, or a file for a tensor that has it");
  }
  return {};
}

Status ArgumentMaker::shapeTensor(Argument &argument) {
  if (!argument.array.shape.empty())
    return {}; // a file's; the launch checks it
  int64_t bytes = tile::byteSize(argument.param->dtype);
  for (const std::string &text : argument.param->extents) {
    Result<tile::Expr> expr = tile::Expr::parse(text, names);
    Result<int64_t> extent = expr.ok() ? expr->evaluate(result.dims, smCount) : expr.status();
    if (!extent.ok())
      return Status::error("parameter '" + argument.param->name + "': " + extent.message());
    if (*extent < 0 || __builtin_mul_overflow(bytes, *extent, &bytes) || bytes > (int64_t(1) << 40))
      return Status::error("parameter '" + argument.param->name + "': the extent '" + text +
                           "' = " + std::to_string(*extent) + " is no size this program can make");
    argument.array.shape.push_back(*extent);
  }
  return {};
}

Status ArgumentMaker::fillTensor(Argument &argument, uint64_t stream) {
  if (Status status = shapeTensor(argument); !status.ok())
    return status;
  if (!argument.isRead() || !argument.array.data.empty())
    return {};
  int64_t count = 1;
  for (int64_t extent : argument.array.shape)
    count *= extent;
  tile::DType dtype = argument.param->dtype;
  const InputSpec &spec = options.inputs.at(argument.param->name);
  if (spec.kind != InputSpec::Kind::random) {
    argument.array.data.resize(static_cast<size_t>(count * tile::byteSize(dtype)));
    return {};
  }
  Result<std::vector<char>> elements = randomElements(spec, dtype, count, stream);
  if (!elements.ok())
    return Status::error("--in " + argument.param->name + ": " + elements.message());
  argument.array.data = *std::move(elements);
  return {};
}

Status ArgumentMaker::readScalar(Argument &argument) {
  tile::DType dtype = argument.param->dtype;
  const std::string &text = options.scalars.at(argument.param->name);
  double real = 0;
  int64_t integer = 0;
  if (tile::isFloat(dtype) && !llvm::StringRef(text).getAsDouble(real)) {
    argument.scalar = tile::Arg::real(dtype, real);
    return {};
  }
  if (!tile::isFloat(dtype) && !llvm::StringRef(text).getAsInteger(10, integer)) {
    argument.scalar = tile::Arg::integer(dtype, integer);
    uint64_t bits = argument.scalar->bits();
    if (dtype == tile::DType::i64 ||
        tile::readElement(dtype, &bits) == static_cast<double>(integer))
      return {};
  }
  return Status::error("--scalar " + argument.param->name + ": expected a value of type " +
                       tile::name(dtype) + ", found '" + text + "'");
}

Result<Arguments> ArgumentMaker::make() {
  if (Status status = checkNames(); !status.ok())
    return status;
  for (const ParamDesc &param : kernel.params)
    result.params.push_back({&param, {param.dtype, {}, {}}, std::nullopt});
  for (Argument &argument : result.params)
    if (!argument.isTensor())
      if (Status status = readScalar(argument); !status.ok())
        return status;
  if (Status status = readFiles(); !status.ok())
    return status;
  if (Status status = bindDims(); !status.ok())
    return status;
  for (size_t i = 0; i < result.params.size(); ++i)
    if (result.params[i].isTensor())
      if (Status status = fillTensor(result.params[i], i); !status.ok())
        return status;
  return std::move(result);
}
} // namespace

Result<Arguments> makeArguments(const KernelDesc &kernel, const Options &options, int64_t smCount) {
  return ArgumentMaker(kernel, options, smCount).make();
}

} // namespace tilerun
