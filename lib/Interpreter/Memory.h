//===- Memory.h - faults of addresses ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_MEMORY_H
#define TILEC_LIB_INTERPRETER_MEMORY_H

#include "Values.h"

namespace tilec::interp {

/// Reports an address that `Cta::sharedBytes` refused.
Outcome failShared(Warp &warp, const Instr &instr, uint32_t address, uint32_t count,
                   uint32_t alignment);
/// Reports an address that `Cta::globalBytes` refused.
Outcome failGlobal(Warp &warp, const Instr &instr, uint64_t address, uint64_t count, bool write);

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_MEMORY_H
