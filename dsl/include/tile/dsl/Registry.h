//===- Registry.h - kernels and their configurations ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_REGISTRY_H
#define TILE_DSL_REGISTRY_H

#include "tile/dsl/Kernel.h"
#include "tile/dsl/KernelList.h"

namespace tile::inline dsl::detail {

/// Visits the fields of a Config as TILE_CONFIG lists them.
template <class Config> std::vector<ConfigField> configFields() {
  Config defaults{};
  std::vector<ConfigField> fields;
  tileConfigFields(defaults, [&](const char *name, auto &field) {
    using Field = std::remove_reference_t<decltype(field)>;
    static_assert(std::same_as<Field, bool> || std::same_as<Field, int> ||
                      std::same_as<Field, int64_t>,
                  "a Config field is an int, an int64_t or a bool");
    fields.push_back(
        {name, std::same_as<Field, bool> ? ConfigField::Type::boolean : ConfigField::Type::integer,
         static_cast<int64_t>(std::numeric_limits<Field>::min()),
         static_cast<int64_t>(std::numeric_limits<Field>::max()), static_cast<int64_t>(field)});
  });
  return fields;
}

template <class Config> Config makeConfig(std::span<const int64_t> values) {
  Config config{};
  size_t next = 0;
  tileConfigFields(config, [&](const char *, auto &field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(values[next++]);
  });
  return config;
}

/// `Call` has a static template function `run<T>(Kernel &, const Config &)`.
template <class Call, class Config, class... Types>
int registerTemplate(const char *name, Loc loc = Loc::current()) {
  auto run = [](Builder &builder, unsigned dtype, std::span<const int64_t> values) {
    Kernel kernel(builder);
    using Function = void (*)(Kernel &, const Config &);
    static constexpr Function functions[] = {&Call::template run<Types>...};
    functions[dtype](kernel, makeConfig<Config>(values));
  };
  return registerKernel(
      {name, {detail::name(elementOf<Types>)...}, configFields<Config>(), loc, run});
}

} // namespace tile::inline dsl::detail

// Calls MACRO(x) for up to 4^4 arguments.
#define TILE_DSL_EXPAND(...)                                                                       \
  TILE_DSL_EXPAND3(TILE_DSL_EXPAND3(TILE_DSL_EXPAND3(TILE_DSL_EXPAND3(__VA_ARGS__))))
#define TILE_DSL_EXPAND3(...)                                                                      \
  TILE_DSL_EXPAND2(TILE_DSL_EXPAND2(TILE_DSL_EXPAND2(TILE_DSL_EXPAND2(__VA_ARGS__))))
#define TILE_DSL_EXPAND2(...)                                                                      \
  TILE_DSL_EXPAND1(TILE_DSL_EXPAND1(TILE_DSL_EXPAND1(TILE_DSL_EXPAND1(__VA_ARGS__))))
#define TILE_DSL_EXPAND1(...) __VA_ARGS__
#define TILE_DSL_PARENTHESES ()
#define TILE_DSL_FOR_EACH(MACRO, ...)                                                              \
  __VA_OPT__(TILE_DSL_EXPAND(TILE_DSL_FOR_EACH_STEP(MACRO, __VA_ARGS__)))
#define TILE_DSL_FOR_EACH_STEP(MACRO, FIRST, ...)                                                  \
  MACRO(FIRST) __VA_OPT__(TILE_DSL_FOR_EACH_AGAIN TILE_DSL_PARENTHESES(MACRO, __VA_ARGS__))
#define TILE_DSL_FOR_EACH_AGAIN() TILE_DSL_FOR_EACH_STEP

/// Names the fields of a Config struct, in the order in which they appear in the kernel's symbol.
/// Stands in the namespace of the struct.
#define TILE_CONFIG(CONFIG, ...)                                                                   \
  template <class Visitor>                                                                         \
  [[maybe_unused]] void tileConfigFields([[maybe_unused]] CONFIG &config,                          \
                                         [[maybe_unused]] Visitor &&visit) {                       \
    TILE_DSL_FOR_EACH(TILE_DSL_VISIT_FIELD, __VA_ARGS__)                                           \
  }                                                                                                \
  static_assert(true)
#define TILE_DSL_VISIT_FIELD(FIELD) visit(#FIELD, config.FIELD);

/// Registers `template <class T> void NAME(Kernel &, const CONFIG &)` for these element types.
#define TILE_KERNEL(NAME, CONFIG, ...)                                                             \
  struct TileKernel_##NAME {                                                                       \
    template <class T> static void run(::tile::Kernel &kernel, const CONFIG &config) {             \
      NAME<T>(kernel, config);                                                                     \
    }                                                                                              \
  };                                                                                               \
  [[maybe_unused]] static const int tileRegistered_##NAME =                                        \
      ::tile::detail::registerTemplate<TileKernel_##NAME, CONFIG, __VA_ARGS__>(#NAME)

#endif // TILE_DSL_REGISTRY_H
