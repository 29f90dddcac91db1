//===- LibraryMutationTest.cpp - kernels with one thing taken away --------===//
// SPDX-License-Identifier: Apache-2.0
//
// One variant of each kernel of the library, on the simple path and with roles where it has them.
// Whatever is taken away, the interpreter reports a fault or the results differ.
//===----------------------------------------------------------------------===//
#include "AnyCall.h"
#include "Mutants.h"
#include "Unnoticed.h"

#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace tilec::test;

namespace {
/// Elements by their number.
template <class Element> std::vector<double> listOf(int64_t count, Element element) {
  std::vector<double> result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(element(i));
  return result;
}

struct Case {
  const char *name, *kernel, *dtype;
  Config config;
  Path path;
  std::vector<CallShape> calls; // until one notices
};

/// The calls, and the first one with keys whose scores climb from one block of 64 x 64 elements to
/// another, by little, by what a softmax makes up for by scaling, and by what it has to compute
/// again for.
std::vector<CallShape> climbingToo(std::vector<CallShape> calls,
                                   std::vector<double> factors = {1, 20, 6, 80, 300}) {
  CallShape call = calls.front();
  call.values.push_back({"k", listOf(5 * 64 * 64, [&](int64_t i) {
                           return std::cos(0.7 * static_cast<double>(i) +
                                           static_cast<double>(i / 64)) *
                                  factors[i / 4096];
                         })});
  calls.push_back(call);
  return calls;
}

const Config attention = {
    {"head_dim", "64"}, {"block_m", "64"}, {"block_n", "64"}, {"causal", "0"}};
// Whole blocks first, then what ends within one; lists that are empty, long, and full of holes.
const std::vector<CallShape> attentionCalls = {
    {.dims = {{"batch", 1},
              {"heads", 2},
              {"q_len", 70},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 6}},
     .values = {
         {"block_count", {5, 0, 6, 1}},
         {"block_index", {0, -1, 2, 1, 5, 9, 0, 0, 0, 0, 0, 0, 5, 4, 3, 0, 1, 2, 5, 7, 7, 7, 7, 7}},
         {"scale", {0.2}}}}};
const Config wideAttention = {
    {"head_dim", "64"}, {"block_m", "128"}, {"block_n", "64"}, {"causal", "0"}};
const std::vector<CallShape> wideAttentionCalls = {
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 198},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 6}},
     .values = {{"block_count", {6, 3}},
                {"block_index", {5, 4, 3, 0, 1, 2, 5, 7, -1, 7, 7, 7}},
                {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 3},
              {"kv_heads", 1},
              {"kv_len", 70},
              {"max_blocks", 2}},
     .values = {{"block_count", {2}}, {"block_index", {1, 0}}, {"scale", {0.2}}}},
    // Several work items for a CTA, some of which have nothing to do.
    {.dims = {{"batch", 1},
              {"heads", 2},
              {"q_len", 198},
              {"kv_heads", 1},
              {"kv_len", 70},
              {"max_blocks", 1}},
     .values = {{"block_count", {0, 0, 1, 0}}, {"block_index", {1}}, {"scale", {0.2}}}}};
/// An entry of `pair_lists`.
constexpr double both(int first, int second) { return second * 65536.0 + (first & 0xffff); }
const double none = both(7, 7); // not read
// Several rounds of both loops, own blocks of unequal numbers, the last block within its tile; then
// one loop alone.
const std::vector<CallShape> pairedCalls = {
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 120},
              {"kv_heads", 1},
              {"kv_len", 720},
              {"max_blocks", 8}},
     .values = {{"pair_count", {4, 6}},
                {"pair_index",
                 {both(11, 2), both(4, 5), both(6, 8), both(9, 0), none, none, none, none,
                  both(1, 10), both(3, 7), both(7, 3), both(10, 1), both(-1, 3), both(-1, 11), none,
                  none}},
                {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 70},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 4}},
     .values = {{"pair_count", {0, 4}},
                {"pair_index",
                 {none, none, none, none, both(5, 0), both(1, 1), both(3, 2), both(2, 3)}},
                {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 70},
              {"kv_heads", 1},
              {"kv_len", 720},
              {"max_blocks", 8}},
     .values = {{"pair_count", {4, 0}},
                {"pair_index",
                 {both(1, 2), both(4, 5), both(6, 8), both(11, 9), none, none, none, none}},
                {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 1},
              {"q_len", 128},
              {"kv_heads", 1},
              {"kv_len", 720},
              {"max_blocks", 5}},
     .values = {{"pair_count", {1, 5}},
                {"pair_index",
                 {both(11, 1), none, none, none, none, both(0, 9), both(2, 8), both(3, 7),
                  both(4, 6), both(5, 5)}},
                {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 6},
              {"q_len", 70},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 2}},
     .values = {{"pair_count", {1, 0, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0}},
                {"pair_index", {both(5, 1), none, both(0, 3), both(2, 4)}},
                {"scale", {0.2}}}}};
