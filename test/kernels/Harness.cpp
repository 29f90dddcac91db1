//===- Harness.cpp - variants, targets and seeds of the kernel tests ------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include "Launch.h"
#include "Variants.h"
#include "tile/kernels/all.h"
#include "tile/kernels/faults.h"
#include "tile/kernels/loops.h"
#include "tile/kernels/ops.h"

namespace tile::test {

namespace {
uint64_t hash(const std::string &text) {
  uint64_t value = 0xcbf29ce484222325;
  for (unsigned char c : text)
    value = (value ^ c) * 0x100000001b3;
  return value;
}
} // namespace

Options &options() {
  static Options instance;
  return instance;
}

int64_t Variant::config(const std::string &field) const {
  auto value = configValue(*info, field);
  EXPECT_TRUE(value) << info->symbol << ": expected a configuration field '" << field << "'";
  return value.value_or(0);
}

int64_t Variant::accepted(const std::string &dim, int64_t extent) const {
  for (const FactInfo &fact : info->facts)
    if (fact.dim == dim)
      extent = (extent + fact.multipleOf - 1) / fact.multipleOf * fact.multipleOf;
  return extent;
}

GuardedTensor Variant::matrix(size_t param, int64_t rows, int64_t cols, int64_t padding,
                              int64_t offset) const {
  const ParamInfo &parameter = info->params[param];
  int64_t unit = parameter.aligned ? 16 / byteSize(parameter.dtype) : 1;
  auto rounded = [&](int64_t value) { return (value + unit - 1) / unit * unit; };
  return GuardedTensor(parameter.dtype, {rows, cols}, {rounded(cols + padding), 1},
                       rounded(offset));
}

void PrintTo(const Variant &variant, std::ostream *out) {
  *out << variant.info->symbol << " on " << name(variant.device);
}

std::vector<Variant> variants(const std::string &kernel) {
  std::vector<Variant> result;
  for (Device device : {Device::host, Device::cuda})
    for (auto list : {kernels::all(), kernels::faults(), kernels::loops(), kernels::ops()})
      for (const KernelInfo *info : list)
        if (info->source == kernel && (device == Device::host ? options().host : options().cuda))
          result.push_back({info, device});
  return result;
}

std::string variantName(const testing::TestParamInfo<Variant> &info) {
  std::string symbol = info.param.info->symbol;
  return symbol.substr(symbol.find("__") + 2) + "_" + name(info.param.device);
}

void KernelTest::SetUp() {
  auto *test = testing::UnitTest::GetInstance()->current_test_info();
  random.seed(options().seed ^ hash(std::string(test->test_suite_name()) + test->name()));
  if (variant().device != Device::cuda)
    return;
  static const Status available = cudaAvailable();
  if (!available.ok())
    GTEST_SKIP() << available.message();
}

Status run(const Variant &variant, std::vector<Operand> operands) {
  std::vector<Tensor> views;
  views.reserve(operands.size());
  std::vector<Arg> args;
  for (Operand &operand : operands) {
    if (!operand.tensor) {
      args.push_back(operand.scalar);
      continue;
    }
    if (Status status = operand.tensor->upload(variant.device); !status.ok())
      return status;
    views.push_back(operand.tensor->on(variant.device));
    args.push_back(views.back());
  }
  Stream stream = variant.device == Device::host ? Stream::host() : Stream::cuda();
  if (Status status = launch(*variant.info, stream, args, options().seed); !status.ok())
    return status;
  if (Status status = stream.synchronize(); !status.ok())
    return status;
  for (size_t i = 0; i < operands.size(); ++i) {
    GuardedTensor *tensor = operands[i].tensor;
    if (!tensor)
      continue;
    Status status = tensor->download(variant.device);
    if (status.ok())
      status = tensor->check(variant.info->params[i].access == Access::in);
    if (!status.ok())
      return Status::error("argument '" + std::string(variant.info->params[i].name) +
                           "': " + status.message());
  }
  return {};
}

} // namespace tile::test
