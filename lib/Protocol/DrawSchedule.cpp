//===- DrawSchedule.cpp - a schedule as an SVG ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Timeline.h"

#include "tilec/Conversion/PipeToSM.h"
#include "tilec/Protocol/Picture.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tilec;

static constexpr int64_t kLeft = 130, kWidth = 1000, kRow = 26, kSharedOfSM = 232448,
                         kRegistersOfSM = 65536;

namespace {
/// Colours by what a bar means; each is in the legend.
struct Style {
  const char *fill, *meaning;
};
constexpr Style styles[] = {
    {"#9ecae1", "copy in flight"},   {"#d9f0a3", "slot full, waiting"},
    {"#74c476", "slot in use"},      {"#fdae6b", "product on the tensor cores"},
    {"#bcbddc", "elementwise work"}, {"#e0e0e0", "waiting"}};

class Drawing {
public:
  explicit Drawing(tile::KernelOp kernel)
      : kernel(kernel), overview(overviewOf(kernel)), os(body) {}
  std::string run();

private:
  void text(int64_t x, int64_t y, const Twine &what, StringRef extra = "") {
    os << "<text x='" << x << "' y='" << y << "' " << extra << ">";
    llvm::printHTMLEscaped(what.str(), os);
    os << "</text>\n";
  }
  void box(double x, int64_t y, double width, int64_t height, StringRef fill,
           const Twine &title = "") {
    os << "<rect x='" << llvm::format("%.1f", x) << "' y='" << y << "' width='"
       << llvm::format("%.1f", width) << "' height='" << height << "' fill='" << fill
       << "' stroke='#555' stroke-width='0.5'><title>";
    llvm::printHTMLEscaped(title.str(), os);
    os << "</title></rect>\n";
  }
  void timeline(const Steady &steady);
  void legend();
  void map(StringRef title, int64_t whole, ArrayRef<std::pair<std::string, int64_t>> parts);
  void maps();

  tile::KernelOp kernel;
  Overview overview;
  std::string body;
  llvm::raw_string_ostream os;
  int64_t y = 24;
};
} // namespace

void Drawing::timeline(const Steady &steady) {
  Timeline line = simulate(overview, steady);
  double scale = static_cast<double>(kWidth) / std::max<int64_t>(1, line.end - line.begin);
  text(8, y,
       "loop at " + lineOf(steady.loop) + ": three iterations, about " + Twine(line.period) +
           " cycles each",
       "font-weight='bold'");
  y += 12;
  int64_t top = y;
  for (const std::string &lane : line.lanes) {
    text(8, y + 17, lane);
    os << "<line x1='" << kLeft << "' x2='" << kLeft + kWidth << "' y1='" << y + kRow << "' y2='"
       << y + kRow << "' stroke='#ddd'/>\n";
    y += kRow;
  }
  for (const Bar &bar : line.bars) {
    int64_t begin = std::max(bar.begin, line.begin), end = std::min(bar.end, line.end);
    if (begin >= end)
      continue;
    double x = kLeft + (begin - line.begin) * scale, width = (end - begin) * scale;
    int64_t row = top + bar.lane * kRow;
    box(x, row + 3, width, kRow - 6, styles[static_cast<int>(bar.kind)].fill,
        "i=" + Twine(bar.iteration) + " " + bar.text + " " + Twine(bar.end - bar.begin) +
            " cycles");
    if (int64_t fits = width / 6; fits >= 3 && !bar.text.empty())
      text(static_cast<int64_t>(x) + 3, row + 17, StringRef(bar.text).take_front(fits),
           "font-size='10'");
  }
  for (int64_t tick = 0; tick <= 3; ++tick) {
    int64_t x = kLeft + tick * kWidth / 3;
    os << "<line x1='" << x << "' x2='" << x << "' y1='" << top << "' y2='" << y
       << "' stroke='#c00' stroke-dasharray='3,3' stroke-width='0.7'/>\n";
    text(x - 8, y + 14, Twine(tick * line.period), "font-size='10' fill='#c00'");
  }
  y += 40;
}

void Drawing::legend() {
  int64_t x = kLeft;
  for (const Style &style : styles) {
    box(x, y - 10, 14, 12, style.fill);
    text(x + 18, y, style.meaning);
    x += 40 + 7 * static_cast<int64_t>(StringRef(style.meaning).size());
  }
  y += 30;
}

/// A bar cut into parts; the rest is free.
void Drawing::map(StringRef title, int64_t whole, ArrayRef<std::pair<std::string, int64_t>> parts) {
  static constexpr const char *fills[] = {"#9ecae1", "#fdae6b", "#bcbddc", "#74c476", "#d9f0a3"};
  text(8, y + 17, title);
  double x = kLeft, scale = static_cast<double>(kWidth) / whole;
  box(kLeft, y, kWidth, kRow, "#f7f7f7", "free");
  for (auto [number, part] : llvm::enumerate(parts)) {
    double width = part.second * scale;
    box(x, y, width, kRow, fills[number % std::size(fills)],
        part.first + ": " + Twine(part.second));
    if (width > 7 * static_cast<double>(part.first.size()))
      text(static_cast<int64_t>(x) + 4, y + 17, part.first);
    x += width;
  }
  y += kRow + 8;
}

void Drawing::maps() {
  RoleRegisters registers = roleRegisters(overview.groups, overview.ctasPerSM, overview.producer);
  SmallVector<std::pair<std::string, int64_t>> roles, shared;
  for (int64_t cta = 0; cta < overview.ctasPerSM; ++cta) {
    roles.emplace_back("producer " + std::to_string(registers.producer), 128 * registers.producer);
    for (int64_t group = 0; group < overview.groups; ++group)
      roles.emplace_back("warpgroup " + std::to_string(group) + ": " +
                             std::to_string(registers.consumer) + " a thread",
                         128 * registers.consumer);
    for (const protocol::Channel &channel : overview.channels)
      shared.emplace_back(channel.name + " x " + std::to_string(channel.stages),
                          channel.stages * channel.slotBytes);
    kernel.walk([&](tile::AllocSharedOp alloc) {
      shared.emplace_back("tile", alloc.getType().getLayout().bytes());
    });
  }
  map("registers of an SM", kRegistersOfSM, roles);
  map("shared memory", kSharedOfSM, shared);
}

std::string Drawing::run() {
  text(8, y, kernel.getSymName(), "font-weight='bold'");
  y += 26;
  for (const Steady &steady : overview.loops)
    timeline(steady);
  legend();
  maps();
  return "<svg xmlns='http://www.w3.org/2000/svg' width='" + std::to_string(kLeft + kWidth + 20) +
         "' height='" + std::to_string(y + 10) +
         "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n" +
         body + "</svg>\n";
}

std::string tilec::drawSchedule(tile::KernelOp kernel) { return Drawing(kernel).run(); }