const std::vector<CallShape> groupCalls = {
    {.dims = {{"batch", 1},
              {"heads", 2},
              {"q_len", 70},
              {"kv_heads", 1},
              {"kv_len", 720},
              {"max_blocks", 11}},
     .values = {
         {"block_count", {9, 10}},
         {"block_index", {11, 3, 2, 5, 0, 7, 9, 1, 6, 8, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 8}},
         {"scale", {0.2}}}}};
const Config dense = {{"head_dim", "64"}, {"block_m", "128"}, {"block_n", "64"}, {"causal", "1"}};
// Six work items for one CTA: what holds two of them comes round again, and then once more. Then
// with the rings of keys too short to tie the roles together.
const std::vector<double> itemBlocks = {5, 4, 3, 0, 1, 2, 5, 7, -1, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                        1, 7, 7, 7, 7, 7, 5, 1, 3,  0, 4, 7, 2, 5, 7, 7, 7, 7};
const std::vector<double> itemTrips = {6, 3, 0, 1, 5, 2}, fewTrips = {0, 1, 1, 0, 0, 1};
const std::vector<CallShape> itemCalls = {
    {.dims = {{"heads", 3}, {"q_len", 70}, {"kv_len", 330}, {"most", 6}},
     .values = {{"count", itemTrips}, {"block", itemBlocks}, {"scale", {0.2}}}},
    {.dims = {{"heads", 3}, {"q_len", 70}, {"kv_len", 330}, {"most", 1}},
     .values = {{"count", fewTrips}, {"block", {5, 4, 3}}, {"scale", {0.2}}}}};
const std::vector<CallShape> registerCalls = {
    {.dims = {{"batch", 1},
              {"heads", 3},
              {"q_len", 198},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 6}},
     .values = {{"block_count", itemTrips}, {"block_index", itemBlocks}, {"scale", {0.2}}}},
    {.dims = {{"batch", 1},
              {"heads", 3},
              {"q_len", 198},
              {"kv_heads", 1},
              {"kv_len", 330},
              {"max_blocks", 1}},
     .values = {{"block_count", fewTrips}, {"block_index", {5, 4, 3}}, {"scale", {0.2}}}}};
const std::vector<CallShape> denseCalls = {
    {.dims = {{"batch", 1}, {"heads", 1}, {"q_len", 70}, {"kv_heads", 1}, {"kv_len", 600}},
     .values = {{"scale", {0.2}}}}};
const Config gemm = {{"block_m", "128"}, {"block_n", "64"}};
const Config alignedGemm = {{"block_m", "128"}, {"block_n", "128"}, {"aligned", "1"}};
const Config gemm8 = {
    {"block_m", "128"}, {"block_n", "64"}, {"block_k", "64"}, {"transpose_b", "1"}};
const Config scaledGemm = {
    {"block_m", "128"}, {"block_n", "64"}, {"block_k", "64"}, {"aligned", "1"}};
const Config rows = {{"block_rows", "4"}, {"block_cols", "1024"}, {"aligned", "1"}};
// Longer than the block, and ending in each of its four parts.
const std::vector<CallShape> partCalls = {{.dims = {{"rows", 5}, {"cols", 1040}}},
                                          {.dims = {{"rows", 5}, {"cols", 48}}},
                                          {.dims = {{"rows", 5}, {"cols", 304}}},
                                          {.dims = {{"rows", 5}, {"cols", 560}}},
                                          {.dims = {{"rows", 5}, {"cols", 816}}}};
