//===- SharedAccessTest.cpp - which bytes an operation reads and writes ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "tilec/Analysis/SharedAccess.h"

using namespace mlir;
using namespace tilec;
using tilec::test::Kernel;

/// `%s` is 64 x 64 of bf16 at byte 1024, `%t` the same at 9216; `%w` and `%v` are windows of the
/// one tensor, `%u` of another.
static const std::string head = R"(
  #acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
  #rows = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 8]], warps = [[0, 4]]>
  tile.kernel @k(%x: !tile.global<?x?xbf16>, %y: !tile.global<?x?xbf16>, %o: i64) {
    %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<64x64xbf16>
    %v = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<64x64xbf16>
    %u = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<64x64xbf16>
    %s = tile.alloc_shared at 1024 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
    %t = tile.alloc_shared at 9216 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
)";
static const std::string sharedType = "!tile.shared<64x64xbf16, #tile.swizzle<128>>";

static SmallVector<Access> accesses(Kernel &kernel, StringRef operation) {
  SmallVector<Access> result;
  kernel.op().walk([&](Operation *op) {
    if (op->getName().getStringRef() == operation)
      result.append(accessesOf(op));
  });
  return result;
}

TEST(SharedAccess, ACopyReadsGlobalAndWritesSharedMemory) {
  Kernel kernel(head + "tile.copy %w, %s : !tile.window<64x64xbf16> to " + sharedType +
                "\ntile.return\n}");
  SmallVector<Access> found = accesses(kernel, "tile.copy");
  ASSERT_EQ(found.size(), 2u);
  bool first = found[0].shared;
  const Access &shared = found[first ? 0 : 1], &global = found[first ? 1 : 0];
  EXPECT_TRUE(shared.write);
  EXPECT_FALSE(shared.partial);
  EXPECT_EQ(shared.begin, 1024);
  EXPECT_EQ(shared.end, 9216);
  EXPECT_EQ(shared.kind, AccessKind::AsyncCopy);
  EXPECT_FALSE(global.write);
  EXPECT_FALSE(global.shared);
  EXPECT_EQ(global.base, kernel.op().getBody().getArgument(0)) << "not the window";
  EXPECT_EQ(global.handle, kernel.all<tile::WindowOp>()[0].getResult());
}

TEST(SharedAccess, ACopyOutIsMadeByThreads) {
  Kernel kernel(head + "tile.copy %s, %w : " + sharedType +
                " to !tile.window<64x64xbf16>\ntile.return\n}");
  for (const Access &access : accesses(kernel, "tile.copy")) {
    EXPECT_EQ(access.kind, AccessKind::Generic);
    EXPECT_NE(access.write, access.shared);
  }
}

/// A product of `layout`, whose tiles are `%s` and `%t`.
static std::string product(const std::string &layout) {
  return head + "%c = arith.constant dense<0.0> : tensor<64x64xf32, " + layout +
         ">\n%d = tile.gemm %s, %t, %c : " + sharedType + ", " + sharedType +
         ", tensor<64x64xf32, " + layout + ">\ntile.return\n}";
}

TEST(SharedAccess, WhoReadsAProductsOperands) {
  for (bool groups : {true, false}) {
    Kernel kernel(product(groups ? "#acc" : "#rows"));
    EXPECT_EQ(runsOnWgmma(kernel.all<tile::GemmOp>().front()), groups);
    SmallVector<Access> found = accesses(kernel, "tile.gemm");
    ASSERT_EQ(found.size(), 2u);
    for (const Access &access : found) {
      EXPECT_TRUE(access.shared);
      EXPECT_FALSE(access.write);
      EXPECT_EQ(access.kind, groups ? AccessKind::Wgmma : AccessKind::Generic);
    }
  }
}

TEST(SharedAccess, AllocationsAndLoopsAccessNothing) {
  Kernel kernel(head + R"(
    scf.for %i = %o to %o step %o : i64 {
      %l = tile.load %s : !tile.shared<64x64xbf16, #tile.swizzle<128>> to tensor<64x64xbf16>
    }
    tile.return
  })");
  EXPECT_TRUE(accesses(kernel, "tile.alloc_shared").empty());
  EXPECT_TRUE(accesses(kernel, "scf.for").empty());
  EXPECT_EQ(accesses(kernel, "tile.load").size(), 1u);
}

// One element of a tensor: the rest stays.
TEST(SharedAccess, AStoreOfAScalarIsPartial) {
  Kernel kernel(head + "%e = arith.constant 1.0 : bf16\n"
                       "tile.store_scalar %e, %x[%o, %o] : bf16 to !tile.global<?x?xbf16>\n"
                       "tile.return\n}");
  SmallVector<Access> found = accesses(kernel, "tile.store_scalar");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].write);
  EXPECT_TRUE(found[0].partial);
  EXPECT_EQ(found[0].base, kernel.op().getBody().getArgument(0));
}

// Barriers order what is in a slot.
TEST(SharedAccess, SlotsOfChannelsHaveNone) {
  Kernel kernel(head + R"(
    %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
    %c = pipe.cursor
    pipe.specialize producer {
    } consumer {
      %slot = pipe.wait %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2> -> !tile.shared<64x64xbf16, #tile.swizzle<128>>
      %l = tile.load %slot : !tile.shared<64x64xbf16, #tile.swizzle<128>> to tensor<64x64xbf16>
    }
    tile.return
  })");
  EXPECT_TRUE(accesses(kernel, "tile.load").empty());
}

namespace {
/// The accesses of one load and one store, in all pairs of handles.
class Conflicts : public testing::Test {
protected:
  static bool conflict(const std::string &read, const std::string &write) {
    Kernel kernel(head + "%l = tile.load " + typed(read) + " to tensor<64x64xbf16>\n" +
                  "%c = arith.constant dense<0.0> : tensor<64x64xbf16>\n" + "tile.store %c, " +
                  write + " : tensor<64x64xbf16> to " + type(write) + "\ntile.return\n}");
    SmallVector<Access> reads = accesses(kernel, "tile.load"),
                        writes = accesses(kernel, "tile.store");
    EXPECT_EQ(reads.size(), 1u);
    EXPECT_EQ(writes.size(), 1u);
    EXPECT_FALSE(reads[0].conflicts(reads[0])) << "two reads";
    EXPECT_TRUE(writes[0].conflicts(writes[0])) << "two writes";
    EXPECT_EQ(reads[0].conflicts(writes[0]), writes[0].conflicts(reads[0]));
    return reads[0].conflicts(writes[0]);
  }
  static std::string type(const std::string &handle) {
    return handle == "%s" || handle == "%t" ? sharedType : "!tile.window<64x64xbf16>";
  }
  static std::string typed(const std::string &handle) { return handle + " : " + type(handle); }
};
} // namespace

TEST_F(Conflicts, SharedMemoryByBytes) {
  EXPECT_TRUE(conflict("%s", "%s"));
  EXPECT_FALSE(conflict("%s", "%t")) << "one ends where the other begins";
}

TEST_F(Conflicts, GlobalMemoryByTensor) {
  EXPECT_TRUE(conflict("%w", "%v"));
  EXPECT_FALSE(conflict("%w", "%u"));
  EXPECT_FALSE(conflict("%w", "%s"));
}
