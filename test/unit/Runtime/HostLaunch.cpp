//===- HostLaunch.cpp - what a kernel on the host receives ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Example.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tile;

namespace {
std::atomic<int64_t> calls, blocks, sumOfBlocks;

template <class T> T param(void **params, int index) {
  T value;
  std::memcpy(&value, params[index], sizeof value);
  return value;
}

void count(void **, int64_t begin, int64_t end) {
  ++calls;
  blocks += end - begin;
  for (int64_t block = begin; block < end; ++block)
    sumOfBlocks += block;
}

// Writes its parameter block into `o`, which is parameter word 10.
void recordParams(void **params, int64_t begin, int64_t) {
  if (begin != 0)
    return;
  float *o = param<float *>(params, 10);
  constexpr int words = 22;
  for (int i = 0; i < words; ++i)
    o[i] = static_cast<float>(param<int64_t>(params, i));
  o[18] = param<float>(params, 18);
}

void reset() { calls = blocks = sumOfBlocks = 0; }
} // namespace

TEST(HostLaunch, EveryBlockRunsOnce) {
  KernelInfo info = example::info(count);
  Launcher kernel(info);
  for (int64_t batch : {1, 2, 50}) {
    reset();
    example::Arguments args(batch, 40);
    ASSERT_EQ(kernel.launch(Stream::host(), args.list()).message(), "");
    EXPECT_EQ(blocks, 3 * batch);
    EXPECT_EQ(sumOfBlocks, 3 * batch * (3 * batch - 1) / 2);
  }
}

// A child of fork() has none of its parent's threads.
TEST(HostLaunch, InAChildOfFork) {
  KernelInfo info = example::info(count);
  Launcher kernel(info);
  example::Arguments args(50, 40);
  ASSERT_TRUE(kernel.launch(Stream::host(), args.list()).ok()); // starts the parent's threads
  reset();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20); // instead of waiting for threads that are not there
    bool good = kernel.launch(Stream::host(), args.list()).ok() && blocks == 150;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  ASSERT_TRUE(kernel.launch(Stream::host(), args.list()).ok());
  EXPECT_EQ(blocks, 150);
}

TEST(HostLaunch, ParameterOrder) {
  KernelInfo info = example::info(recordParams);
  example::Arguments args(2, 40, 3);
  ASSERT_EQ(Launcher(info).launch(Stream::host(), args.list()).message(), "");
  const float *o = static_cast<const float *>(args.o.data);
  auto words = [&](int begin, int end) { return std::vector<float>(o + begin, o + end); };
  using Words = std::vector<float>;
  EXPECT_EQ(words(1, 6), (Words{2, 40, 64, 2560, 64})) << "q: extents, then strides";
  EXPECT_EQ(words(7, 10), (Words{2, 3, 3})) << "index";
  EXPECT_EQ(words(11, 16), (Words{2, 40, 64, 2560, 64})) << "o";
  EXPECT_EQ(words(17, 18), (Words{12})) << "work: one dimension has no stride";
  EXPECT_EQ(words(18, 22), (Words{0.5, 2, 40, 3})) << "scale, then batch, q_len, splits";
}

TEST(HostLaunch, AGridOfZeroIsSuccessWithoutALaunch) {
  KernelInfo info = example::info(count);
  Launcher kernel(info);
  for (auto [batch, qLen] : {std::pair<int64_t, int64_t>{0, 40}, {2, 0}}) {
    reset();
    example::Arguments args(batch, qLen);
    args.q.data = args.o.data = args.index.data = nullptr;
    EXPECT_EQ(kernel.launch(Stream::host(), args.list()).message(), "");
    EXPECT_EQ(calls, 0);
  }
}

TEST(HostLaunch, WithoutCodeForTheHost) {
  KernelInfo info = example::info(nullptr);
  EXPECT_EQ(Launcher(info).launch(Stream::host(), example::Arguments().list()).message(),
            "attend: the kernel was built without code for the host");
}

TEST(HostLaunch, FromSeveralThreads) {
  KernelInfo info = example::info(count);
  Launcher kernel(info);
  reset();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      example::Arguments args(5, 40);
      for (int j = 0; j < 50; ++j)
        EXPECT_TRUE(kernel.launch(Stream::host(), args.list()).ok());
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(blocks, 4 * 50 * 15);
}

TEST(HostLaunch, ScalarsTakeTheirBytes) {
  EXPECT_EQ(Arg::real(DType::bf16, 1).bits(), 0x3f80u);
  EXPECT_EQ(Arg::integer(DType::i8, -1).bits(), 0xffu);
  int64_t wide = (int64_t(1) << 60) + 1;
  EXPECT_EQ(Arg::integer(DType::i64, wide).bits(), static_cast<uint64_t>(wide));
}

TEST(HostLaunch, BuffersAndTimers) {
  Result<Buffer> buffer = Buffer::allocate(Device::host, 16);
  ASSERT_TRUE(buffer.ok());
  EXPECT_TRUE(buffer->fill(7, 16).ok());
  char bytes[4] = {};
  EXPECT_TRUE(buffer->download(bytes, 4, 12).ok());
  EXPECT_EQ(bytes[3], 7);
  EXPECT_EQ(buffer->download(bytes, 4, 13).message(),
            "expected a range within 16 bytes, found 4 from 13");
  Result<Timer> timer = Timer::create(Stream::host());
  ASSERT_TRUE(timer.ok());
  EXPECT_TRUE(timer->start().ok());
  EXPECT_TRUE(timer->stop().ok());
  EXPECT_GE(*timer->milliseconds(), 0);
}