const Config topK = {
    {"most", "64"}, {"chunk", "1024"}, {"capacity", "2048"}, {"part", "1024"}, {"warps", "4"}};
const std::vector<double> ranks = {0, 39, -1, 40, 17, 5, 3};
const double garbage = 1 << 20;

const std::vector<Case> cases = {
    {"copy",
     "copy",
     "f32",
     {{"block_rows", "32"}, {"block_cols", "128"}},
     Path::simple,
     {{{{"rows", 33}, {"cols", 132}}}, {{{"rows", 33}, {"cols", 131}}}}},
    {"axpy", "axpy", "bf16", {}, Path::simple, {{{{"size", 1031}}}, {{{"size", 1025}}}}},
    {"softmax",
     "softmax",
     "f32",
     {{"block_rows", "32"}, {"block_cols", "128"}, {"warps", "8"}, {"ctas_per_sm", "4"}},
     Path::simple,
     {{{{"rows", 33}, {"cols", 101}}},
      {{{"rows", 1}, {"cols", 331}}},
      {{{"rows", 1}, {"cols", 129}}}}},
    {"gemm",
     "gemm",
     "bf16",
     gemm,
     Path::simple,
     {{{{"m", 129}, {"k", 200}, {"n", 72}}},
      {{{"m", 3}, {"k", 131}, {"n", 31}}},
      {{{"m", 3}, {"k", 0}, {"n", 1}}}}},
    {"gemm_scheduled",
     "gemm",
     "bf16",
     alignedGemm,
     Path::scheduled,
     {{{{"m", 129}, {"k", 456}, {"n", 72}}}, {{{"m", 129}, {"k", 0}, {"n", 72}}}}},
    {"gemm8",
     "gemm",
     "e4m3",
     gemm8,
     Path::simple,
     {{{{"m", 129}, {"k", 208}, {"n", 72}}},
      {{{"m", 3}, {"k", 131}, {"n", 7}}},
      {{{"m", 3}, {"k", 129}, {"n", 1}}}}},
    {"gathered_gemm",
     "gathered_gemm",
     "bf16",
     {{"block_n", "64"}, {"aligned", "1"}},
     Path::simple,
     {{{{"a_rows", 40}, {"k", 200}, {"m", 65}, {"n", 72}}, {{"rows", ranks}}}}},
    {"gathered_gemm_scheduled",
     "gathered_gemm",
     "bf16",
     {{"block_n", "64"}, {"aligned", "1"}},
     Path::scheduled,
     {{{{"a_rows", 40}, {"k", 456}, {"m", 135}, {"n", 72}}, {{"rows", ranks}}},
      {{{"a_rows", 40}, {"k", 0}, {"m", 65}, {"n", 72}}, {{"rows", ranks}}}}},
    {"scaled_gemm_scheduled",
     "scaled_gemm",
     "e4m3",
     scaledGemm,
     Path::scheduled,
     {{{{"m", 129}, {"k", 336}, {"n", 72}}}, {{{"m", 129}, {"k", 0}, {"n", 8}}}}},
    {"quantize_rows", "quantize_rows", "bf16", rows, Path::simple, partCalls},
    {"layer_norm", "layer_norm", "bf16", rows, Path::simple, partCalls},
    {"order_by_cost",
     "order_by_cost",
     "i32",
     {},
     Path::simple,
     {{{{"count", 70}}, {{"cost", {3, 1, 3, 0, -2, 17, 3, 8, 1}}}},
      {{{"count", 65}}, {{"cost", {3, 1, 3, 0, -2, 17, 3, 8, 1}}}}}},
    {"jagged_copy",
     "jagged_copy",
     "f32",
     {{"part_rows", "8"}, {"warps", "4"}, {"ctas_per_sm", "1"}, {"aligned", "1"}},
     Path::simple,
     {{{{"rows", 300}, {"cols", 132}, {"segments", 5}, {"target_rows", 275}},
       {{"source", {2, 9, 9, 30, 150, 298}}, {"target", {270, 1, 3, 30, 100}}, {"y", {77}}}},
      // Two segments to one place: the later one stays. Rows without elements.
      {{{"rows", 300}, {"cols", 132}, {"segments", 5}, {"target_rows", 275}},
       {{"source", {2, 9, 9, 30, 150, 298}}, {"target", {270, 1, 3, 268, 100}}, {"y", {77}}}},
      {{{"rows", 300}, {"cols", 0}, {"segments", 1}, {"target_rows", 275}}, {{"source", {0, 300}}}},
      {{{"rows", 10}, {"cols", 4}, {"segments", 0}, {"target_rows", 5}}, {{"source", {7}}}}}},
    {"block_lists",
     "block_lists",
     "i1",
     {{"block_rows", "8"}, {"most", "512"}},
     Path::simple,
     {{{{"batch", 1}, {"heads", 1}, {"q_blocks", 9}, {"k_blocks", 397}},
       {{"mask", {0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1}}}},
      {{{"batch", 1}, {"heads", 1}, {"q_blocks", 8}, {"k_blocks", 512}},
       {{"mask", {0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1}}}}}},
    {"pair_lists",
     "pair_lists",
     "i32",
     {{"entries", "64"}, {"most", "256"}, {"warps", "2"}},
     Path::simple,
     {{{{"batch", 1}, {"heads", 1}, {"q_blocks", 3}, {"max_blocks", 7}},
       {{"block_count", {7, 6, 3}},
        {"block_index", {8, 3, 5, 200, 9, 0, 3, 3, 3, 200, -1, 5, 1, 4, 2, 1, 0, 4, 4, 4, 4}},
        {"k_blocks", {201}}}},
      {{{"batch", 1}, {"heads", 1}, {"q_blocks", 2}, {"max_blocks", 5}},
       {{"block_count", {5, 4}},
        {"block_index", {8, 3, 255, 2, 9, 3, 8, 255, 1, 4}},
        {"k_blocks", {256}}}}}},
    {"histogram",
     "histogram",
     "i32",
     {},
     Path::simple,
     {{{{"size", 4101}}, {{"x", {0, 1023, 1024, -1, 7, 7, 500}}}},
      {{{"size", 4098}}},
      {{{"size", 1}}}}},
    {"merge_splits",
     "merge_splits",
     "bf16",
     {{"head_dim", "64"}},
     Path::simple,
     {{{{"splits", 3}, {"rows", 17}}},
      {{{"splits", 2}, {"rows", 17}}},
      {{{"splits", 1}, {"rows", 17}}},
      {{{"splits", 4}, {"rows", 17}},
       {{"part_lse", {-INFINITY, 1, -INFINITY, 2}},
        {"part", listOf(4 * 64, [](int64_t i) { return i / 64 % 2 ? 1.5 : NAN; })}}}}},
    {"split_logsumexp",
     "split_logsumexp",
     "f32",
     {},
     Path::simple,
     {{{{"rows", 2}, {"cols", 4101}, {"splits", 3}}},
      {{{"rows", 1}, {"cols", 3}, {"splits", 130}}}}},
    {"top_k",
     "top_k",
     "f32",
     topK,
     Path::simple,
     {{{{"rows", 1}, {"cols", 1100}, {"k", 33}}, {{"length", {1100}}}},
      // Differences in the last bits, and equal ones.
      {{{"rows", 1}, {"cols", 1100}, {"k", 33}},
       {{"length", {1100}},
        {"x", listOf(1100, [](int64_t i) { return 1 + double(i * 37 % 275) * 0x1p-23; })}}},
      // More equal ones than there is room for, larger ones, and what is not a number.
      {{{"rows", 1}, {"cols", 2500}, {"k", 60}},
       {{"length", {2490}},
        {"x", listOf(2500,
                     [](int64_t i) {
                       return i == 3 ? NAN : i % 50 == 0 ? 100.0 + i : i % 3 ? 7.0 : -7.0;
                     })}}}}},
    {"rotary",
     "rotary",
     "bf16",
     {{"head_dim", "64"}},
     Path::simple,
     {{{{"batch", 1}, {"seq", 5}, {"heads", 9}}}}},
    {"paged_copy",
     "paged_copy",
     "bf16",
     {{"page", "16"}, {"dim", "128"}},
     Path::simple,
     {{{{"pages", 9}, {"batch", 2}, {"entries", 10}, {"rows", 150}},
       {{"table", {3, 1, 8, 0,       2,       5,       4,       7,       6,       8,
                   4, 8, 8, garbage, garbage, garbage, garbage, garbage, garbage, garbage}},
        {"lengths", {150, 33}}}}}},
    {"attention", "block_sparse_forward", "bf16", wideAttention, Path::simple, wideAttentionCalls},
    {"attention_scheduled", "block_sparse_forward", "bf16", attention, Path::scheduled,
     climbingToo(attentionCalls)},
    {"item_attention_scheduled",
     "item_attention",
     "bf16",
     {{"head_dim", "64"}, {"block_m", "64"}, {"block_n", "64"}},
     Path::scheduled,
     climbingToo(itemCalls)},
    {"register_attention_scheduled",
     "block_sparse_forward",
     "bf16",
     {{"head_dim", "128"}, {"block_m", "128"}, {"block_n", "64"}, {"causal", "0"}},
     Path::scheduled,
     climbingToo(registerCalls)},
    {"dense_attention_scheduled", "dense_forward", "bf16", dense, Path::scheduled,
     climbingToo(denseCalls, {300, 80, 20, 6, 1})},
    {"paired_attention_scheduled", "paired_forward", "bf16", attention, Path::scheduled,
     climbingToo(pairedCalls, {6, 1, 20, 40, 2})},
    {"group_attention_scheduled", "group_forward", "bf16", attention, Path::scheduled,
     climbingToo(groupCalls, {6, 1, 12, 2, 60})},
};

