//===- ItemCounters.cpp - which launch gets which counter -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ItemCounters.h"
#include "Driver.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

using namespace tile;

namespace {
constexpr uint64_t address = 0x1000;

/// A stream of the driver below; its address is the handle.
struct FakeStream {
  unsigned long long id;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult captureResult = CUDA_SUCCESS, idResult = CUDA_SUCCESS;
};

FakeStream &streamOf(CUstream handle) { return *reinterpret_cast<FakeStream *>(handle); }

Driver fakeDriver() {
  Driver driver;
  driver.cuStreamGetId = [](CUstream handle, unsigned long long *id) {
    EXPECT_EQ(streamOf(handle).capture, CU_STREAM_CAPTURE_STATUS_NONE);
    *id = streamOf(handle).id;
    return streamOf(handle).idResult;
  };
  driver.cuStreamIsCapturing = [](CUstream handle, CUstreamCaptureStatus *status) {
    *status = streamOf(handle).capture;
    return streamOf(handle).captureResult;
  };
  return driver;
}

class ItemCountersTest : public testing::Test {
protected:
  uint64_t of(FakeStream stream) { return counters.of(driver, &stream); }
  uint64_t captured() { return of({.id = 0, .capture = CU_STREAM_CAPTURE_STATUS_ACTIVE}); }

  Driver driver = fakeDriver();
  ItemCounters counters{address, 16};
};
} // namespace

TEST_F(ItemCountersTest, OnePerStream) {
  EXPECT_EQ(of({.id = 7}), address);
  EXPECT_EQ(of({.id = 9}), address + 4);
  EXPECT_EQ(of({.id = 7}), address);
  EXPECT_EQ(of({.id = 9}), address + 4);
}

TEST_F(ItemCountersTest, OnePerCapturedLaunch) {
  EXPECT_EQ(of({.id = 7}), address);
  EXPECT_EQ(captured(), address + 4);
  EXPECT_EQ(captured(), address + 8);
  EXPECT_EQ(of({.id = 7}), address);
  EXPECT_EQ(of({.id = 8}), address + 12);
}

TEST_F(ItemCountersTest, NoneIsLeft) {
  for (unsigned long long id = 0; id < 4; ++id)
    EXPECT_EQ(of({.id = id}), address + 4 * id);
  EXPECT_EQ(of({.id = 4}), 0u);
  EXPECT_EQ(captured(), 0u);
  EXPECT_EQ(of({.id = 4}), 0u);
  EXPECT_EQ(of({.id = 3}), address + 12);
}

TEST_F(ItemCountersTest, NoneWhereTheStreamIsNotKnown) {
  EXPECT_EQ(of({.id = 7, .captureResult = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT}), 0u);
  EXPECT_EQ(of({.id = 7, .capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED}), 0u);
  EXPECT_EQ(of({.id = 7, .idResult = CUDA_ERROR_INVALID_HANDLE}), 0u);
  EXPECT_EQ(of({.id = 7}), address);
}

TEST_F(ItemCountersTest, FromSeveralThreads) {
  constexpr unsigned long long streams = 1000;
  ItemCounters many(address, 4 * streams);
  std::vector<std::vector<uint64_t>> found(4);
  std::vector<std::thread> threads;
  for (std::vector<uint64_t> &mine : found)
    threads.emplace_back([&] {
      for (unsigned long long id = 0; id < streams; ++id) {
        FakeStream stream{.id = id};
        mine.push_back(many.of(driver, &stream));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(std::set(found[0].begin(), found[0].end()).size(), streams);
  EXPECT_FALSE(std::set(found[0].begin(), found[0].end()).contains(0));
  for (const std::vector<uint64_t> &other : found)
    EXPECT_EQ(other, found[0]);
}
