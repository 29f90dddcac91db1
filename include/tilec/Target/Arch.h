//===- Arch.h - facts of the GPUs that code is generated for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_ARCH_H
#define TILEC_TARGET_ARCH_H

#include "llvm/ADT/StringRef.h"

namespace tilec {

/// One GPU. Sizes are bytes; registers are 32-bit.
struct Arch {
  llvm::StringLiteral name;  ///< as ptxas spells it
  unsigned sm;               ///< compute capability times 10
  unsigned ptx;              ///< PTX ISA version times 10 that we emit
  bool archSpecific;         ///< the `a` variant: wgmma and setmaxnreg exist
  unsigned maxThreads;       ///< per CTA
  unsigned maxSharedBytes;   ///< dynamic shared memory of one CTA, opted in to
  unsigned sharedBytesPerSM; ///< of all CTAs of an SM, 1024 per CTA being reserved
  unsigned registersPerSM;   ///< shared by all threads of an SM
  unsigned maxRegistersPerThread;
  unsigned namedBarriers;
};

/// PTX 8.8: fp8 mma.sync needs 8.4 and TMA to shared::cta 8.6, below which the back end aborts.
inline constexpr Arch sm90a{"sm_90a", 90, 88, true, 1024, 232448, 233472, 65536, 255, 16};

/// The architecture of that name, or null.
inline const Arch *findArch(llvm::StringRef name) { return name == sm90a.name ? &sm90a : nullptr; }

} // namespace tilec

#endif // TILEC_TARGET_ARCH_H
