//===- ParserFuzzer.cpp - wild text for the parsers of types and attributes ===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The first character chooses what the rest is read as. What parses has to print, and its print has
// to parse to the same type or attribute: they are unique in their context.

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

/// A context keeps every type and attribute that it ever made: a new one from time to time keeps
/// memory in bounds.
static MLIRContext &context() {
  constexpr unsigned lifetime = 1 << 14;
  static std::unique_ptr<MLIRContext> current;
  static unsigned uses = 0;
  if (uses++ % lifetime == 0) {
    current = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    current->loadDialect<tile::TileDialect, pipe::PipeDialect, sm::SMDialect>();
    // Errors are what most inputs end in.
    current->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
  }
  return *current;
}

template <class T, class Parse> static void roundTrip(StringRef text, Parse parse) {
  MLIRContext *in = &context();
  T parsed = parse(text, in);
  if (!parsed)
    return;
  std::string printed;
  llvm::raw_string_ostream(printed) << parsed;
  T again = parse(printed, in);
  if (again != parsed)
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr const char *prefixes[] = {"!tile.", "!pipe.", "#tile.",
                                             "tensor<4x8xf32, #tile."};
  if (size == 0 || size > 512)
    return 0;
  unsigned kind = data[0] % 4;
  std::string text = prefixes[kind];
  text.append(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (kind == 2)
    roundTrip<Attribute>(text,
                         [](StringRef from, MLIRContext *in) { return parseAttribute(from, in); });
  else
    roundTrip<Type>(text, [](StringRef from, MLIRContext *in) { return parseType(from, in); });
  return 0;
}
