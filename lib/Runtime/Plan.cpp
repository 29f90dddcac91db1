//===- Plan.cpp - parse a kernel's tables ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Plan.h"

#include <algorithm>
#include <string>

namespace tile {

const char *name(Access access) {
  constexpr const char *names[] = {"in", "out", "inout", "workspace"};
  return names[static_cast<int>(access)];
}

std::optional<Access> parseAccess(std::string_view text) {
  for (Access access : {Access::in, Access::out, Access::inout, Access::workspace})
    if (text == name(access))
      return access;
  return std::nullopt;
}

// In the body: build() fills members that are declared after `failure`.
Plan::Plan(const KernelInfo &info) : info(info) { failure = build(); }

Status Plan::build() {
  std::vector<std::string_view> names(info.dims.begin(), info.dims.end());
  sources.resize(names.size());
  int index = 0;
  for (const ParamInfo &param : info.params)
    if (Status status = addParam(param, index++, names); !status.ok())
      return status;
  if (Status status = addAll("grid", info.grid, names, grid); !status.ok())
    return status;
  if (Status status = addAll("derived", info.derived, names, derived); !status.ok())
    return status;
  for (const FactInfo &fact : info.facts)
    if (Status status = addFact(fact, names); !status.ok())
      return status;
  for (const GroupInfo &group : info.groups)
    if (Status status = addGroup(group, names); !status.ok())
      return status;
  for (unsigned dim = 0; dim < sources.size(); ++dim)
    if (sources[dim].param < 0)
      dimArguments.push_back(dim);
  return {};
}

Status Plan::addAll(const char *what, std::span<const char *const> texts,
                    std::span<const std::string_view> names, std::vector<Expr> &parsed) {
  for (const char *text : texts) {
    Result<Expr> expr = Expr::parse(text, names);
    if (!expr.ok())
      return Status::error(std::string(what) + ": " + expr.message());
    usesSmCount |= expr->usesSmCount();
    parsed.push_back(std::move(*expr));
  }
  return {};
}

Status Plan::addParam(const ParamInfo &param, int index, std::span<const std::string_view> names) {
  std::vector<Expr> &parsed = extents.emplace_back();
  if (param.extents.size() > maxRank)
    return Status::error(
        "argument '" + std::string(param.name) + "': " + std::to_string(param.extents.size()) +
        " dimensions declared, at most " + std::to_string(maxRank) + " are supported");
  for (const char *text : param.extents) {
    Result<Expr> expr = Expr::parse(text, names);
    if (!expr.ok())
      return Status::error("argument '" + std::string(param.name) + "': " + expr.message());
    if (auto dim = expr->asName(); dim && sources[*dim].param < 0)
      sources[*dim] = {index, static_cast<int>(parsed.size())};
    usesSmCount |= expr->usesSmCount();
    parsed.push_back(std::move(*expr));
  }
  return {};
}

Status Plan::addFact(const FactInfo &fact, std::span<const std::string_view> names) {
  auto found = std::find(names.begin(), names.end(), fact.dim);
  if (found == names.end())
    return Status::error("a fact names the dimension '" + std::string(fact.dim) +
                         "', which is not declared");
  if (fact.multipleOf < 1)
    return Status::error("dimension '" + std::string(fact.dim) +
                         "': expected a positive factor of multiple_of, found " +
                         std::to_string(fact.multipleOf));
  facts.push_back({static_cast<unsigned>(found - names.begin()), fact.multipleOf});
  return {};
}

Status Plan::addGroup(const GroupInfo &group, std::span<const std::string_view> names) {
  Result<Expr> members = Expr::parse(group.members, names);
  Result<Expr> groups = Expr::parse(group.groups, names);
  for (const Result<Expr> *expr : {&members, &groups}) {
    if (!expr->ok())
      return Status::error("groups: " + expr->message());
    usesSmCount |= (*expr)->usesSmCount();
  }
  this->groups.push_back({std::move(*members), std::move(*groups)});
  return {};
}

} // namespace tile
