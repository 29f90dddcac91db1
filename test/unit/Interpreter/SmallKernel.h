//===- SmallKernel.h - kernels in sm around one operation -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_SMALLKERNEL_H
#define TILEC_TEST_UNIT_INTERPRETER_SMALLKERNEL_H

#include "KernelRun.h"

namespace tilec::test {

/// A kernel over tensors, as text; of one CTA if nothing else is said.
class SmallKernel {
public:
  explicit SmallKernel(int warps = 4, int64_t sharedBytes = 0)
      : warps(warps), sharedBytes(sharedBytes) {}

  /// A parameter: `%name` is its address, `%name_map` its tensor map if there is one.
  SmallKernel &tensor(const std::string &name, HostTensor &tensor, bool output = false);
  /// A tensor map over the tensor added last; the box outermost dimension first.
  SmallKernel &map(std::vector<int64_t> box, int64_t swizzle);
  SmallKernel &grid(int64_t count);
  /// `%counter` is the address of the launch's counter of work items, or 0 if none is given.
  SmallKernel &counter(bool isGiven = true);
  /// More operations; `$name` stands for an earlier value().
  SmallKernel &body(const std::string &text);
  /// Words of a tensor to shared memory from byte `offset` on, or back, by all threads.
  SmallKernel &toShared(const std::string &name, int64_t words, int64_t offset = 0);
  SmallKernel &fromShared(const std::string &name, int64_t words, int64_t offset = 0);

  std::string text() const;
  /// What the interpreter says; empty if it ran to the end.
  std::string run(uint64_t seed = 1);

private:
  struct Param {
    std::string name;
    HostTensor *tensor;
    bool output;
  };
  std::string loop(const std::string &name, int64_t words, int64_t offset, bool load);

  int warps;
  int64_t sharedBytes, ctas = 1;
  bool draws = false, hasCounter = true;
  std::vector<Param> params;
  std::vector<std::string> maps, mapNames;
  std::string operations;
  int loops = 0;
};

/// `text` with each $key replaced by its number.
std::string with(std::string text, std::vector<std::pair<std::string, int64_t>> values);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_SMALLKERNEL_H
