//===- KernelRequest.cpp - what a kernel of a list was built from ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "KernelRequest.h"

#include <regex>

tile::BuildRequest tile::test::requestOf(const std::string &symbol) {
  static const std::regex whole("(.+?)__([a-z0-9]+)(__(.+))?"), field("([a-z_]+?)(\\d+)(_|$)");
  std::smatch parts;
  std::regex_match(symbol, parts, whole);
  BuildRequest request;
  request.kernel = parts[1];
  request.dtype = parts[2];
  std::string fields = parts[4];
  for (std::sregex_iterator next(fields.begin(), fields.end(), field), end; next != end; ++next)
    request.config.emplace_back((*next)[1], (*next)[2]);
  return request;
}
