//===- Value.cpp - the list of variables that are alive -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

namespace tile::inline dsl::detail {

Variable::Variable(Builder &builder, void *value, Axes axes, Kind kind)
    : owner(&builder), value(value), axisList(std::move(axes)), kind(kind) {
  link();
}

Variable::Variable(const Variable &other)
    : owner(other.owner), value(other.value), axisList(other.axisList), kind(other.kind) {
  link();
}

Variable &Variable::operator=(const Variable &other) {
  bool enters = !owner && other.owner;
  owner = other.owner ? other.owner : owner;
  value = other.value;
  axisList = other.axisList;
  kind = other.kind;
  if (enters)
    link();
  return *this;
}

Variable::~Variable() { unlink(); }

void Variable::link() {
  if (!owner)
    return;
  previous = owner->newest;
  (previous ? previous->next : owner->oldest) = this;
  owner->newest = this;
}

void Variable::unlink() {
  if (!owner)
    return;
  (previous ? previous->next : owner->oldest) = next;
  (next ? next->previous : owner->newest) = previous;
  for (std::vector<Variable *> *list : owner->watched)
    std::replace(list->begin(), list->end(), this, static_cast<Variable *>(nullptr));
}

std::vector<Variable *> Builder::aliveVariables() const {
  std::vector<Variable *> alive;
  for (Variable *v = oldest; v; v = v->next)
    if (v->value)
      alive.push_back(v);
  return alive;
}

void Builder::forgetValuesOf(mlir::Region &region) {
  for (Variable *v = oldest; v; v = v->next)
    if (v->value && region.isAncestor(current(*v).getParentRegion()))
      v->value = nullptr;
}

mlir::Value Builder::get(const Variable &variable, Loc loc) {
  if (!variable.value)
    fail(loc,
         "this variable has no value here; a variable that a loop or a branch sets needs a value "
         "before it");
  return current(variable);
}

} // namespace tile::inline dsl::detail
