//===- Location.cpp - from the author's line to MLIR locations ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

#include <exception>

namespace tile::inline dsl {

namespace detail {

void fail(Loc loc, const std::string &message) { throw BuildError(loc, message); }

static mlir::Location fileLine(mlir::MLIRContext *context, Loc loc) {
  return mlir::FileLineColLoc::get(context, loc.file_name(), loc.line(), loc.column());
}

mlir::Location Builder::location(Loc loc) const {
  mlir::Location result = fileLine(getContext(), loc);
  for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller)
    result = mlir::CallSiteLoc::get(result, fileLine(getContext(), *caller));
  return result;
}

mlir::Location Builder::errorLocation(Loc loc) const {
  mlir::Location result = fileLine(getContext(), loc);
  for (Loc caller : unwound)
    result = mlir::CallSiteLoc::get(result, fileLine(getContext(), caller));
  return result;
}

} // namespace detail

static detail::Builder &builderOf(const detail::Variable &value, Loc caller) {
  if (!value.builder())
    detail::fail(caller, "a scope needs a variable that has a value");
  return *value.builder();
}

Scope::Scope(Kernel &kernel, Loc caller)
    : builder(kernel.builder), exceptions(std::uncaught_exceptions()) {
  builder.callers.push_back(caller);
}
Scope::Scope(const detail::Variable &anyValue, Loc caller)
    : builder(builderOf(anyValue, caller)), exceptions(std::uncaught_exceptions()) {
  builder.callers.push_back(caller);
}
Scope::~Scope() {
  if (std::uncaught_exceptions() > exceptions)
    builder.unwound.push_back(builder.callers.back());
  builder.callers.pop_back();
}

} // namespace tile::inline dsl