class LibraryMutations : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    kernel = std::make_unique<LibraryKernel>(GetParam().kernel, GetParam().dtype, GetParam().config,
                                             GetParam().path);
    ASSERT_TRUE(kernel->module());
    kernel->smCount = 1;
    for (const CallShape &shape : GetParam().calls) {
      calls.emplace_back(kernel->module(), shape);
      std::string said = kernel->run(calls.back().arguments());
      ASSERT_EQ(said, "") << "unchanged";
      expected.push_back(calls.back().results());
    }
  }

  bool isNoticed(const std::function<void(mlir::ModuleOp)> &change) {
    for (size_t i = 0; i < calls.size(); ++i)
      if (!kernel->runChanged(change, calls[i].arguments()).empty() ||
          calls[i].results() != expected[i])
        return true;
    return false;
  }

  /// Changes operations in turn; those that nothing noticed.
  std::vector<std::string> survivors(const MutantKind &kind) {
    std::vector<std::string> result;
    size_t count = kind.find(kernel->module()).size(), tried = std::min(count, kind.most);
    for (size_t i = 0; i < tried; ++i) {
      size_t number = i * count / tried;
      std::string what;
      bool found = isNoticed([&](mlir::ModuleOp module) {
        mlir::Operation *op = kind.find(module)[number];
        what = place(op);
        kind.change(op);
      });
      if (!found)
        result.push_back("number " + std::to_string(number) + " of " + std::to_string(count) +
                         ", " + what);
    }
    changes[kind.name] += tried;
    return result;
  }

  /// No kind is without an operation in all kernels.
  static void TearDownTestSuite() {
    auto &suite = *testing::UnitTest::GetInstance()->current_test_suite();
    for (const MutantKind &kind : mutantKinds())
      if (suite.test_to_run_count() == suite.total_test_count())
        EXPECT_GT(changes[kind.name], 0u) << kind.name;
  }

  /// How many of each kind were tried, in all tests.
  static std::map<std::string, size_t> changes;

  std::unique_ptr<LibraryKernel> kernel;
  std::vector<AnyCall> calls;
  std::vector<std::string> expected;
};
std::map<std::string, size_t> LibraryMutations::changes;

TEST_P(LibraryMutations, AreNoticed) {
  for (const MutantKind &kind : mutantKinds()) {
    std::vector<std::string> left = survivors(kind);
    size_t allowed = 0;
    for (const Unnoticed &known : unnoticed)
      if (known.name == std::string(GetParam().name) && known.kind == std::string(kind.name))
        allowed = known.count;
    std::string list;
    for (const std::string &what : left)
      list += "  " + what + "\n";
    EXPECT_LE(left.size(), allowed) << kind.name << "; not noticed:\n" << list;
  }
}
INSTANTIATE_TEST_SUITE_P(All, LibraryMutations, testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });
} // namespace
