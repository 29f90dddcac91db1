//===- TargetPasses.h - the GPU target as passes, for lit --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_TARGETPASSES_H
#define TILEC_TARGET_TARGETPASSES_H

namespace tilec {

/// `print-ptx`, `print-device-llvm` and `print-cubin-report`: they print to standard output and
/// leave the IR alone.
void registerTargetPasses();

} // namespace tilec

#endif // TILEC_TARGET_TARGETPASSES_H
