//===- FloatReference.h - casts and functions, by definition --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of both targets and of the interpreter. Independent of the runtime's
// conversions: values of 8 bits are found by search.

#ifndef TEST_KERNELS_FLOATREFERENCE_H
#define TEST_KERNELS_FLOATREFERENCE_H

#include "tile/Tensor.h"

#include <string>
#include <vector>

namespace tile::test {

/// The number behind the bits of any float type; infinity and NaN where they stand for that.
double valueOf(DType dtype, uint32_t bits);
/// The bits of e4m3 or e5m2 that `value` becomes: to nearest even; past the largest finite value
/// that one if `saturate`, otherwise what is not finite, with its sign; NaN is 0x7f.
uint8_t roundTo8(DType dtype, double value, bool saturate);

/// Bit patterns of `dtype` on which a cast to 8 bits may go wrong: all of a type of 8 or 16 bits;
/// of f32 the ends of every exponent, every 8-bit number, the middle between neighbours and what
/// lies next to those, NaNs and random patterns.
std::vector<uint32_t> castSamples(DType dtype, int random32 = 100000);

/// A function of dsl/include/tile/dsl/Ops.h and its error there.
struct Function {
  const char *name;
  double (*exact)(double);
  double relative, absolute;
  double perSize = 0;                          ///< more relative error per |x|
  double absoluteFrom = 0, absoluteTo = 1e300; ///< |x| where `absolute` holds; elsewhere it is 0
  double range = 3.5e38;                       ///< largest |x|
};
/// In the order of ops/Functions.cpp.
const std::vector<Function> &functions();
/// Numbers within the function's range: random bits, evenly spread ones of usual size, and where
/// periods and branches begin and end.
std::vector<float> functionSamples(const Function &function, size_t count, uint64_t seed);
/// What is wrong with `found` as the function of `x`; empty if it is within the error.
std::string checkFunction(const Function &function, float x, float found);

} // namespace tile::test

#endif // TEST_KERNELS_FLOATREFERENCE_H
