//===- Unnoticed.h - changes of kernels that nothing can notice -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_UNIT_INTERPRETER_UNNOTICED_H
#define TEST_UNIT_INTERPRETER_UNNOTICED_H

#include <cstddef>
#include <vector>

namespace tilec::test {

/// Changes of the case `name` that nothing can notice, at most so many of a kind.
struct Unnoticed {
  const char *name, *kind;
  size_t count;
  const char *why;
};

/// Of LibraryMutationTest.cpp.
extern const std::vector<Unnoticed> unnoticed;

} // namespace tilec::test

#endif // TEST_UNIT_INTERPRETER_UNNOTICED_H
