//===- AnyCall.cpp - one call of any kernel -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "AnyCall.h"

#include "tile/Expr.h"
#include "tilec/Target/KernelDesc.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

namespace tilec::test {

static int64_t evaluate(const std::string &text, const CallShape &shape) {
  std::vector<std::string_view> names;
  std::vector<int64_t> extents;
  for (const auto &[name, extent] : shape.dims) {
    names.push_back(name);
    extents.push_back(extent);
  }
  auto expr = tile::Expr::parse(text, names);
  auto value = expr.ok() ? expr->evaluate(extents, 1) : expr.status();
  if (!value.ok()) {
    ADD_FAILURE() << text << ": " << value.message();
    return 0;
  }
  return *value;
}

static const std::vector<double> *valuesFor(const std::string &param, const CallShape &shape) {
  for (const auto &[name, values] : shape.values)
    if (name == param)
      return &values;
  return nullptr;
}

AnyCall::AnyCall(mlir::ModuleOp module, const CallShape &shape) {
  auto desc = describeKernel(*module.getOps<mlir::func::FuncOp>().begin());
  if (failed(desc)) {
    ADD_FAILURE() << "expected a kernel";
    return;
  }
  uint64_t seed = 1;
  for (const ParamDesc &param : desc->params) {
    const std::vector<double> *values = valuesFor(param.name, shape);
    if (param.kind != tile::ParamInfo::Kind::tensor) {
      HostTensor none(param.dtype, {0});
      operands.push_back({param.dtype, false, false, none, none, values ? values->front() : 1.0});
      continue;
    }
    std::vector<int64_t> extents;
    for (const std::string &extent : param.extents)
      extents.push_back(evaluate(extent, shape));
    bool isReal = tile::isFloat(param.dtype);
    HostTensor tensor = isReal && param.access != tile::Access::out
                            ? randomTensor(param.dtype, extents, ++seed)
                            : HostTensor(param.dtype, extents);
    for (int64_t i = 0; i < tensor.count(); ++i)
      if (values)
        tensor.set(i, (*values)[static_cast<size_t>(i) % values->size()]);
      else if (!isReal && param.access != tile::Access::out)
        tensor.set(i, 0);
    operands.push_back({param.dtype, param.access != tile::Access::in, true, tensor, tensor, 0});
  }
}

std::vector<tile::Arg> AnyCall::arguments() {
  views.clear();
  views.reserve(operands.size());
  std::vector<tile::Arg> result;
  for (Operand &operand : operands) {
    if (!operand.isTensor) {
      result.push_back(
          tile::isFloat(operand.dtype)
              ? tile::Arg::real(operand.dtype, operand.scalar)
              : tile::Arg::integer(operand.dtype, static_cast<int64_t>(operand.scalar)));
      continue;
    }
    if (operand.isWritten)
      operand.tensor.bytes = operand.initial.bytes;
    views.push_back(operand.tensor.view());
    result.push_back(views.back());
  }
  return result;
}

std::string AnyCall::results() const {
  std::string result;
  for (const Operand &operand : operands)
    if (operand.isWritten)
      result.append(operand.tensor.bytes.begin(), operand.tensor.bytes.end());
  return result;
}

} // namespace tilec::test
