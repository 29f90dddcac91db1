//===- CudaLaunch.cpp - a kernel on the GPU through the launcher ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/KernelInfo.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace tile;

namespace {
/// The driver takes PTX where it takes a cubin. One thread per element of out[n] = value; of the
/// parameters, extent and n are both the tensor's extent.
constexpr char fillImage[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 out, .param .u64 extent, .param .f32 value, .param .u64 n) {
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %d<6>;
  .reg .f32 %f;
  ld.param.u64 %d1, [out];
  ld.param.u64 %d2, [n];
  ld.param.u64 %d5, [extent];
  min.u64 %d2, %d2, %d5;
  ld.param.f32 %f, [value];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  cvt.u64.u32 %d3, %r1;
  setp.ge.u64 %p, %d3, %d2;
  @%p ret;
  cvta.to.global.u64 %d1, %d1;
  shl.b64 %d4, %d3, 2;
  add.u64 %d1, %d1, %d4;
  st.global.f32 [%d1], %f;
  ret;
})";

constexpr const char *dims[] = {"n"};
constexpr const char *extents[] = {"n"};
constexpr const char *grid[] = {"ceildiv(n, 128)"};
constexpr ParamInfo params[] = {
    {.name = "out",
     .kind = ParamInfo::Kind::tensor,
     .dtype = DType::f32,
     .access = Access::out,
     .extents = extents},
    {.name = "value", .kind = ParamInfo::Kind::scalar, .dtype = DType::f32}};

/// Needs more shared memory than a kernel gets without asking.
constexpr KernelInfo fillInfo = {.symbol = "fill",
                                 .source = "fill",
                                 .dims = dims,
                                 .params = params,
                                 .grid = grid,
                                 .numWarps = 4,
                                 .sharedBytes = 200000,
                                 .image = fillImage};

class CudaLaunch : public testing::Test {
protected:
  void SetUp() override {
    if (Status status = cudaAvailable(); !status.ok())
      GTEST_SKIP() << status.message();
  }

  static Status launchFill(const KernelInfo &info, Tensor out, double value) {
    const Arg args[] = {out, Arg::real(DType::f32, value)};
    return Launcher(info).launch(Stream::cuda(), args);
  }
};
} // namespace

TEST_F(CudaLaunch, RunsWithItsArguments) {
  constexpr int64_t count = 1000;
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 4 * (count + 1));
  ASSERT_TRUE(buffer.ok()) << buffer.message();
  ASSERT_TRUE(buffer->fill(0, 4 * (count + 1)).ok());
  Launcher launcher(fillInfo);
  Tensor out(buffer->data(), DType::f32, {count});
  const Arg args[] = {out, Arg::real(DType::f32, 1.5)};
  EXPECT_EQ(launcher.launch(Stream::cuda(), args).message(), "");
  EXPECT_EQ(Stream::cuda().synchronize().message(), "");
  std::vector<float> found(count + 1);
  ASSERT_TRUE(buffer->download(found.data(), 4 * (count + 1)).ok());
  EXPECT_EQ(std::count(found.begin(), found.end(), 1.5f), count);
  EXPECT_EQ(found.back(), 0);
}

TEST_F(CudaLaunch, TimesALaunch) {
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 4096);
  Result<Timer> timer = Timer::create(Stream::cuda());
  ASSERT_TRUE(buffer.ok() && timer.ok());
  EXPECT_TRUE(timer->start().ok());
  EXPECT_EQ(launchFill(fillInfo, Tensor(buffer->data(), DType::f32, {1024}), 0).message(), "");
  EXPECT_TRUE(timer->stop().ok());
  Result<double> milliseconds = timer->milliseconds();
  ASSERT_TRUE(milliseconds.ok()) << milliseconds.message();
  EXPECT_GT(*milliseconds, 0);
}

TEST_F(CudaLaunch, FaultsOfTheImageAreErrors) {
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 4096);
  ASSERT_TRUE(buffer.ok());
  Tensor out(buffer->data(), DType::f32, {1024});
  KernelInfo info = fillInfo;
  info.symbol = "empty";
  EXPECT_NE(launchFill(info, out, 0)
                .message()
                .find("fill: cuModuleGetFunction('empty') failed with CUDA_ERROR_NOT_FOUND"),
            std::string::npos);
  info = fillInfo;
  info.sharedBytes = 1 << 20;
  EXPECT_NE(launchFill(info, out, 0).message().find("fill: reserving 1048576 bytes of shared"),
            std::string::npos);
  info = fillInfo;
  info.counter = true;
  EXPECT_NE(launchFill(info, out, 0)
                .message()
                .find("fill: cuModuleGetGlobal('tile_item_counters') failed with "
                      "CUDA_ERROR_NOT_FOUND"),
            std::string::npos);
  info = fillInfo;
  info.image = "no image at all";
  EXPECT_NE(launchFill(info, out, 0).message().find("fill: cuModuleLoadData failed with"),
            std::string::npos);
  info.image = nullptr;
  EXPECT_EQ(launchFill(info, out, 0).message(),
            "fill: the kernel was built without an image for the GPU");
}
