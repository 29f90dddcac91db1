//===- Harness.h - variants, targets and seeds of the kernel tests --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_HARNESS_H
#define TEST_KERNELS_HARNESS_H

#include "Expect.h"
#include "GuardedTensor.h"
#include "RandomValues.h"
#include "tile/KernelInfo.h"

#include "gtest/gtest.h"

namespace tile::test {

/// What the test program runs on.
struct Options {
  bool host = true, cuda = true;
  uint64_t seed = 0;
};
Options &options();

/// One library kernel on one target.
struct Variant {
  const KernelInfo *info;
  Device device;

  DType dtype() const { return info->params[0].dtype; }
  /// A field of the kernel's configuration, read off its symbol.
  int64_t config(const std::string &field) const;
  /// The next extent of this dimension that the kernel accepts.
  int64_t accepted(const std::string &dim, int64_t extent) const;
  /// A matrix for the parameter of this number: gaps of `padding` elements between rows, `offset`
  /// elements past an aligned address; both rounded up to what the kernel accepts.
  GuardedTensor matrix(size_t param, int64_t rows, int64_t cols, int64_t padding,
                       int64_t offset = 0) const;
};

/// For gtest's messages.
void PrintTo(const Variant &variant, std::ostream *out);

/// Every library variant of a kernel, on every target asked for.
std::vector<Variant> variants(const std::string &kernel);
/// "bf16_block1024_host", for gtest.
std::string variantName(const testing::TestParamInfo<Variant> &info);

/// What the tests of a kernel have in common.
class KernelTest : public testing::TestWithParam<Variant> {
protected:
  /// Skips where the target is missing, with the reason.
  void SetUp() override;

  Variant variant() const { return GetParam(); }
  /// Depends on the seed and the test's name, not on which tests ran before.
  Random random;
};

/// A parameter of a launch: a tensor, or a scalar.
struct Operand {
  GuardedTensor *tensor = nullptr;
  Arg scalar = Arg::integer(DType::i32, 0);

  Operand(GuardedTensor &tensor) : tensor(&tensor) {}
  Operand(Arg scalar) : scalar(scalar) {}
};

/// True where kernels run in the interpreter of `sm`, some thousand times slower than elsewhere.
bool isInterpreted();

/// What a test goes through: `all`, or, in the interpreter, these few.
template <class T>
std::vector<T> cases(std::initializer_list<T> all, std::initializer_list<T> few) {
  return isInterpreted() ? few : all;
}

/// Runs the kernel, waits, brings the results back and checks that nothing else was written.
Status run(const Variant &variant, std::vector<Operand> operands);

#define TILE_INSTANTIATE(suite, kernel)                                                            \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                            \
  INSTANTIATE_TEST_SUITE_P(Library, suite, testing::ValuesIn(tile::test::variants(kernel)),        \
                           tile::test::variantName)

} // namespace tile::test

#endif // TEST_KERNELS_HARNESS_H
