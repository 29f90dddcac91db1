//===- ParserFuzzer.cpp - wild text for the parsers of types and attributes ===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The first character chooses what the rest is read as. What parses has to print, and its print has to parse to
// the same type or attribute: they are unique in their context.

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

static MLIRContext &context() {
  static MLIRContext &made = *[] {
    auto *fresh = new MLIRContext(MLIRContext::Threading::DISABLED);
    fresh->loadDialect<tile::TileDialect, pipe::PipeDialect, sm::SMDialect>();
    // Errors are what most inputs end in.
    fresh->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
    return fresh;
  }();
  return made;
}

template <class T, class Parse> static void roundTrip(StringRef text, Parse parse) {
  T parsed = parse(text, &context());
  if (!parsed)
    return;
  std::string printed;
  llvm::raw_string_ostream(printed) << parsed;
  T again = parse(printed, &context());
  if (again != parsed)
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr const char *prefixes[] = {"!tile.", "!pipe.", "#tile.", "tensor<4x8xf32, #tile."};
  if (size == 0 || size > 512)
    return 0;
  unsigned kind = data[0] % 4;
  std::string text = prefixes[kind];
  text.append(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (kind == 2)
    roundTrip<Attribute>(text, [](StringRef from, MLIRContext *in) { return parseAttribute(from, in); });
  else
    roundTrip<Type>(text, [](StringRef from, MLIRContext *in) { return parseType(from, in); });
  return 0;
}
