//===- Compare.cpp - an output against what is expected -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

using tile::DType;
using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
double defaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::f32:
    return 1e-4;
  case DType::f16:
    return 2e-3;
  case DType::bf16:
    return 1.6e-2;
  case DType::e4m3:
    return 0.13;
  case DType::e5m2:
    return 0.26;
  default:
    return 0;
  }
}

std::string indexText(int64_t linear, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; linear /= shape[axis])
    index[axis] = linear % shape[axis];
  return tile::shapeText(index);
}

bool agree(double found, double expected, const Comparison &comparison) {
  if (std::isnan(found) || std::isnan(expected))
    return std::isnan(found) && std::isnan(expected);
  if (std::isinf(found) || std::isinf(expected))
    return found == expected;
  return std::fabs(found - expected) <=
         comparison.absolute + comparison.relative * std::fabs(expected);
}

/// Numbers of a file, unrounded.
Result<std::vector<double>> expectedNumbers(const NpyArray &array, DType dtype) {
  std::string kind = array.descr.substr(1);
  bool isDouble = kind == "f8";
  std::vector<double> numbers;
  if (isDouble && tile::isFloat(dtype)) {
    numbers.resize(array.data.size() / sizeof(double));
    std::memcpy(numbers.data(), array.data.data(), numbers.size() * sizeof(double));
    return numbers;
  }
  DType stored = kind == "f4" && tile::isFloat(dtype) ? DType::f32 : dtype;
  Result<std::vector<char>> elements = convertNpy(array, stored);
  if (!elements.ok())
    return elements.status();
  HostArray host{stored, array.shape, *std::move(elements)};
  for (int64_t i = 0; i < host.count(); ++i)
    numbers.push_back(host.at(i));
  return numbers;
}
} // namespace

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

Summary summarize(const HostArray &array) {
  Summary summary;
  int64_t numbers = 0;
  double magnitudes = 0;
  for (int64_t i = 0; i < array.count(); ++i) {
    double value = array.at(i);
    summary.nans += std::isnan(value);
    summary.infinities += std::isinf(value);
    if (!std::isfinite(value))
      continue;
    summary.smallest = numbers ? std::min(summary.smallest, value) : value;
    summary.largest = numbers ? std::max(summary.largest, value) : value;
    magnitudes += std::fabs(value);
    ++numbers;
  }
  if (numbers)
    summary.meanMagnitude = magnitudes / static_cast<double>(numbers);
  return summary;
}

Result<Comparison> compare(const HostArray &found, const ExpectSpec &spec) {
  Result<NpyArray> array = readNpy(spec.path);
  if (!array.ok())
    return array.status();
  if (array->shape != found.shape)
    return Status::error("'" + spec.path + "': expected the output's shape " +
                         tile::shapeText(found.shape) + ", found " + tile::shapeText(array->shape));
  Result<std::vector<double>> expected = expectedNumbers(*array, found.dtype);
  if (!expected.ok())
    return Status::error("'" + spec.path + "': " + expected.message());
  Comparison comparison;
  comparison.relative = spec.relative.value_or(defaultTolerance(found.dtype));
  comparison.absolute = spec.absolute.value_or(defaultTolerance(found.dtype));
  for (int64_t i = 0; i < found.count(); ++i) {
    double value = found.at(i), wanted = (*expected)[static_cast<size_t>(i)];
    double distance = std::fabs(value - wanted);
    if (std::isfinite(distance))
      comparison.worstAbsolute = std::max(comparison.worstAbsolute, distance);
    if (!agree(value, wanted, comparison) && comparison.mismatches++ == 0)
      comparison.first = indexText(i, found.shape) + ": expected " + numberText(wanted) +
                         ", found " + numberText(value);
  }
  return comparison;
}

} // namespace tilerun
