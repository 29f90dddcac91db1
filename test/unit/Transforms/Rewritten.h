//===- Rewritten.h - a test and what testInLoop makes of it ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_TRANSFORMS_REWRITTEN_H
#define TILEC_TEST_UNIT_TRANSFORMS_REWRITTEN_H

#include "Kernel.h"
#include "ScalarProgram.h"

namespace tilec::test {

/// What the values of a kernel are in one run. Of the kernel's arguments %a and the length %n,
/// which is not negative, are `fixed`, %s is it in i32, and %b is `third`, as is the variable of an
/// outer loop. The test's loop is at `moving`, and so in i32 is %e, which the loop reads from
/// memory.
struct Point {
  int64_t fixed, moving, third;
};

/// The last branch of a kernel, whose condition is `old`; it takes the new one instead.
class Rewritten {
public:
  explicit Rewritten(const std::string &body);

  bool isNegativeLength(const Point &point) const { return hasLength && point.fixed < 0; }
  bool hasThird() const { return usesThird; }
  /// Whether the old and the new test hold.
  std::pair<bool, bool> at(const Point &point);
  /// Operations of the new test in the loop.
  unsigned numInLoop();
  template <class Op> std::vector<Op> all() { return kernel.all<Op>(); }
  mlir::scf::ForOp getLoop() { return loop; }

private:
  struct Input {
    unsigned slot, width;
    int64_t Point::*number;
  };
  int64_t Point::*numberOf(mlir::Value input);

  Kernel kernel;
  mlir::scf::ForOp loop;
  mlir::Value old, now;
  std::optional<ScalarProgram> program;
  std::vector<Input> inputs;
  bool hasLength = false, usesThird = false;
};

/// -200 to 400
std::vector<int64_t> positions();
/// For small numbers, among which the test holds and does not hold.
void checkSmall(Rewritten &test, const std::vector<int64_t> &movings);
/// For numbers around the ends of types, and for drawn ones.
void checkEnds(Rewritten &test);
/// `body` computes %t from the point's values. What is left of it in the loop is so many
/// operations.
void check(const std::string &body, unsigned numInLoop,
           const std::vector<int64_t> &movings = positions());

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_TRANSFORMS_REWRITTEN_H
