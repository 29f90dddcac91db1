//===- Compare.h - an output against what is expected -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_COMPARE_H
#define TILE_RUN_COMPARE_H

#include "Npy.h"
#include "Options.h"

namespace tilerun {

/// Row-major elements on the host.
struct HostArray {
  tile::DType dtype;
  std::vector<int64_t> shape;
  std::vector<char> data;

  int64_t count() const { return static_cast<int64_t>(data.size()) / tile::byteSize(dtype); }
  double at(int64_t i) const { return readElement(dtype, data.data() + i * byteSize(dtype)); }
};

/// What an output looks like, without anything to compare it with.
struct Summary {
  int64_t nans = 0, infinities = 0;
  /// Of the finite elements; 0 if there is none.
  double smallest = 0, largest = 0, meanMagnitude = 0;
};

Summary summarize(const HostArray &array);

/// Seven digits.
std::string numberText(double value);

struct Comparison {
  int64_t mismatches = 0;
  double worstAbsolute = 0;
  double relative, absolute; // the tolerances used
  /// The first element that differs: "[0, 3]: expected 1.5, found nan".
  std::string first;

  bool ok() const { return mismatches == 0; }
};

/// |found - expected| <= absolute + relative * |expected|, NaN and infinities only equal to
/// themselves. The file may hold the element type's own bits or "<f4" or "<f8" numbers, which are
/// then not rounded. Default tolerances: one rounding of the element type and some accumulation.
tile::Result<Comparison> compare(const HostArray &found, const ExpectSpec &spec);

} // namespace tilerun

#endif // TILE_RUN_COMPARE_H
