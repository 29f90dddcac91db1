//===- Mbarrier.h - what copies and barriers share --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_MBARRIER_H
#define TILEC_LIB_INTERPRETER_MBARRIER_H

#include "Cta.h"

namespace tilec::interp {

/// The mbarrier at an address, or null after a report.
Mbarrier *findMbarrier(Warp &warp, const Instr &instr, uint32_t address);
/// Goes to the next phase if all arrivals and bytes are there.
void completePhase(Cta &cta, Mbarrier &barrier);

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_MBARRIER_H
