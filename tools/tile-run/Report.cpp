//===- Report.cpp - what tile-run prints ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

namespace tilerun {

namespace {
struct Times {
  double median, smallest;
};

Times statistics(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

void printOutput(const OutputReport &output, llvm::raw_ostream &os) {
  os << output.name << ": " << tile::name(output.dtype) << " " << tile::shapeText(output.shape)
     << ", " << numberText(output.summary.smallest) << " to " << numberText(output.summary.largest)
     << ", mean magnitude " << numberText(output.summary.meanMagnitude);
  if (output.summary.infinities)
    os << ", " << output.summary.infinities << " infinite";
  if (output.summary.nans)
    os << ", " << output.summary.nans << " NaN";
  os << "\n";
  if (!output.comparison)
    return;
  const Comparison &comparison = *output.comparison;
  os << output.name << ": " << (comparison.ok() ? "as expected" : "not as expected")
     << ", largest error " << numberText(comparison.worstAbsolute) << " (rtol "
     << numberText(comparison.relative) << ", atol " << numberText(comparison.absolute) << ")";
  if (!comparison.ok())
    os << ", " << comparison.mismatches << " elements differ, the first at " << comparison.first;
  os << "\n";
}

void writeOutput(const OutputReport &output, llvm::json::OStream &json) {
  json.attribute("name", output.name);
  json.attribute("dtype", tile::name(output.dtype));
  json.attributeArray("shape", [&] {
    for (int64_t extent : output.shape)
      json.value(extent);
  });
  json.attribute("nans", output.summary.nans);
  json.attribute("infinities", output.summary.infinities);
  json.attribute("smallest", output.summary.smallest);
  json.attribute("largest", output.summary.largest);
  json.attribute("mean_magnitude", output.summary.meanMagnitude);
  if (!output.comparison)
    return;
  json.attributeObject("expect", [&] {
    json.attribute("ok", output.comparison->ok());
    json.attribute("mismatches", output.comparison->mismatches);
    json.attribute("largest_error", output.comparison->worstAbsolute);
    json.attribute("rtol", output.comparison->relative);
    json.attribute("atol", output.comparison->absolute);
  });
}
} // namespace

bool Report::ok() const {
  return llvm::all_of(outputs, [](const OutputReport &output) {
    return !output.comparison || output.comparison->ok();
  });
}

void printText(const Report &report, llvm::raw_ostream &os) {
  os << report.kernel->symbol << " on " << report.target;
  for (auto [name, value] : llvm::zip(report.kernel->dims, report.dims))
    os << ", " << name << " = " << value;
  os << "\n";
  for (const OutputReport &output : report.outputs)
    printOutput(output, os);
  if (report.times.empty())
    return;
  Times times = statistics(report.times);
  os << "time: median " << numberText(times.median) << " us, least " << numberText(times.smallest)
     << " us of " << report.times.size() << " launches\n";
}

void printJson(const Report &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("kernel", report.kernel->symbol);
    json.attribute("target", report.target);
    json.attributeObject("dims", [&] {
      for (auto [name, value] : llvm::zip(report.kernel->dims, report.dims))
        json.attribute(name, value);
    });
    json.attributeArray("outputs", [&] {
      for (const OutputReport &output : report.outputs)
        json.object([&] { writeOutput(output, json); });
    });
    if (report.times.empty())
      return;
    json.attributeObject("time_us", [&] {
      Times times = statistics(report.times);
      json.attribute("median", times.median);
      json.attribute("least", times.smallest);
      json.attribute("launches", static_cast<int64_t>(report.times.size()));
    });
  });
  os << "\n";
}

} // namespace tilerun
