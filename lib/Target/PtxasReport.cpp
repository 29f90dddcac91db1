//===- PtxasReport.cpp - what ptxas says of a kernel, and the rules -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Cubin.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;

namespace {

/// The number that stands before `unit`, as in "24 bytes stack frame".
uint64_t numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef digits = line.take_front(end).rtrim();
  digits = digits.take_back(digits.size() - digits.find_last_not_of("0123456789") - 1);
  uint64_t number = 0;
  digits.getAsInteger(10, number);
  return number;
}

/// "(C7510) Potential Performance Loss: ..." to a notice; ptxas writes the function's name in it.
std::optional<PtxasNotice> parseNotice(StringRef line) {
  size_t begin = line.find("(C7");
  if (begin == StringRef::npos)
    return std::nullopt;
  auto [code, text] = line.drop_front(begin + 1).split(')');
  return PtxasNotice{code.str(), text.trim().str()};
}

/// Why ptxas says so and what to change.
StringRef remedy(StringRef code) {
  if (code == "C7508")
    return "setmaxnreg needs nvvm.reqntid and nvvm.minctasm on the kernel";
  if (code == "C7510")
    return "no function call may stand between wgmma instructions and their wait";
  if (code == "C7511" || code == "C7512")
    return "too few registers for the wgmma operands: use smaller tiles, more warps, or fewer CTAs "
           "per SM";
  if (code == "C7517")
    return "an accumulator is read before sm.wgmma_wait";
  if (code == "C7519")
    return "sm.wgmma_fence is missing before the first sm.wgmma";
  return "see ptxas's text";
}

} // namespace

bool KernelReport::wantsRegisters() const {
  auto isPressure = [](const PtxasNotice &notice) {
    return notice.code == "C7511" || notice.code == "C7512";
  };
  return spillStoreBytes || spillLoadBytes || llvm::any_of(notices, isPressure);
}

FailureOr<KernelReport> tilec::parsePtxasReport(StringRef output, StringRef kernelName) {
  KernelReport report;
  bool found = false, inside = false;
  for (StringRef line : llvm::split(output, '\n')) {
    if (auto notice = parseNotice(line)) {
      if (!line.contains("function '") || line.contains(("'" + kernelName + "'").str()))
        report.notices.push_back(*notice);
      continue;
    }
    if (line.contains("Compiling entry function"))
      found |= inside = line.contains(("'" + kernelName + "'").str());
    if (!inside)
      continue;
    if (line.contains("bytes stack frame")) {
      report.stackBytes = numberBefore(line, " bytes stack frame");
      report.spillStoreBytes = numberBefore(line, " bytes spill stores");
      report.spillLoadBytes = numberBefore(line, " bytes spill loads");
    } else if (line.contains("Used ")) {
      report.registers = numberBefore(line, " registers");
      report.barriers = numberBefore(line, " barriers");
      report.staticSharedBytes = numberBefore(line, " bytes smem");
    }
  }
  if (!found)
    return failure();
  return report;
}

LogicalResult tilec::checkReport(const KernelReport &report, StringRef kernelName,
                                 const CubinOptions &options, Location location) {
  if (options.allowSpills)
    return success();
  bool good = true;
  auto refuse = [&](const Twine &what) {
    good = false;
    return emitError(location, "kernel '" + kernelName + "' " + what);
  };
  if (report.spillStoreBytes || report.spillLoadBytes)
    refuse("spills ")
        << report.spillStoreBytes << " bytes of stores and " << report.spillLoadBytes
        << " of loads per thread at " << report.registers
        << " registers, 0 are allowed; use smaller tiles, more warps, or fewer CTAs per SM"
        << (options.scheduled ? ", or do without roles (--schedule=simple)" : "")
        << " (--allow-spills accepts it)";
  else if (report.stackBytes)
    refuse("has a stack frame of ") << report.stackBytes
                                    << " bytes, 0 are allowed; a vector is indexed at run time "
                                       "(--allow-spills accepts it)";
  for (const PtxasNotice &notice : report.notices)
    refuse("loses performance, ptxas notice ")
        << notice.code << ": " << notice.text << "; " << remedy(notice.code);
  // Registers are given out in units of 8 per thread.
  uint64_t needed = llvm::alignTo(report.registers, 8) * options.threads * options.ctasPerSM;
  if (needed > options.arch.registersPerSM)
    refuse("needs ") << report.registers << " registers for each of " << options.threads
                     << " threads, so " << options.ctasPerSM << " CTAs per SM do not fit into "
                     << options.arch.registersPerSM << "; use smaller tiles or fewer CTAs per SM";
  return success(good);
}
