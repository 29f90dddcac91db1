//===- Build.cpp - runs an author's function over a fresh builder ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Build.h"
#include "Builder.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

namespace tile::inline dsl {

namespace {

/// A wrong request: no line of the author is to blame.
struct RequestError {
  std::string message;
};

struct Chosen {
  const KernelEntry *entry;
  unsigned dtype;
  std::vector<int64_t> config;
};

} // namespace

static const KernelEntry &findKernel(const std::string &name) {
  std::vector<std::string> names;
  // The latest first: a source loaded at run time hides a kernel of this program.
  for (const KernelEntry &entry : llvm::reverse(registeredKernels())) {
    if (entry.name == name)
      return entry;
    names.push_back(entry.name);
  }
  llvm::sort(names);
  throw RequestError{"no kernel is named '" + name +
                     "'; there are: " + (names.empty() ? "none" : llvm::join(names, ", "))};
}

static unsigned findDtype(const KernelEntry &entry, const std::string &dtype) {
  if (dtype.empty())
    return 0;
  auto found = llvm::find(entry.dtypes, dtype);
  if (found == entry.dtypes.end())
    throw RequestError{"kernel '" + entry.name + "' is not registered for dtype '" + dtype +
                       "'; it is for: " + llvm::join(entry.dtypes, ", ")};
  return found - entry.dtypes.begin();
}

static std::string describe(const KernelEntry &entry) {
  std::vector<std::string> fields;
  for (const ConfigField &field : entry.config)
    fields.push_back(field.name + "=" + std::to_string(field.defaultValue));
  return fields.empty() ? "none" : llvm::join(fields, ", ");
}

static int64_t parseValue(const ConfigField &field, llvm::StringRef text) {
  if (field.type == ConfigField::Type::boolean && (text == "true" || text == "false"))
    return text == "true";
  int64_t value;
  bool isBoolean = field.type == ConfigField::Type::boolean;
  if (text.getAsInteger(10, value) || value < field.lowest || value > field.highest)
    throw RequestError{"config field '" + field.name + "' takes " +
                       (isBoolean ? "0, 1, false or true" : "an integer") + "; found '" +
                       text.str() + "'"};
  return value;
}

static Chosen choose(const BuildRequest &request) {
  const KernelEntry &entry = findKernel(request.kernel);
  Chosen chosen{&entry, findDtype(entry, request.dtype), {}};
  for (const ConfigField &field : entry.config)
    chosen.config.push_back(field.defaultValue);
  for (const auto &[name, text] : request.config) {
    auto field = llvm::find_if(entry.config, [&](const ConfigField &f) { return f.name == name; });
    if (field == entry.config.end())
      throw RequestError{"kernel '" + entry.name + "' has no config field '" + name +
                         "'; its fields and defaults are: " + describe(entry)};
    chosen.config[field - entry.config.begin()] = parseValue(*field, text);
  }
  return chosen;
}

static std::string symbolOf(const Chosen &chosen) {
  std::string symbol = chosen.entry->name;
  if (!chosen.entry->dtypes.empty())
    symbol += "__" + chosen.entry->dtypes[chosen.dtype];
  const char *separator = "__";
  for (auto [field, value] : llvm::zip(chosen.entry->config, chosen.config)) {
    symbol += separator + field.name + (value < 0 ? "m" : "") +
              std::to_string(value < 0 ? -value : value);
    separator = "_";
  }
  return symbol;
}

/// The config fields `warps` and `ctas_per_sm`, where there are such and they are not 0.
static void applyConfig(detail::Builder &builder, const Chosen &chosen) {
  for (auto [field, value] : llvm::zip(chosen.entry->config, chosen.config)) {
    if (value == 0)
      continue;
    if (field.name == "warps")
      detail::setWarps(builder, static_cast<int>(value), chosen.entry->loc);
    else if (field.name == "ctas_per_sm")
      detail::setCtasPerSm(builder, static_cast<int>(value), chosen.entry->loc);
  }
}

static llvm::LogicalResult buildInto(mlir::ModuleOp module, const Chosen &chosen) {
  detail::Builder builder(module, symbolOf(chosen), chosen.entry->name, chosen.entry->loc);
  try {
    applyConfig(builder, chosen);
    chosen.entry->run(builder, chosen.dtype, chosen.config);
  } catch (const detail::BuildError &error) {
    return mlir::emitError(builder.errorLocation(error.loc)) << error.what();
  }
  builder.finish();
  return mlir::success();
}

mlir::OwningOpRef<mlir::ModuleOp> build(mlir::MLIRContext &context, const BuildRequest &request) {
  context.loadDialect<mlir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect>();
  mlir::Location unknown = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(unknown);
  llvm::LogicalResult built = mlir::failure();
  try {
    built = buildInto(*module, choose(request));
  } catch (const RequestError &error) {
    mlir::emitError(unknown) << error.message;
    return nullptr;
  }
  if (mlir::failed(built) || mlir::failed(mlir::verify(*module)))
    return nullptr;
  return module;
}

} // namespace tile::inline dsl
