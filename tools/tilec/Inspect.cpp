//===- Inspect.cpp - what tilec prints about a kernel -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "tilec/Analysis/SharedNames.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tilec;

static constexpr int64_t mbarrierBytes = 8;

static StringRef typeName(::tile::ConfigField::Type type) {
  return type == ::tile::ConfigField::Type::boolean ? "bool" : "int";
}

static void listAsJson(llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.array([&] {
    for (const ::tile::KernelEntry &kernel : ::tile::registeredKernels())
      json.object([&] {
        json.attribute("name", kernel.name);
        json.attributeArray("dtypes", [&] {
          for (const std::string &dtype : kernel.dtypes)
            json.value(dtype);
        });
        json.attributeArray("config", [&] {
          for (const ::tile::ConfigField &field : kernel.config)
            json.object([&] {
              json.attribute("name", field.name);
              json.attribute("type", typeName(field.type));
              json.attribute("default", field.defaultValue);
            });
        });
      });
  });
  os << "\n";
}

void tilec::listKernels(llvm::raw_ostream &os, bool json) {
  if (json)
    return listAsJson(os);
  for (const ::tile::KernelEntry &kernel : ::tile::registeredKernels()) {
    os << kernel.name << "  dtype " << llvm::join(kernel.dtypes, "|");
    for (const ::tile::ConfigField &field : kernel.config)
      os << "  " << field.name << "=" << field.defaultValue;
    os << "\n";
  }
}

/// `file:line` of the author's source.
static std::string lineOf(Location where) {
  auto location = where->findInstanceOf<FileLineColLoc>();
  if (!location)
    return "-"; // made by the compiler
  return (location.getFilename().getValue() + ":" + Twine(location.getLine())).str();
}

/// A line for each loop and one for the rest: cycles on each unit, all of them together, and the
/// unit that has the most to do.
static void printLoopCosts(llvm::raw_ostream &os, ArrayRef<LoopCost> loops) {
  if (loops.empty())
    return;
  os << "cycles         ";
  for (size_t unit = 0; unit < kUnits; ++unit)
    os << llvm::format("%7s", unitName(static_cast<Unit>(unit)).data());
  os << "  of an SM, for a CTA (estimates)\n";
  for (const LoopCost &loop : loops) {
    os << "               ";
    for (double cycles : loop.cycles)
      os << llvm::format("%7.0f", cycles);
    os << llvm::format("  %.0f", loop.predicted())
       << (loop.isLoop ? " an iteration of " : " outside loops, ") << lineOf(loop.where)
       << "; bound by " << unitName(loop.binding());
    if (loop.isLoop && loop.macs > 0)
      os << llvm::format(", %.0f TFLOP/s", loop.teraflops());
    os << "\n";
  }
}

void tilec::printReport(llvm::raw_ostream &os, const CompileResult &result) {
  const KernelReport &report = result.cubin.report;
  if (!result.desc.symbol.empty())
    os << "kernel          " << result.desc.symbol << "\n";
  if (result.object.empty() && !result.desc.symbol.empty())
    os << "path=" << (result.desc.producerWarps ? "scheduled" : "simple") << "\nwarps           "
       << result.desc.numWarps << " that compute, " << result.desc.producerWarps
       << " that copy\nshared          " << result.desc.sharedBytes << " bytes\n";
  if (!result.cubin.bytes.empty()) {
    os << "registers       " << report.registers << " per thread\nspills          "
       << report.spillStoreBytes << " bytes stored, " << report.spillLoadBytes << " loaded\n"
       << "stack           " << report.stackBytes << " bytes\n";
    for (const PtxasNotice &notice : report.notices)
      os << "ptxas " << notice.code << "     " << notice.text << "\n";
  }
  printLoopCosts(os, result.loops);
  if (result.reused)
    os << "machine code    of an earlier compilation\n";
  double total = 0;
  for (const PhaseTime &phase : result.times) {
    os << llvm::format("%-32s %8.1f ms\n", phase.name.c_str(), phase.milliseconds);
    total += phase.milliseconds;
  }
  os << llvm::format("%-32s %8.1f ms\n", "compile time", total);
}

void tilec::printLayouts(llvm::raw_ostream &os, ModuleOp module) {
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      auto layout = tensor ? dyn_cast_or_null<mlir::tile::FragAttr>(tensor.getEncoding()) : nullptr;
      if (layout)
        os << lineOf(op->getLoc()) << ": " << op->getName() << " "
           << tensor.cloneWithEncoding(Attribute()) << " " << layout << "\n";
    }
    if (auto alloc = dyn_cast<mlir::tile::AllocSharedOp>(op))
      os << lineOf(op->getLoc()) << ": " << op->getName() << " " << alloc.getType() << "\n";
  });
}

/// "swizzled by 128 bytes" or "row-major".
static std::string swizzleOf(mlir::tile::SharedType type) {
  int64_t width = type.getLayout().swizzle;
  return width == 0 ? "row-major" : "swizzled by " + std::to_string(width) + " bytes";
}

void tilec::printSharedMap(llvm::raw_ostream &os, ModuleOp module) {
  os << "   offset     bytes  tile\n";
  auto line = [&](int64_t offset, int64_t bytes) -> llvm::raw_ostream & {
    return os << llvm::format("%9lld %9lld  ", static_cast<long long>(offset),
                              static_cast<long long>(bytes));
  };
  module.walk([&](mlir::tile::AllocSharedOp alloc) {
    line(alloc.getOffset().value_or(-1), alloc.getType().getLayout().bytes())
        << describeTile(alloc.getLoc(), alloc.getType()) << ", " << swizzleOf(alloc.getType())
        << "  " << lineOf(alloc.getLoc()) << "\n";
  });
  module.walk([&](pipe::ChannelOp ring) {
    mlir::tile::SharedType slot = ring.getType().getSlot();
    int64_t stages = ring.getType().getStages();
    line(ring.getOffset().value_or(-1), stages * slot.getLayout().bytes())
        << stages << " stages of " << describeTile(ring.getLoc(), slot) << ", " << swizzleOf(slot)
        << "  " << lineOf(ring->getLoc()) << "\n";
  });
  // A ring's barriers: those that say full, then those that say empty.
  module.walk([&](pipe::ChannelOp ring) {
    int64_t stages = ring.getType().getStages();
    line(ring.getBarriers().value_or(-1), 2 * stages * mbarrierBytes)
        << 2 * stages << " mbarriers of the stages at " << ring.getOffset().value_or(-1) << "\n";
  });
}
