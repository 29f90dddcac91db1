//===- Dialects.h - every dialect and translation of the compiler -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPELINE_DIALECTS_H
#define TILEC_PIPELINE_DIALECTS_H

namespace mlir {
class DialectRegistry;
}

namespace tilec {

/// Everything that the pipeline, the host target and saved stages need.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Every pass of ours, for textual pipelines.
void registerAllPasses();

} // namespace tilec

#endif // TILEC_PIPELINE_DIALECTS_H
