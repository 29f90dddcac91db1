//===- Compare.cpp - how near a result must be to the reference -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"

#include <cmath>
#include <cstdio>

namespace tile::test {

namespace {
std::string text(double value) {
  char buffer[32];
  snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

Status mismatch(const std::string &what, size_t index, double expected, double found,
                double allowed) {
  return Status::error(what + " " + std::to_string(index) + ": expected " + text(expected) +
                       " within " + text(allowed) + ", found " + text(found));
}

/// Written so that a NaN fails.
bool within(double found, double expected, double allowed) {
  return found == expected || std::abs(found - expected) <= allowed;
}

/// Below this the errors of single weights do not average out: see checkAttention.
constexpr double fewRows = 16;

double rootMeanSquare(const double *x, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += x[i] * x[i];
  return count ? std::sqrt(sum / count) : 0;
}

Status checkRms(const std::vector<double> &result, const std::vector<double> &expected,
                double allowed) {
  double rms = relativeRms(result, expected);
  if (rms <= allowed)
    return {};
  return Status::error("expected a relative RMS error of at most " + text(allowed) + ", found " +
                       text(rms));
}

/// Of how many rows of the same size the relative RMS says as much: (sum w)^2 / sum w^2 for squared
/// norms w.
double effectiveRows(const std::vector<double> &o, int64_t valueDim) {
  double sum = 0, squares = 0;
  for (size_t first = 0; first < o.size(); first += valueDim) {
    double norm = rootMeanSquare(o.data() + first, valueDim), weight = norm * norm;
    sum += weight;
    squares += weight * weight;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

Status checkLse(double found, double expected, size_t row) {
  double allowed = std::isinf(expected) ? 0 : std::max(1e-3, 1e-5 * std::abs(expected));
  return within(found, expected, allowed) ? Status()
                                          : mismatch("lse row", row, expected, found, allowed);
}
} // namespace

double unit(DType dtype, double x) {
  int digits = dtype == DType::bf16 ? 7 : dtype == DType::f16 ? 10 : 23;
  int smallest = dtype == DType::f16 ? -14 : -126;
  int exponent = x == 0 ? smallest : std::ilogb(x);
  return std::ldexp(1.0, std::max(exponent, smallest) - digits);
}

double relativeRms(const std::vector<double> &result, const std::vector<double> &expected) {
  double error = 0, size = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    error += (result[i] - expected[i]) * (result[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return error == 0 ? 0 : std::sqrt(error / size);
}

double attentionRms(DType dtype) { return dtype == DType::bf16 ? 3.5e-3 : 6e-4; }

double gemmRms(DType dtype) {
  return dtype == DType::bf16 ? 3e-3 : dtype == DType::f16 ? 4e-4 : 1e-5;
}

Status checkAttention(const AttentionResult &result, const AttentionResult &expected, DType dtype,
                      int64_t valueDim) {
  for (size_t row = 0; row < expected.lse.size(); ++row) {
    if (Status status = checkLse(result.lse[row], expected.lse[row], row); !status.ok())
      return status;
    const double *o = expected.o.data() + row * valueDim;
    double allowed = 16 * unit(dtype, rootMeanSquare(o, valueDim));
    if (std::isinf(expected.lse[row]))
      allowed = 0;
    for (int64_t i = 0; i < valueDim; ++i)
      if (double found = result.o[row * valueDim + i]; !within(found, o[i], allowed))
        return mismatch("o element " + std::to_string(i) + " of row", row, o[i], found, allowed);
  }
  bool few = effectiveRows(expected.o, valueDim) < fewRows;
  return checkRms(result.o, expected.o,
                  few ? std::max(unit(dtype, 1), attentionRms(dtype)) : attentionRms(dtype));
}

Status checkGemm(const std::vector<double> &result, const std::vector<double> &expected,
                 DType dtype) {
  double allowed = 16 * unit(dtype, rootMeanSquare(expected.data(), expected.size()));
  Status status = checkElements(result, expected, [&](size_t) { return allowed; });
  // Of a handful of elements, each may be rounded by half a unit.
  double rms = expected.size() < 64 ? 0.6 * unit(dtype, 1) : gemmRms(dtype);
  return status.ok() ? checkRms(result, expected, rms) : status;
}

Status checkElements(const std::vector<double> &result, const std::vector<double> &expected,
                     const std::function<double(size_t)> &bound) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (!within(result[i], expected[i], bound(i)))
      return mismatch("element", i, expected[i], result[i], bound(i));
  return {};
}

} // namespace tile::test
