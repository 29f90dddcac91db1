//===- SmallKernel.cpp - kernels in sm around one operation ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

namespace tilec::test {

std::string with(std::string text, std::vector<std::pair<std::string, int64_t>> values) {
  for (const auto &[key, value] : values)
    for (size_t at; (at = text.find("$" + key)) != std::string::npos;)
      text.replace(at, key.size() + 1, std::to_string(value));
  return text;
}

SmallKernel &SmallKernel::tensor(const std::string &name, HostTensor &tensor, bool output) {
  params.push_back({name, &tensor, output});
  return *this;
}

static std::string join(const std::vector<std::string> &parts) {
  std::string result;
  for (const std::string &part : parts)
    result += (result.empty() ? "" : ", ") + part;
  return result;
}

SmallKernel &SmallKernel::map(std::vector<int64_t> box, int64_t swizzle) {
  std::vector<std::string> extents;
  for (int64_t extent : box)
    extents.push_back(std::to_string(extent));
  maps.push_back(with("{param = $param : i64, box = [", {{"param", int64_t(params.size()) - 1}}) +
                 join(extents) + with("], swizzle = $width : i64}", {{"width", swizzle}}));
  mapNames.push_back("%" + params.back().name + "_map : !sm.tensor_map");
  return *this;
}

SmallKernel &SmallKernel::grid(int64_t count) {
  ctas = count;
  return *this;
}

SmallKernel &SmallKernel::counter(bool isGiven) {
  draws = true;
  hasCounter = isGiven;
  return *this;
}

SmallKernel &SmallKernel::body(const std::string &text) {
  operations += text + "\n";
  return *this;
}

std::string SmallKernel::loop(const std::string &name, int64_t words, int64_t offset, bool load) {
  std::string copy =
      load ? "  %$nv = sm.load_global %$ng : i32\n  sm.store_shared %$nv, %$ns : i32\n"
           : "  %$nv = sm.load_shared %$ns : i32\n  sm.store_global %$nv, %$ng : i32\n";
  std::string text = with(R"(%$nthread = sm.thread_id
%$nfirst = arith.extui %$nthread : i32 to i64
%$nend = arith.constant $words : i64
%$nstep = arith.constant $threads : i64
scf.for %$ni = %$nfirst to %$nend step %$nstep : i64 {
  %$nfour = arith.constant 4 : i64
  %$nat = arith.muli %$ni, %$nfour : i64
  %$ng = arith.addi %@, %$nat : i64
  %$nbase = sm.shared_base
  %$noffset = arith.constant $offset : i32
  %$nstart = arith.addi %$nbase, %$noffset : i32
  %$nat32 = arith.trunci %$nat : i64 to i32
  %$ns = arith.addi %$nstart, %$nat32 : i32
)" + copy + "}\n",
                          {{"words", words}, {"threads", 32 * warps}, {"offset", offset}});
  std::string prefix = "copy" + std::to_string(loops++) + "_";
  for (size_t at; (at = text.find("$n")) != std::string::npos;)
    text.replace(at, 2, prefix);
  return text.replace(text.find("%@"), 2, "%" + name);
}

SmallKernel &SmallKernel::toShared(const std::string &name, int64_t words, int64_t offset) {
  return body(loop(name, words, offset, /*load=*/true));
}

SmallKernel &SmallKernel::fromShared(const std::string &name, int64_t words, int64_t offset) {
  return body(loop(name, words, offset, /*load=*/false));
}

std::string SmallKernel::text() const {
  std::vector<std::string> arguments, descriptions;
  for (const Param &param : params) {
    std::vector<std::string> extents;
    arguments.push_back("%" + param.name + ": i64");
    for (size_t axis = 0; axis < param.tensor->shape.size(); ++axis) {
      extents.push_back("\"" + std::to_string(param.tensor->shape[axis]) + "\"");
      arguments.push_back("%" + param.name + "_" + std::to_string(axis) + ": i64");
    }
    for (size_t axis = 0; axis + 1 < param.tensor->shape.size(); ++axis)
      arguments.push_back("%" + param.name + "_stride" + std::to_string(axis) + ": i64");
    descriptions.push_back("{name = \"" + param.name + "\", kind = \"tensor\", access = \"" +
                           (param.output ? "out" : "in") + "\", dtype = \"" +
                           ::tile::name(param.tensor->dtype) + "\", extents = [" + join(extents) +
                           "]}");
  }
  if (draws)
    arguments.push_back("%counter: i64");
  arguments.insert(arguments.end(), mapNames.begin(), mapNames.end());
  return "module attributes {tile.stage = \"simplify-sm\"} {\nfunc.func @k(" + join(arguments) +
         ") attributes {tile.launch = {" + (draws ? "counter, " : "") +
         with("dims = [], facts = [], grid = [\"$ctas\"], params = [", {{"ctas", ctas}}) +
         join(descriptions) + "], maps = [" + join(maps) +
         with("], source = \"k\"}, tile.num_warps = $warps : i64, tile.shared_bytes = $bytes : "
              "i64} {\n",
              {{"warps", warps}, {"bytes", sharedBytes}}) +
         operations + "return\n}\n}\n";
}

std::string SmallKernel::run(uint64_t seed) {
  LibraryKernel kernel(text());
  if (!kernel.module())
    return "did not parse";
  kernel.hasCounter = hasCounter;
  std::vector<::tile::Tensor> views;
  for (const Param &param : params)
    views.push_back(param.tensor->view());
  return kernel.run({views.begin(), views.end()}, seed);
}

} // namespace tilec::test
