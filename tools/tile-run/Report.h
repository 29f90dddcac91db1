//===- Report.h - what tile-run prints --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_REPORT_H
#define TILE_RUN_REPORT_H

#include "Arguments.h"
#include "Compare.h"

#include "llvm/Support/raw_ostream.h"

namespace tilerun {

struct OutputReport {
  std::string name;
  tile::DType dtype;
  std::vector<int64_t> shape;
  Summary summary;
  /// Where --expect asked for one.
  std::optional<Comparison> comparison;
};

struct Report {
  const tilec::KernelDesc *kernel;
  std::string target;
  std::vector<int64_t> dims;
  std::vector<OutputReport> outputs;
  /// Microseconds per launch; empty without --time.
  std::vector<double> times;

  /// Every comparison agrees.
  bool ok() const;
};

void printText(const Report &report, llvm::raw_ostream &os);
void printJson(const Report &report, llvm::raw_ostream &os);

} // namespace tilerun

#endif // TILE_RUN_REPORT_H
