//===- Expr.cpp - parse and evaluate launch-time expressions --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Expr.h"

#include "tile/Reciprocal.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tile {

namespace {
/// Operands waiting during evaluation; the parser refuses what would need more.
constexpr int maxPending = 32;

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
} // namespace

/// Recursive descent, one function per rule of the grammar; emits postfix steps.
class ExprParser {
public:
  ExprParser(std::string_view text, std::span<const std::string_view> names)
      : text(text), names(names) {}

  Result<Expr> run() {
    Expr expr;
    expr.source = text;
    sum();
    if (skipSpaces(); failure.ok() && at < text.size())
      expected("an operator or the end");
    if (!failure.ok())
      return failure;
    expr.steps = std::move(steps);
    return expr;
  }

private:
  using Op = Expr::Op;

  void sum() {
    product();
    while (failure.ok()) {
      if (accept('+'))
        product(), emit(Op::add);
      else if (accept('-'))
        product(), emit(Op::sub);
      else
        return;
    }
  }

  void product() {
    factor();
    while (failure.ok() && accept('*'))
      factor(), emit(Op::mul);
  }

  void factor() {
    skipSpaces();
    char next = at < text.size() ? text[at] : '\0';
    if (isDigit(next))
      return integer();
    if (isNameStart(next))
      return nameOrCall();
    if (!accept('('))
      return expected("a name, an integer or '('");
    if (++depth > maxPending)
      return fail("nested too deeply");
    sum();
    --depth;
    require(')');
  }

  void integer() {
    int64_t value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at)
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(text[at] - '0'), &value))
        return fail("integer does not fit 64 bits");
    push(Op::constant, value);
  }

  void nameOrCall() {
    size_t begin = at;
    while (at < text.size() && isNameChar(text[at]))
      ++at;
    std::string_view word = text.substr(begin, at - begin);
    if (accept('('))
      return call(word);
    auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      return fail("unknown name '" + std::string(word) + "'; " + knownNames());
    push(Op::name, found - names.begin());
  }

  void call(std::string_view function) {
    if (function == "sm_count") {
      push(Op::smCount, 0);
      return require(')');
    }
    if (function == "reciprocal") {
      if (++depth > maxPending)
        return fail("nested too deeply");
      sum();
      --depth;
      require(')');
      if (failure.ok())
        steps.push_back({Op::reciprocal, 0});
      return;
    }
    static constexpr std::pair<std::string_view, Op> functions[] = {
        {"ceildiv", Op::ceilDiv}, {"floordiv", Op::floorDiv}, {"mod", Op::mod},
        {"min", Op::min},         {"max", Op::max},           {"items", Op::items},
    };
    for (auto [spelling, op] : functions) {
      if (function != spelling)
        continue;
      if (++depth > maxPending)
        return fail("nested too deeply");
      sum();
      require(',');
      sum();
      --depth;
      require(')');
      return emit(op);
    }
    fail("unknown function '" + std::string(function) +
         "'; known are ceildiv, floordiv, mod, min, max, items, reciprocal, sm_count");
  }

  void push(Op op, int64_t value) {
    if (++pending > maxPending)
      return fail("nested too deeply");
    steps.push_back({op, value});
  }

  void emit(Op op) {
    if (!failure.ok())
      return;
    --pending;
    steps.push_back({op, 0});
  }

  void skipSpaces() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }

  bool accept(char c) {
    skipSpaces();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  void require(char c) {
    if (failure.ok() && !accept(c))
      expected(std::string("'") + c + "'");
  }

  void expected(const std::string &what) {
    fail("expected " + what + ", found " +
         (at < text.size() ? "'" + std::string(text.substr(at)) + "'" : "the end"));
  }

  void fail(const std::string &message) {
    if (failure.ok())
      failure = Status::error("in the expression '" + std::string(text) + "': " + message);
    at = text.size();
  }

  std::string knownNames() const {
    std::string list;
    for (std::string_view known : names)
      list += (list.empty() ? "known are " : ", ") + std::string(known);
    return list.empty() ? "no dimension is declared" : list;
  }

  std::string_view text;
  std::span<const std::string_view> names;
  size_t at = 0;
  int depth = 0;
  int pending = 0;
  std::vector<Expr::Step> steps;
  Status failure;
};

