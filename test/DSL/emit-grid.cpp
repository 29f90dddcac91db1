// RUN: %dsl %s --kernel=rising | FileCheck %s --check-prefix=RISING
// RUN: %dsl %s --kernel=falling | FileCheck %s --check-prefix=FALLING
// RUN: %dsl %s --kernel=sections | FileCheck %s --check-prefix=SECTIONS
// RUN: %dsl %s --kernel=listed | FileCheck %s --check-prefix=LISTED
// RUN: %dsl %s --kernel=items | FileCheck %s --check-prefix=ITEMS
// The order in which CTAs start, and work items instead of a grid.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// The costly coordinate varies slowest, from its end.
// RISING: order = {cost = "(cta_y + 1) * blocks"}
// RISING-DAG: %[[BLOCKS:.*]] = tile.dim "blocks"
// RISING-DAG: %[[HEADS:.*]] = tile.dim "heads"
// RISING-DAG: %[[ID:.*]] = tile.program_id
// RISING-DAG: %[[HEAD:.*]] = arith.remui %[[ID]], %[[HEADS]]
// RISING-DAG: %[[PLACE:.*]] = arith.divui %[[ID]], %[[HEADS]]
// RISING-DAG: %[[LAST:.*]] = arith.subi %[[BLOCKS]], %c1_i64
// RISING-DAG: %[[BLOCK:.*]] = arith.subi %[[LAST]], %[[PLACE]]
// RISING: tile.store_scalar %{{.*}}, %{{.*}}[%[[BLOCK]], %[[HEAD]]]
template <class T> void rising(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto O = k.output<T>("o", {blocks, heads});
  auto [head, block] =
      k.grid(heads, blocks).cost([&](Dim, Dim block) { return (block + 1) * blocks; });
  store(block, O.at({block, head}));
}
TILE_KERNEL(rising, Config, i32);

// FALLING: order = {cost = "blocks - cta_x"}
// FALLING: %[[ID:.*]] = tile.program_id
// FALLING-DAG: %[[HEAD:.*]] = arith.remui %[[ID]]
// FALLING-DAG: %[[PLACE:.*]] = arith.divui %[[ID]]
// FALLING: tile.store_scalar %{{.*}}, %{{.*}}[%[[PLACE]], %[[HEAD]]]
template <class T> void falling(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto O = k.output<T>("o", {blocks, heads});
  auto [block, head] = k.grid(blocks, heads).cost([&](Dim block, Dim) { return blocks - block; });
  store(block, O.at({block, head}));
}
TILE_KERNEL(falling, Config, i32);

// SECTIONS: order = {cost = "cta_x"}
// SECTIONS-DAG: %[[BLOCKS:.*]] = tile.dim "blocks"
// SECTIONS-DAG: %[[HEADS:.*]] = tile.dim "heads"
// SECTIONS-DAG: %[[ID:.*]] = tile.program_id
// Every divisor is made of dimensions: the last section's size is chosen, not computed from its number.
// SECTIONS: %[[SPAN:.*]] = arith.muli %{{.*}}, %[[BLOCKS]]
// SECTIONS: %[[SECTION:.*]] = arith.divui %[[ID]], %[[SPAN]]
// SECTIONS: %[[WHOLE:.*]] = arith.cmpi ult, %[[SECTION]]
// SECTIONS: %[[WITHIN:.*]] = arith.remui %[[ID]], %[[SPAN]]
// SECTIONS: %[[PLACE:.*]] = arith.divui %[[WITHIN]], %[[TOGETHER:.*]] : i64
// SECTIONS: %[[LEFT:.*]] = arith.remsi %[[HEADS]]
// SECTIONS: %[[LAST:.*]] = arith.maxsi %[[LEFT]]
// SECTIONS: %[[PLACE_IN_LAST:.*]] = arith.divui %[[WITHIN]], %[[LAST]]
// SECTIONS: arith.select %[[WHOLE]], %[[PLACE]], %[[PLACE_IN_LAST]]
// SECTIONS: %[[FIRST:.*]] = arith.muli %[[SECTION]], %[[TOGETHER]]
// SECTIONS: %[[MEMBER:.*]] = arith.remui %[[WITHIN]], %[[TOGETHER]]
// SECTIONS: %[[MEMBER_IN_LAST:.*]] = arith.remui %[[WITHIN]], %[[LAST]]
// SECTIONS: %[[CHOSEN:.*]] = arith.select %[[WHOLE]], %[[MEMBER]], %[[MEMBER_IN_LAST]]
// SECTIONS: arith.addi %[[FIRST]], %[[CHOSEN]]
template <class T> void sections(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto O = k.output<T>("o", {blocks, heads});
  auto [block, head] =
      k.grid(blocks, heads).cost([](Dim block, Dim) { return block; }, ceil_div(16384, blocks));
  store(block, O.at({block, head}));
}
TILE_KERNEL(sections, Config, i32);

// LISTED: order = {list = "order"}
// LISTED: %[[ID:.*]] = tile.program_id
// LISTED: %[[E:.*]] = tile.load_scalar %{{.*}}[%[[ID]]]
// LISTED: %[[NUMBER:.*]] = arith.extsi %[[E]]
// LISTED: arith.remui %[[NUMBER]]
template <class T> void listed(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto List = k.input<i32>("order", {blocks * heads});
  auto O = k.output<T>("o", {blocks, heads});
  auto [block, head] = k.grid(blocks, heads).order(List);
  store(block, O.at({block, head}));
}
TILE_KERNEL(listed, Config, i32);

// ITEMS: grid = ["min(most, (sm_count() * 4))"]
// ITEMS-DAG: %[[N:.*]] = tile.load_scalar
// ITEMS-DAG: %[[COUNT:.*]] = arith.extsi %[[N]]
// ITEMS-DAG: %[[FIRST:.*]] = tile.program_id
// ITEMS-DAG: %[[STEP:.*]] = tile.num_programs
// ITEMS: scf.for %[[T:.*]] = %[[FIRST]] to %[[COUNT]] step %[[STEP]] : i64 {
// ITEMS: tile.load_scalar %{{.*}}[%[[T]]]
// ITEMS: } {tile.tile_loop}
template <class T> void items(Kernel &k, const Config &) {
  Dim most("most");
  auto List = k.input<i32>("list", {most});
  auto Count = k.input<i32>("count", {1});
  auto O = k.output<T>("o", {most});
  k.tiles(List, Count(0), [&](Index item) { store(item, O.at({item})); }, {.ctas_per_sm = 4});
}
TILE_KERNEL(items, Config, i32);
