//===- CudaDriver.cpp - a missing driver is an error, not a crash ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Driver.h"
#include "Example.h"

#include <gtest/gtest.h>

using namespace tile;

TEST(CudaDriver, MissingLibrary) {
  Result<Driver> driver = Driver::load("libcuda-that-is-not-there.so.1");
  ASSERT_FALSE(driver.ok());
  EXPECT_NE(driver.message().find("no CUDA driver: libcuda-that-is-not-there.so.1"),
            std::string::npos)
      << driver.message();
}

TEST(CudaDriver, LibraryThatIsNoDriver) {
  EXPECT_EQ(Driver::load("libc.so.6").message(),
            "the CUDA driver libc.so.6 has no function cuInit; expected a driver for CUDA 13.0 or "
            "newer");
}

TEST(CudaDriver, EveryUseWithoutADriverSaysSo) {
  if (Driver::get().ok())
    GTEST_SKIP() << "there is a driver";
  std::string reason = Driver::get().message();
  EXPECT_EQ(cudaAvailable().message(), reason);
  EXPECT_EQ(smCount(Device::cuda).message(), reason);
  EXPECT_EQ(Buffer::allocate(Device::cuda, 16).message(), reason);
  EXPECT_EQ(Timer::create(Stream::cuda()).message(), reason);
  EXPECT_EQ(Stream::cuda().synchronize().message(), reason);
  example::Arguments args;
  for (Tensor *tensor : {&args.q, &args.index, &args.o, &args.work})
    tensor->device = Device::cuda;
  KernelInfo info = example::info();
  EXPECT_EQ(Launcher(info).launch(Stream::cuda(), args.list()).message(), "attend: " + reason);
}

TEST(CudaDriver, MemoryRoundTrip) {
  if (Status status = cudaAvailable(); !status.ok())
    GTEST_SKIP() << status.message();
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 1024);
  ASSERT_TRUE(buffer.ok()) << buffer.message();
  EXPECT_TRUE(buffer->fill(0x5a, 1024).ok());
  int32_t sent = 12345, received[2] = {};
  EXPECT_TRUE(buffer->upload(&sent, 4, 512).ok());
  EXPECT_TRUE(buffer->download(received, 8, 512).ok());
  EXPECT_EQ(received[0], sent);
  EXPECT_EQ(received[1], 0x5a5a5a5a);
}
