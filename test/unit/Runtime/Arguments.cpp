//===- Arguments.cpp - one wrong argument, one message --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Example.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tile;

namespace {
void doNothing(void **, int64_t, int64_t) {}

std::string launchError(std::span<const Arg> args, const KernelInfo &info) {
  return Launcher(info).launch(Stream::host(), args).message();
}

/// The message after `spoil` has changed correct arguments.
template <class Spoil> std::string errorAfter(Spoil spoil) {
  example::Arguments args;
  spoil(args);
  return launchError(args.list(), example::info(doNothing));
}

using A = example::Arguments;
} // namespace

TEST(Arguments, CorrectOnesPass) {
  EXPECT_EQ(errorAfter([](A &) {}), "");
}

TEST(Arguments, Number) {
  auto args = example::Arguments();
  auto list = args.list();
  list.pop_back();
  EXPECT_EQ(launchError(list, example::info(doNothing)),
            "attend: expected 6 arguments (q, index, o, work, scale, splits), found 5");
}

TEST(Arguments, Kinds) {
  example::Arguments args;
  auto list = args.list();
  std::swap(list[0], list[4]);
  EXPECT_EQ(launchError(list, example::info(doNothing)),
            "attend: argument 'q': expected a tensor, found a scalar");
  list = args.list();
  list[4] = args.q;
  EXPECT_EQ(launchError(list, example::info(doNothing)),
            "attend: argument 'scale': expected a scalar, found a tensor");
  list = args.list();
  list[5] = args.q;
  EXPECT_EQ(launchError(list, example::info(doNothing)),
            "attend: argument 'splits': expected a dimension as i64, found a tensor");
}

TEST(Arguments, DTypes) {
  EXPECT_EQ(errorAfter([](A &a) { a.q.dtype = DType::f16; }),
            "attend: argument 'q': expected bf16, found f16");
  example::Arguments args;
  auto list = args.list();
  list[4] = Arg::real(DType::f16, 1);
  EXPECT_EQ(launchError(list, example::info(doNothing)),
            "attend: argument 'scale': expected f32, found f16");
}

TEST(Arguments, Rank) {
  EXPECT_EQ(
      errorAfter([](A &a) { a.index.rank = 1; }),
      "attend: argument 'index': expected 2 dimensions [batch, ceildiv(q_len, 16)], found 1 [2]");
  EXPECT_EQ(errorAfter([](A &a) { a.work.rank = 0; }),
            "attend: argument 'work': expected 1 dimensions [splits * 4], found 0 []");
}

TEST(Arguments, Device) {
  EXPECT_EQ(errorAfter([](A &a) { a.o.device = Device::cuda; }),
            "attend: argument 'o': expected host memory, where the kernel runs, found cuda memory");
}

TEST(Arguments, Extents) {
  EXPECT_EQ(errorAfter([](A &a) { a.o.shape[1] = 39; }),
            "attend: argument 'o' dimension 1 (q_len): expected 40 as in 'q', found 39");
  EXPECT_EQ(
      errorAfter([](A &a) { a.index.shape[1] = 2; }),
      "attend: argument 'index' dimension 1 (ceildiv(q_len, 16)): expected 3 with q_len = 40, "
      "found 2");
  EXPECT_EQ(errorAfter([](A &a) { a.q.shape[2] = 128; }),
            "attend: argument 'q' dimension 2 (64): expected 64, found 128");
  EXPECT_EQ(
      errorAfter([](A &a) { a.splits = 4; }),
      "attend: argument 'work' dimension 0 (splits * 4): expected 16 with splits = 4, found 12");
  EXPECT_EQ(errorAfter([](A &a) { a.q.shape[0] = -1; }),
            "attend: argument 'q' dimension 0 (batch): expected a non-negative extent, found -1");
  EXPECT_EQ(errorAfter([](A &a) { a.splits = -3; }),
            "attend: argument 'splits': expected a non-negative extent, found -3");
}

TEST(Arguments, Strides) {
  EXPECT_EQ(
      errorAfter([](A &a) { a.o.strides[2] = 2; }),
      "attend: argument 'o' dimension 2 (64): expected stride 1 in the last dimension, found 2");
  EXPECT_EQ(
      errorAfter([](A &a) { a.index.strides[0] = -3; }),
      "attend: argument 'index' dimension 0 (batch): expected a non-negative stride, found -3");
  EXPECT_EQ(
      errorAfter([](A &a) { a.o.strides[0] = 0; }),
      "attend: argument 'o' dimension 0 (batch): expected a positive stride, since the kernel "
      "writes the tensor, found 0");
  EXPECT_EQ(errorAfter([](A &a) { a.q.strides[0] = 0; }), "");
  EXPECT_EQ(errorAfter([](A &a) { a.q.strides[1] = 68; }),
            "attend: argument 'q' dimension 1 (q_len): expected a stride that is a multiple of 8 "
            "elements (16 bytes), found 68");
}

TEST(Arguments, StridesOfExtentOneDoNotMatter) {
  example::Arguments args(1, 8);
  args.q.strides[0] = 3;
  args.o.strides[0] = 0;
  args.index.strides[1] = 77;
  EXPECT_EQ(launchError(args.list(), example::info(doNothing)), "");
}

