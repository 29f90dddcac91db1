//===- Options.h - how many programs ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_OPTIONS_H
#define TILEC_TEST_UNIT_FUZZ_OPTIONS_H

#include <cstdint>

namespace tilec::fuzz {

struct Options {
  int64_t programs = 30, wild = 80, firstSeed = 1;
  int statements = 10;
};
Options &options();

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_OPTIONS_H
