//===- LoopsTest.cpp - the simple path is the oracle of the scheduled one -===//
// SPDX-License-Identifier: Apache-2.0
//
// Every loop for every number of stages and of trips, around what the rings hold: without a block,
// within the first round, in the second one, behind it. Where section 0.1 of the specification says
// so, both paths give the same bits.
//===----------------------------------------------------------------------===//
#include "LoopCall.h"
#include "Reference.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"

using namespace tilec::test;
using ::tile::DType;
using ::tile::test::LoopCase;
using ::tile::test::LoopShape;
using ::tile::test::Values;

namespace {

/// A loop with the producer's copies and one with products: canonicalization has not run away with
/// them.
void expectPipelinedLoops(LibraryKernel &kernel) {
  int copies = 0, products = 0;
  kernel.module().walk([&](mlir::scf::ForOp loop) {
    bool isCopying = false, multiplies = false;
    loop.walk([&](mlir::sm::TmaLoadOp) { isCopying = true; });
    loop.walk([&](mlir::sm::CpAsyncArriveOp) { isCopying = true; });
    loop.walk([&](mlir::sm::WgmmaOp) { multiplies = true; });
    copies += isCopying;
    products += multiplies;
  });
  EXPECT_GT(copies, 0);
  EXPECT_GT(products, 0);
}

/// The same bits; a log-sum-exp behind the output may be rounded another way: the sum is of the
/// same weights but for a power of two, which a softmax is free to choose.
void expectSame(const std::vector<std::vector<double>> &found,
                const std::vector<std::vector<double>> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_EQ(found.front(), expected.front());
  for (size_t result = 1; result < found.size(); ++result) {
    ASSERT_EQ(found[result].size(), expected[result].size());
    for (size_t i = 0; i < found[result].size(); ++i)
      EXPECT_FLOAT_EQ(found[result][i], expected[result][i])
          << "element " << i << " of result " << result;
  }
}

class Oracle : public testing::TestWithParam<std::tuple<Loop, int>> {
protected:
  /// One query block and a bit of another one, and as many key blocks as make the trips; their last
  /// one is whole, short, or has a single key.
  LoopShape shapeFor(const std::string &kernel, int64_t trips, int stages) {
    LoopShape shape = {.heads = 1, .qLen = 70, .headDim = 64, .blockM = 64, .blockN = 64};
    const int64_t missing[] = {0, 63, 20};
    bool seesAll = kernel == "query_gradient" || kernel == "dense_forward" ||
                   kernel == "grouped_attention" || kernel == "short_attention";
    int64_t blocks = seesAll ? trips : 2 * stages + 3;
    if (kernel == "pair_attention") // two blocks a trip, the last one perhaps alone
      blocks *= 2;
    if (kernel == "grouped_attention") // two heads in a tile, and a tile with one
      shape.heads = 3;
    shape.kvLen = std::max<int64_t>(0, blocks * 64 - missing[trips % 3]);
    shape.trips = kernel == "pair_attention" ? 2 * trips - trips % 2 : trips;
    shape.causal = kernel == "block_sparse_forward";
    if (kernel == "sink_attention") { // the first loop's trips, and the second one's but one
      int64_t second = (5 * trips + 3) % (2 * stages + 2);
      shape.qLen = 64;
      shape.kvLen = (trips + second + 2) * 64;
      shape.window = second * 64;
      shape.sink = std::max<int64_t>(0, trips * 64 - missing[trips % 3]);
    }
    return shape;
  }
};

TEST_P(Oracle, BothPathsGiveTheSameBits) {
  const auto &[loop, stages] = GetParam();
  Config config = configOf(loop, 64, 64, 64, stages);
  LibraryKernel simple(loop.kernel, "bf16", config),
      scheduled(loop.kernel, "bf16", config, Path::scheduled);
  expectPipelinedLoops(scheduled);
  for (int64_t trips = 0; trips <= 2 * stages + 1; ++trips) {
    SCOPED_TRACE(testing::Message() << trips << " trips");
    std::mt19937_64 random(100 * stages + trips);
    LoopCase call(loop.kernel, shapeFor(loop.kernel, trips, stages), random, Values::exact);
    auto expected = LoopCall(call.operands(), call.scalars()).run(simple),
         found = LoopCall(call.operands(), call.scalars()).run(scheduled, trips);
    EXPECT_EQ(call.check(expected).message(), "");
    expectSame(found, expected);
  }
}

const Loop loops[] = {{"block_sparse_forward", {{"causal", "1"}}},
                      {"dense_forward", {{"causal", "0"}}},
                      {"capped_attention"},
                      {"scaled_attention"},
                      {"guarded_attention"},
                      {"paged_attention"},
                      {"sink_attention"},
                      {"query_gradient"},
                      {"grouped_attention"},
                      {"gathered_attention"},
                      {"table_attention"},
                      {"short_attention"},
                      {"pair_attention"},
                      {"small_pages_attention"}};

INSTANTIATE_TEST_SUITE_P(Stages, Oracle,
                         testing::Combine(testing::ValuesIn(loops), testing::Range(1, 5)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).kernel) + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

/// Two warpgroups on tiles as they are in the library; random values, several orders of the warps'
/// steps.
class LargeLoop : public testing::TestWithParam<Loop> {};

TEST_P(LargeLoop, AgreesWithTheReferenceOnBothPaths) {
  const Loop &loop = GetParam();
  const std::string name = loop.kernel;
  int64_t blockN =
      name == "query_gradient" || name == "grouped_attention" || name == "pair_attention" ? 64
                                                                                          : 128;
  Config config = configOf(loop, 128, 128, blockN, 2);
  for (Path path : {Path::simple, Path::scheduled}) {
    LibraryKernel kernel(loop.kernel, "bf16", config, path);
    for (uint64_t seed = 0; seed < 2; ++seed) {
      std::mt19937_64 random(seed);
      LoopShape shape = {.heads = name == "grouped_attention" ? 2 : 1,
                         .qLen = 150,
                         .kvLen = 515,
                         .blockN = blockN};
      shape.window = 200;
      shape.sink = 100;
      shape.causal = name == "block_sparse_forward";
      LoopCase call(loop.kernel, shape, random, Values::random);
      EXPECT_EQ(call.check(LoopCall(call.operands(), call.scalars()).run(kernel, seed)).message(),
                "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, LargeLoop, testing::ValuesIn(loops),
                         [](const auto &info) { return std::string(info.param.kernel); });

/// Matrix products with every number of stages and of steps; whole numbers.
class GemmOracle : public testing::TestWithParam<std::tuple<const char *, int>> {};

TEST_P(GemmOracle, BothPathsGiveTheSameBits) {
  auto [name, stages] = GetParam();
  bool is8 = std::string(name) == "scaled_gemm";
  DType type = is8 ? DType::e4m3 : DType::bf16;
  int64_t blockK = is8 ? 128 : 64, n = 72, m = 70;
  Config config = {{"block_m", "64"},
                   {"block_n", "64"},
                   {"block_k", std::to_string(blockK)},
                   {"stages", std::to_string(stages)}};
  config.push_back({is8 ? "wide" : "transpose_b", is8 ? "0" : "1"});
  config.push_back({"aligned", "1"});
  LibraryKernel simple(name, is8 ? "e4m3" : "bf16", config),
      scheduled(name, is8 ? "e4m3" : "bf16", config, Path::scheduled);
  expectPipelinedLoops(scheduled);
  for (int64_t steps = 0; steps <= 2 * stages + 1; ++steps) {
    SCOPED_TRACE(testing::Message() << steps << " steps");
    int64_t k = std::max<int64_t>(0, steps * blockK - 16 * (steps % 3));
    std::mt19937_64 random(steps);
    auto numbers = [&](int64_t count) {
      std::vector<double> values(count);
      for (double &value : values)
        value = static_cast<double>(random() % 5) - 2;
      return values;
    };
    std::vector<LoopCase::Operand> operands = {{type, {m, k}, false, numbers(m * k)},
                                               {type, {n, k}, false, numbers(n * k)}};
    if (is8) {
      operands.push_back({DType::f32, {m}, false, std::vector<double>(m, 1.0)});
      operands.push_back({DType::f32, {n}, false, std::vector<double>(n, 1.0)});
    }
    operands.push_back({DType::bf16, {m, n}, true});
    auto expected = LoopCall(operands).run(simple),
         found = LoopCall(operands).run(scheduled, steps);
    EXPECT_EQ(found, expected);
    auto product =
        ::tile::test::matmul(operands[0].values, operands[1].values, m, n, k, /*transposeB=*/true);
    for (size_t i = 0; i < product.size(); ++i)
      ASSERT_NEAR(found[0][i], product[i], 0x1p-8 * std::abs(product[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, GemmOracle,
                         testing::Combine(testing::Values("gemm", "scaled_gemm"),
                                          testing::Range(1, 5)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

/// Rows of A at indices, some of which name none. B comes by TMA beside them.
class GatheredGemmOracle : public testing::TestWithParam<int> {};

TEST_P(GatheredGemmOracle, BothPathsGiveTheSameBits) {
  const int stages = GetParam();
  Config config = {{"block_m", "64"},
                   {"block_n", "64"},
                   {"block_k", "64"},
                   {"stages", std::to_string(stages)},
                   {"aligned", "1"}};
  LibraryKernel simple("gathered_gemm", "bf16", config),
      scheduled("gathered_gemm", "bf16", config, Path::scheduled);
  expectPipelinedLoops(scheduled);
  const int64_t aRows = 50, m = 70, n = 72;
  for (int64_t steps = 0; steps <= 2 * stages + 1; ++steps) {
    SCOPED_TRACE(testing::Message() << steps << " steps");
    int64_t k = std::max<int64_t>(0, steps * 64 - 16 * (steps % 3));
    std::mt19937_64 random(steps);
    auto numbers = [&](int64_t count, int64_t low, int64_t high) {
      std::vector<double> values(count);
      for (double &value : values)
        value = static_cast<double>(low + static_cast<int64_t>(random() % (high - low + 1)));
      return values;
    };
    std::vector<LoopCase::Operand> operands = {
        {DType::bf16, {aRows, k}, false, numbers(aRows * k, -2, 2)},
        {DType::i32, {m}, false, numbers(m, -2, aRows + 1)},
        {DType::bf16, {k, n}, false, numbers(k * n, -2, 2)},
        {DType::bf16, {m, n}, true}};
    auto expected = LoopCall(operands).run(simple),
         found = LoopCall(operands).run(scheduled, steps);
    EXPECT_EQ(found, expected);
    std::vector<double> picked(m * k, 0.0);
    for (int64_t row = 0; row < m; ++row)
      if (double from = operands[1].values[row]; from >= 0 && from < aRows)
        std::copy_n(operands[0].values.begin() + static_cast<int64_t>(from) * k, k,
                    picked.begin() + row * k);
    auto product = ::tile::test::matmul(picked, operands[2].values, m, n, k, /*transposeB=*/false);
    for (size_t i = 0; i < product.size(); ++i)
      ASSERT_NEAR(found[0][i], product[i], 0x1p-8 * std::abs(product[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, GatheredGemmOracle, testing::Range(4, 7));

} // namespace
