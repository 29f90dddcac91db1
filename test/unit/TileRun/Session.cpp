//===- Session.cpp - what tile-run finds in broken kernels ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Session.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tile;
using namespace tilerun;

namespace {
/// broken(in[4] i32, out[4] f32), with the body under test. Words of the parameter block: address
/// and extent of `in`, address and extent of `out`, n.
class SessionTest : public testing::Test {
protected:
  SessionTest() {
    desc.symbol = desc.source = "broken";
    desc.dims = {"n"};
    desc.params.resize(2);
    desc.params[0].name = "in";
    desc.params[0].dtype = DType::i32;
    desc.params[0].extents = {"n"};
    desc.params[1].name = "out";
    desc.params[1].access = Access::out;
    desc.params[1].extents = {"n"};
    desc.grid = {"1"};
    arguments.dims = {4};
    arguments.params.push_back({&desc.params[0], {DType::i32, {4}, std::vector<char>(16)}, {}});
    arguments.params.push_back({&desc.params[1], {DType::f32, {4}, {}}, {}});
  }

  std::string run(HostFunction body) {
    tables.emplace(desc, nullptr, body);
    launcher.emplace(tables->info());
    Result<Session> made = Session::create(arguments, *launcher, Device::host);
    EXPECT_TRUE(made.ok()) << made.message();
    session.emplace(*std::move(made));
    return session->run().message();
  }

  static int32_t *in(void **params) { return *static_cast<int32_t **>(params[0]); }
  static float *out(void **params) { return *static_cast<float **>(params[2]); }

  tilec::KernelDesc desc;
  Arguments arguments;
  std::optional<tilec::KernelTables> tables;
  std::optional<Launcher> launcher;
  std::optional<Session> session;
};
} // namespace

TEST_F(SessionTest, WhatNobodyWroteIsNaN) {
  EXPECT_EQ(run([](void **params, int64_t, int64_t) { out(params)[1] = 3; }), "");
  Result<HostArray> content = session->content(arguments.params[1]);
  ASSERT_TRUE(content.ok());
  EXPECT_TRUE(std::isnan(content->at(0)));
  EXPECT_EQ(content->at(1), 3);
  EXPECT_EQ(summarize(*content).nans, 3);
}

TEST_F(SessionTest, StrayWritesAreFound) {
  EXPECT_EQ(run([](void **params, int64_t, int64_t) { out(params)[4] = 0; }),
            "the kernel wrote outside 'out': byte 16 of 16");
  EXPECT_EQ(run([](void **params, int64_t, int64_t) { out(params)[-1] = 0; }),
            "the kernel wrote outside 'out': byte -4 of 16");
  EXPECT_EQ(run([](void **params, int64_t, int64_t) { in(params)[5] = 0; }),
            "the kernel wrote outside 'in': byte 20 of 16");
  EXPECT_EQ(run([](void **params, int64_t, int64_t) { in(params)[2] = 7; }),
            "the kernel wrote to its input 'in'");
}

TEST_F(SessionTest, TimesEachLaunch) {
  ASSERT_EQ(run([](void **, int64_t, int64_t) {}), "");
  Result<std::vector<double>> times = session->time(7);
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->size(), 7u);
}
