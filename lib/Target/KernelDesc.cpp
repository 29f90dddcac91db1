//===- KernelDesc.cpp - read a kernel's tables off its attributes ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "tilec/Target/KernelDesc.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tilec {

namespace {
/// One reader per kernel: every failure is reported once, at the kernel.
class LaunchReader {
public:
  explicit LaunchReader(Operation *kernel) : kernel(kernel) {}

  FailureOr<KernelDesc> read();

private:
  LogicalResult readParam(Attribute attribute, ParamDesc &param);
  LogicalResult readFact(Attribute attribute, std::pair<std::string, int64_t> &fact);
  LogicalResult readString(DictionaryAttr dict, StringRef key, std::string &value);
  LogicalResult readStrings(DictionaryAttr dict, StringRef key, std::vector<std::string> &values);
  /// Absent keys are empty lists.
  template <class T, class Read>
  LogicalResult readList(DictionaryAttr dict, StringRef key, std::vector<T> &values, Read read);

  InFlightDiagnostic error() { return kernel->emitOpError() << "attribute 'tile.launch': "; }

  Operation *kernel;
};

FailureOr<KernelDesc> LaunchReader::read() {
  KernelDesc desc;
  auto symbol = kernel->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto launch = kernel->getAttrOfType<DictionaryAttr>("tile.launch");
  if (!symbol || !launch) {
    kernel->emitOpError() << "expected a kernel with the attribute 'tile.launch', found none";
    return failure();
  }
  desc.symbol = symbol.getValue().str();
  desc.source = desc.symbol;
  if (launch.contains("source") && failed(readString(launch, "source", desc.source)))
    return failure();
  if (auto warps = kernel->getAttrOfType<IntegerAttr>("tile.num_warps"))
    desc.numWarps = static_cast<int>(warps.getInt());
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>("tile.shared_bytes"))
    desc.sharedBytes = bytes.getInt();
  if (failed(readStrings(launch, "dims", desc.dims)) ||
      failed(readStrings(launch, "grid", desc.grid)) ||
      failed(
          readList(launch, "facts", desc.facts,
                   [&](Attribute attribute, auto &fact) { return readFact(attribute, fact); })) ||
      failed(readList(launch, "params", desc.params, [&](Attribute attribute, ParamDesc &param) {
        return readParam(attribute, param);
      })))
    return failure();
  return desc;
}

LogicalResult LaunchReader::readParam(Attribute attribute, ParamDesc &param) {
  auto dict = dyn_cast<DictionaryAttr>(attribute);
  if (!dict)
    return error() << "expected each of 'params' to be a dictionary, found " << attribute;
  std::string kind, dtype, access;
  if (failed(readString(dict, "name", param.name)) || failed(readString(dict, "kind", kind)) ||
      failed(readString(dict, "dtype", dtype)))
    return failure();
  auto parsedType = tile::parseDType(dtype);
  if (!parsedType)
    return error() << "parameter '" << param.name << "' has the unknown dtype '" << dtype << "'";
  param.dtype = *parsedType;
  param.positive = dict.contains("positive");
  if (kind == "scalar") {
    param.kind = tile::ParamInfo::Kind::scalar;
    return success();
  }
  if (kind != "tensor")
    return error() << "parameter '" << param.name
                   << "': expected kind 'tensor' or 'scalar', found '" << kind << "'";
  param.aligned = dict.contains("aligned");
  if (failed(readString(dict, "access", access)) ||
      failed(readStrings(dict, "extents", param.extents)))
    return failure();
  auto parsedAccess = tile::parseAccess(access);
  if (!parsedAccess)
    return error() << "parameter '" << param.name
                   << "': expected access 'in', 'out', 'inout' or 'workspace', found '" << access
                   << "'";
  param.access = *parsedAccess;
  return success();
}

LogicalResult LaunchReader::readFact(Attribute attribute, std::pair<std::string, int64_t> &fact) {
  auto dict = dyn_cast<DictionaryAttr>(attribute);
  auto multiple = dict ? dict.getAs<IntegerAttr>("multiple_of") : IntegerAttr();
  if (!multiple)
    return error() << "expected each of 'facts' to have an integer 'multiple_of', found "
                   << attribute;
  fact.second = multiple.getInt();
  return readString(dict, "dim", fact.first);
}

LogicalResult LaunchReader::readString(DictionaryAttr dict, StringRef key, std::string &value) {
  auto attribute = dict.getAs<StringAttr>(key);
  if (!attribute)
    return error() << "expected a string '" << key << "' in " << dict;
  value = attribute.getValue().str();
  return success();
}

LogicalResult LaunchReader::readStrings(DictionaryAttr dict, StringRef key,
                                        std::vector<std::string> &values) {
  return readList(dict, key, values, [&](Attribute attribute, std::string &value) {
    auto text = dyn_cast<StringAttr>(attribute);
    if (!text)
      return LogicalResult(error() << "expected strings in '" << key << "', found " << attribute);
    value = text.getValue().str();
    return success();
  });
}

template <class T, class Read>
LogicalResult LaunchReader::readList(DictionaryAttr dict, StringRef key, std::vector<T> &values,
                                     Read read) {
  if (!dict.contains(key))
    return success();
  auto list = dict.getAs<ArrayAttr>(key);
  if (!list)
    return error() << "expected '" << key << "' to be a list, found " << dict.get(key);
  for (Attribute attribute : list)
    if (failed(read(attribute, values.emplace_back())))
      return failure();
  return success();
}

std::vector<const char *> pointers(const std::vector<std::string> &strings) {
  std::vector<const char *> result;
  for (const std::string &string : strings)
    result.push_back(string.c_str());
  return result;
}
} // namespace

FailureOr<KernelDesc> describeKernel(Operation *kernel) { return LaunchReader(kernel).read(); }

KernelTables::KernelTables(KernelDesc desc, const void *image, tile::HostFunction host)
    : owned(std::move(desc)), dims(pointers(owned.dims)), grid(pointers(owned.grid)) {
  for (const ParamDesc &param : owned.params)
    extents.push_back(pointers(param.extents));
  for (const auto &[dim, multipleOf] : owned.facts)
    facts.push_back({dim.c_str(), multipleOf});
  for (size_t i = 0; i < owned.params.size(); ++i) {
    const ParamDesc &param = owned.params[i];
    params.push_back({param.name.c_str(), param.kind, param.dtype, param.access, extents[i],
                      param.aligned, param.positive});
  }
  kernel = {.symbol = owned.symbol.c_str(),
            .source = owned.source.c_str(),
            .dims = dims,
            .facts = facts,
            .params = params,
            .grid = grid,
            .numWarps = owned.numWarps,
            .sharedBytes = owned.sharedBytes,
            .image = image,
            .host = host};
}

} // namespace tilec
