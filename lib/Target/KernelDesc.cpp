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
  LogicalResult readMap(Attribute attribute, const KernelDesc &desc, tile::MapInfo &map);
  LogicalResult checkMap(const KernelDesc &desc, const tile::MapInfo &map);
  LogicalResult readFact(Attribute attribute, std::pair<std::string, int64_t> &fact);
  LogicalResult readGroup(Attribute attribute, std::pair<std::string, std::string> &group);
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
  auto readInteger = [&](StringRef name, auto &value) {
    if (auto attribute = kernel->getAttrOfType<IntegerAttr>(name))
      value = attribute.getInt();
  };
  readInteger("tile.num_warps", desc.numWarps);
  readInteger("tile.producer_warps", desc.producerWarps);
  readInteger("tile.shared_bytes", desc.sharedBytes);
  readInteger("tile.ctas_per_sm", desc.ctasPerSM);
  desc.prints = kernel->hasAttr("tile.prints");
  desc.counter = launch.contains("counter");
  if (failed(readStrings(launch, "dims", desc.dims)) ||
      failed(readStrings(launch, "grid", desc.grid)) ||
      failed(readStrings(launch, "derived", desc.derived)) ||
      failed(
          readList(launch, "facts", desc.facts,
                   [&](Attribute attribute, auto &fact) { return readFact(attribute, fact); })) ||
      failed(readList(
          launch, "groups", desc.groups,
          [&](Attribute attribute, auto &group) { return readGroup(attribute, group); })) ||
      failed(readList(
          launch, "params", desc.params,
          [&](Attribute attribute, ParamDesc &param) { return readParam(attribute, param); })) ||
      failed(readList(launch, "maps", desc.maps, [&](Attribute attribute, tile::MapInfo &map) {
        return readMap(attribute, desc, map);
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

LogicalResult LaunchReader::readMap(Attribute attribute, const KernelDesc &desc,
                                    tile::MapInfo &map) {
  auto dict = dyn_cast<DictionaryAttr>(attribute);
  auto param = dict ? dict.getAs<IntegerAttr>("param") : IntegerAttr();
  auto box = dict ? dict.getAs<ArrayAttr>("box") : ArrayAttr();
  auto swizzle = dict ? dict.getAs<IntegerAttr>("swizzle") : IntegerAttr();
  if (!param || !box || !swizzle)
    return error() << "expected each of 'maps' to have integers 'param' and 'swizzle' and a list "
                      "'box', found "
                   << attribute;
  if (box.empty() || box.size() > tile::maxMapRank)
    return error() << "expected a 'box' of 1 to " << tile::maxMapRank << " dimensions, found "
                   << box.size();
  map.param = static_cast<int>(param.getInt());
  map.rank = static_cast<int>(box.size());
  map.swizzle = static_cast<int>(swizzle.getInt());
  for (auto [axis, extent] : llvm::enumerate(box)) {
    auto integer = dyn_cast<IntegerAttr>(extent);
    if (!integer)
      return error() << "expected integers in 'box', found " << extent;
    map.box[axis] = static_cast<int>(integer.getInt());
  }
  return checkMap(desc, map);
}

/// What TMA can do.
LogicalResult LaunchReader::checkMap(const KernelDesc &desc, const tile::MapInfo &map) {
  constexpr int mostPerDimension = 256, chunkBytes = 16;
  bool inRange = map.param >= 0 && map.param < static_cast<int>(desc.params.size());
  if (!inRange || desc.params[map.param].kind != tile::ParamInfo::Kind::tensor)
    return error() << "a map names parameter " << map.param << ", expected the number of a tensor";
  const ParamDesc &param = desc.params[map.param];
  if (map.rank != static_cast<int>(param.extents.size()))
    return error() << "the map of '" << param.name << "' has a box of " << map.rank
                   << " dimensions, expected " << param.extents.size();
  for (int axis = 0; axis < map.rank; ++axis)
    if (map.box[axis] < 1 || map.box[axis] > mostPerDimension)
      return error() << "the map of '" << param.name << "' has a box of " << map.box[axis]
                     << " elements in dimension " << axis << ", expected 1 to " << mostPerDimension;
  int64_t innerBytes = map.box[map.rank - 1] * tile::byteSize(param.dtype);
  if (!llvm::is_contained({0, 32, 64, 128}, map.swizzle) || innerBytes % chunkBytes != 0 ||
      (map.swizzle != 0 && innerBytes > map.swizzle))
    return error() << "the map of '" << param.name << "' has rows of " << innerBytes
                   << " bytes with a swizzle of " << map.swizzle
                   << ", expected a multiple of 16 bytes, and no more than a swizzle of 32, 64 or "
                      "128 if there is one";
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

LogicalResult LaunchReader::readGroup(Attribute attribute,
                                      std::pair<std::string, std::string> &group) {
  auto dict = dyn_cast<DictionaryAttr>(attribute);
  if (!dict)
    return error() << "expected each of 'groups' to be a dictionary, found " << attribute;
  return success(succeeded(readString(dict, "members", group.first)) &&
                 succeeded(readString(dict, "groups", group.second)));
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
    : owned(std::move(desc)), dims(pointers(owned.dims)), grid(pointers(owned.grid)),
      derived(pointers(owned.derived)) {
  for (const ParamDesc &param : owned.params)
    extents.push_back(pointers(param.extents));
  for (const auto &[dim, multipleOf] : owned.facts)
    facts.push_back({dim.c_str(), multipleOf});
  for (const auto &[members, count] : owned.groups)
    groups.push_back({members.c_str(), count.c_str()});
  for (size_t i = 0; i < owned.params.size(); ++i) {
    const ParamDesc &param = owned.params[i];
    params.push_back({param.name.c_str(), param.kind, param.dtype, param.access, extents[i],
                      param.aligned, param.positive});
  }
  kernel = {.symbol = owned.symbol.c_str(),
            .source = owned.source.c_str(),
            .dims = dims,
            .facts = facts,
            .groups = groups,
            .params = params,
            .grid = grid,
            .derived = derived,
            .counter = owned.counter,
            .numWarps = owned.numWarps,
            .producerWarps = owned.producerWarps,
            .sharedBytes = owned.sharedBytes,
            .maps = owned.maps,
            .image = image,
            .host = host};
}

} // namespace tilec