Result<Expr> Expr::parse(std::string_view text, std::span<const std::string_view> names) {
  return ExprParser(text, names).run();
}

/// Each extent of a grid is checked as it would be if every item had a thread block of its own.
static Status multiplyItems(int64_t &left, int64_t right) {
  constexpr int64_t largest = 0x7fffffff;
  for (int64_t number : {left, right})
    if (number < 0)
      return Status::error("expected a non-negative number of work items, found " +
                           std::to_string(number));
  if (int64_t of = right; __builtin_mul_overflow(left, right, &left) || left > largest)
    return Status::error("expected at most " + std::to_string(largest) +
                         " work items, found more at " + std::to_string(of));
  return {};
}

Status Expr::apply(Op op, int64_t &left, int64_t right) {
  bool overflow = false;
  switch (op) {
  case Op::add:
    overflow = __builtin_add_overflow(left, right, &left);
    break;
  case Op::sub:
    overflow = __builtin_sub_overflow(left, right, &left);
    break;
  case Op::mul:
    overflow = __builtin_mul_overflow(left, right, &left);
    break;
  case Op::min:
    left = std::min(left, right);
    break;
  case Op::max:
    left = std::max(left, right);
    break;
  case Op::items:
    return multiplyItems(left, right);
  default: {
    if (right < 1)
      return Status::error("division by " + std::to_string(right));
    int64_t remainder = left % right;
    int64_t floor = left / right - (remainder < 0);
    left = op == Op::mod        ? remainder + (remainder < 0 ? right : 0)
           : op == Op::floorDiv ? floor
                                : floor + (remainder != 0);
  }
  }
  return overflow ? Status::error("the value does not fit 64 bits") : Status();
}

Result<int64_t> Expr::evaluate(std::span<const int64_t> values, int64_t smCount) const {
  // Most extents are a name or a number, and a launch evaluates each.
  if (steps.size() == 1 && steps[0].op != Op::smCount)
    return steps[0].op == Op::name ? values[steps[0].value] : steps[0].value;
  std::array<int64_t, maxPending> stack;
  int top = -1;
  for (const Step &step : steps) {
    if (step.op == Op::constant) {
      stack[++top] = step.value;
    } else if (step.op == Op::name) {
      stack[++top] = values[step.value];
    } else if (step.op == Op::smCount) {
      stack[++top] = smCount;
    } else if (step.op == Op::reciprocal) {
      stack[top] = static_cast<int64_t>(tile::reciprocal(stack[top]));
    } else {
      --top;
      if (Status status = apply(step.op, stack[top], stack[top + 1]); !status.ok())
        return Status::error("in the expression '" + source + "': " + status.message());
    }
  }
  return stack[0];
}

std::optional<unsigned> Expr::asName() const {
  if (steps.size() == 1 && steps[0].op == Op::name)
    return static_cast<unsigned>(steps[0].value);
  return std::nullopt;
}

std::optional<int64_t> Expr::asConstant() const {
  if (steps.size() == 1 && steps[0].op == Op::constant)
    return steps[0].value;
  return std::nullopt;
}

bool Expr::usesSmCount() const {
  return std::any_of(steps.begin(), steps.end(), [](Step step) { return step.op == Op::smCount; });
}

std::vector<unsigned> Expr::usedNames() const {
  std::vector<unsigned> used;
  for (const Step &step : steps)
    if (step.op == Op::name && std::find(used.begin(), used.end(), step.value) == used.end())
      used.push_back(static_cast<unsigned>(step.value));
  return used;
}

} // namespace tile
