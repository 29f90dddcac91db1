//===- VerifyProtocol.cpp - no race, no deadlock between the roles ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"
#include "tilec/Protocol/Extract.h"
#include "tilec/Protocol/Model.h"
#include "tilec/Protocol/Proof.h"

namespace tilec {
#define GEN_PASS_DEF_VERIFYPROTOCOLPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

static void report(tile::KernelOp kernel, const protocol::ModelResult &result) {
  InFlightDiagnostic error = emitError(kernel.getLoc());
  error << result.message << ", with ";
  llvm::interleaveComma(result.where.trips, error);
  error << " trips";
  for (const std::string &step : result.trace)
    error.attachNote(kernel.getLoc()) << step;
}

namespace {
class VerifyProtocol : public tilec::impl::VerifyProtocolPassBase<VerifyProtocol> {
public:
  using VerifyProtocolPassBase::VerifyProtocolPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    FailureOr<std::optional<protocol::Extraction>> extraction = protocol::extract(getOperation());
    if (failed(extraction))
      return signalPassFailure();
    if (!*extraction)
      return;
    const protocol::Extraction &kernel = **extraction;
    std::vector<protocol::Fault> faults;
    if (count)
      faults = protocol::prove(kernel.program);
    if (!faults.empty()) { // the others often follow from it
      emitError(kernel.sources[faults.front().source]->getLoc()) << faults.front().message;
      return signalPassFailure();
    }
    if (!model)
      return;
    protocol::ModelResult result = protocol::exploreAll(kernel.program);
    numStates += result.states;
    if (result.verdict == protocol::Verdict::Good)
      return;
    report(getOperation(), result);
    signalPassFailure();
  }
};
} // namespace