TEST(Arguments, Addresses) {
  EXPECT_EQ(errorAfter([](A &a) { a.o.data = nullptr; }),
            "attend: argument 'o': expected memory for 5120 elements, found a null pointer");
  EXPECT_EQ(
      errorAfter([](A &a) { a.q.data = static_cast<char *>(a.q.data) + 8; }),
      "attend: argument 'q': expected an address that is a multiple of 16 bytes, found one that "
      "is 8 past");
  EXPECT_EQ(
      errorAfter([](A &a) { a.index.data = static_cast<char *>(a.index.data) + 2; }),
      "attend: argument 'index': expected an address that is a multiple of 4 bytes, found one "
      "that is 2 past");
  EXPECT_EQ(
      errorAfter([](A &a) { a.q.strides[0] = std::numeric_limits<int64_t>::max() - 7; }),
      "attend: argument 'q': the shape [2, 40, 64] with its strides exceeds the address space");
}

TEST(Arguments, Facts) {
  EXPECT_EQ(errorAfter([](A &a) { a.q.shape[1] = a.o.shape[1] = 41; }),
            "attend: argument 'q' dimension 1 (q_len): expected a multiple of 8, found 41");
}

TEST(Arguments, Groups) {
  auto errorWith = [](GroupInfo group, int64_t splits) {
    KernelInfo info = example::info(doNothing);
    info.groups = {&group, 1};
    return launchError(example::Arguments(2, 40, splits).list(), info);
  };
  EXPECT_EQ(errorWith({"q_len", "splits"}, 4), "");
  EXPECT_EQ(
      errorWith({"q_len", "splits"}, 3),
      "attend: argument 'q' dimension 1 (q_len): expected a multiple of splits = 3, found 40");
  EXPECT_EQ(errorWith({"splits", "batch"}, 3),
            "attend: argument 'splits': expected a multiple of batch = 2, found 3");
  EXPECT_EQ(errorWith({"batch * 4", "splits"}, 3),
            "attend: 'batch * 4': expected a multiple of splits = 3, found 8");
  EXPECT_EQ(errorWith({"q_len", "7"}, 3),
            "attend: argument 'q' dimension 1 (q_len): expected a multiple of 7, found 40");
}

// No members fall into any number of groups, none too; some members need a group.
TEST(Arguments, GroupsOfNothing) {
  auto errorWith = [](GroupInfo group) {
    KernelInfo info = example::info(doNothing);
    info.groups = {&group, 1};
    return launchError(example::Arguments(2, 40, 0).list(), info);
  };
  EXPECT_EQ(errorWith({"splits", "batch"}), "");
  EXPECT_EQ(errorWith({"splits", "splits"}), "");
  EXPECT_EQ(errorWith({"batch", "splits"}),
            "attend: argument 'q' dimension 0 (batch): expected a multiple of splits = 0, found 2");
}

TEST(Arguments, PositiveScalars) {
  EXPECT_EQ(errorAfter([](A &a) { a.scale = 0; }),
            "attend: argument 'scale': expected a positive value, found 0.000000");
  EXPECT_EQ(errorAfter([](A &a) { a.scale = std::numeric_limits<double>::quiet_NaN(); }),
            "attend: argument 'scale': expected a positive value, found nan");
}

TEST(Arguments, Overlap) {
  EXPECT_EQ(
      errorAfter([](A &a) { a.o.data = a.q.data; }),
      "attend: argument 'o': expected memory of its own, since the kernel writes it, found an "
      "overlap with 'q'");
  EXPECT_EQ(
      errorAfter([](A &a) { a.work.data = static_cast<char *>(a.o.data) + 64; }),
      "attend: argument 'o': expected memory of its own, since the kernel writes it, found an "
      "overlap with 'work'");
  EXPECT_EQ(errorAfter([](A &a) { a.index.data = a.q.data; }), "") << "inputs may overlap";
}

TEST(Arguments, Grid) {
  KernelInfo info = example::info(doNothing);
  constexpr const char *huge[] = {"q_len * 1000000000"};
  info.grid = huge;
  EXPECT_EQ(launchError(A().list(), info),
            "attend: grid: expected at most 2147483647 thread blocks, found more at "
            "'q_len * 1000000000' = 40000000000");
  constexpr const char *empty[] = {"splits - 3"};
  info.grid = empty;
  EXPECT_EQ(launchError(A().list(), info), "attend: grid: 0 thread blocks, but the output 'o' has "
                                           "5120 elements that nothing would write");
  constexpr const char *negative[] = {"splits - 4"};
  info.grid = negative;
  EXPECT_EQ(launchError(A().list(), info),
            "attend: grid: expected a non-negative size of 'splits - 4', found -1");
}

TEST(Arguments, FaultsOfTheTables) {
  KernelInfo info = example::info(doNothing);
  constexpr const char *grid[] = {"kv_len"};
  info.grid = grid;
  EXPECT_EQ(launchError(A().list(), info), "attend: grid: in the expression 'kv_len': unknown name "
                                           "'kv_len'; known are batch, q_len, splits");
  info = example::info(doNothing);
  constexpr FactInfo facts[] = {{"heads", 8}};
  info.facts = facts;
  EXPECT_EQ(launchError(A().list(), info),
            "attend: a fact names the dimension 'heads', which is not declared");
  info = example::info(doNothing);
  constexpr GroupInfo groups[] = {{"batch", "heads"}};
  info.groups = groups;
  EXPECT_EQ(launchError(A().list(), info),
            "attend: groups: in the expression 'heads': unknown name "
            "'heads'; known are batch, q_len, splits");
}
