// RUN: %dsl %s --kernel=rising | FileCheck %s --check-prefix=RISING
// RUN: %dsl %s --kernel=falling | FileCheck %s --check-prefix=FALLING
// RUN: %dsl %s --kernel=sections | FileCheck %s --check-prefix=SECTIONS
// RUN: %dsl %s --kernel=listed | FileCheck %s --check-prefix=LISTED
// RUN: %dsl %s --kernel=items | FileCheck %s --check-prefix=ITEMS
// RUN: %dsl %s --kernel=persistent | FileCheck %s --check-prefix=PERSISTENT
// RUN: %dsl %s --kernel=costly_items | FileCheck %s --check-prefix=COSTLY
// RUN: %dsl %s --kernel=listed_items | FileCheck %s --check-prefix=LISTED-ITEMS
// RUN: %dsl %s --kernel=shared_sm | FileCheck %s --check-prefix=SHARED
// RUN: %dsl %s --kernel=shared_sm --config=ctas_per_sm=0 | FileCheck %s --check-prefix=LATER
// The order in which CTAs start, and work items instead of a grid.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

struct Shares {
  int ctas_per_sm = 3;
};
TILE_CONFIG(Shares, ctas_per_sm);

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

// All of the kernel is done for each item, also what stands in front of the grid, and every program number
// is the item's, also one in a branch. Only dimensions stay outside.
// PERSISTENT: tile.ctas_per_sm = 1 : i64
// PERSISTENT-SAME: grid = ["min(items(items(1, blocks), heads), sm_count() * 1)"]
// PERSISTENT-DAG: %[[BLOCKS:.*]] = tile.dim "blocks"
// PERSISTENT-DAG: %[[HEADS:.*]] = tile.dim "heads"
// PERSISTENT-DAG: %[[FIRST:.*]] = tile.program_id
// PERSISTENT-DAG: %[[STEP:.*]] = tile.num_programs
// PERSISTENT-DAG: %[[COUNT:.*]] = arith.muli %[[BLOCKS]], %[[HEADS]]
// PERSISTENT: scf.for %[[I:.*]] = %[[FIRST]] to %[[COUNT]] step %[[STEP]] : i64 {
// PERSISTENT-NEXT: %[[MOST:.*]] = arith.constant 2147483647 : i64
// PERSISTENT-NEXT: %[[ITEM:.*]] = arith.minui %[[I]], %[[MOST]]
// PERSISTENT-NOT: tile.program_id
// PERSISTENT: tile.store_scalar %{{.*}}, %{{.*}}[%[[ITEM]]]
// PERSISTENT: %[[BLOCK:.*]] = arith.remui %[[ITEM]], %[[BLOCKS]]
// PERSISTENT: scf.if
// PERSISTENT: %[[NARROW:.*]] = arith.maxsi %[[ITEM]]
// PERSISTENT: } {tile.tile_loop}
// PERSISTENT-NEXT: tile.return
template <class T> void persistent(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto Seen = k.output<T>("seen", {blocks * heads});
  auto O = k.output<T>("o", {blocks, heads});
  store(k.program(), Seen.at({k.program()}));
  auto [block, head] = k.grid(blocks, heads).persistent();
  k.when(block > 0, [&] { store(k.program(), O.at({block, head})); });
}
TILE_KERNEL(persistent, Config, i32);

// The items are numbered in the order of falling costs, whichever is said first.
// COSTLY: tile.ctas_per_sm = 2 : i64
// COSTLY-SAME: grid = ["min(items(items(1, blocks), heads), sm_count() * 2)"], order = {cost = "cta_x"}
// COSTLY-DAG: %[[BLOCKS:.*]] = tile.dim "blocks"
// COSTLY-DAG: %[[HEADS:.*]] = tile.dim "heads"
// COSTLY: scf.for %[[I:.*]] =
// COSTLY: %[[ITEM:.*]] = arith.minui %[[I]]
// COSTLY-DAG: %[[PLACE:.*]] = arith.divui %[[ITEM]], %[[HEADS]]
// COSTLY-DAG: %[[LAST:.*]] = arith.subi %[[BLOCKS]], %c1_i64
// COSTLY-DAG: %[[BLOCK:.*]] = arith.subi %[[LAST]], %[[PLACE]]
// COSTLY-DAG: %[[HEAD:.*]] = arith.remui %[[ITEM]], %[[HEADS]]
// COSTLY: tile.store_scalar %{{.*}}, %{{.*}}[%[[BLOCK]], %[[HEAD]]]
// COSTLY: } {tile.tile_loop}
template <class T> void costly_items(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto O = k.output<T>("o", {blocks, heads});
  auto [block, head] =
      k.grid(blocks, heads).persistent(2).cost([](Dim block, Dim) { return block; });
  store(block, O.at({block, head}));
}
TILE_KERNEL(costly_items, Config, i32);

// LISTED-ITEMS: order = {list = "order"}
// LISTED-ITEMS: scf.for %[[I:.*]] =
// LISTED-ITEMS: %[[ITEM:.*]] = arith.minui %[[I]]
// LISTED-ITEMS: tile.load_scalar %{{.*}}[%[[ITEM]]]
template <class T> void listed_items(Kernel &k, const Config &) {
  Dim blocks("blocks"), heads("heads");
  auto List = k.input<i32>("order", {blocks * heads});
  auto O = k.output<T>("o", {blocks, heads});
  auto [block, head] = k.grid(blocks, heads).order(List).persistent();
  store(block, O.at({block, head}));
}
TILE_KERNEL(listed_items, Config, i32);

// Without a number, as many CTAs share an SM as the Config asks for, or the kernel, wherever it does.
// SHARED: tile.ctas_per_sm = 3 : i64
// SHARED-SAME: grid = ["min(items(1, rows), sm_count() * 3)"]
// LATER: tile.ctas_per_sm = 4 : i64
// LATER-SAME: grid = ["min(items(1, rows), sm_count() * 4)"]
template <class T> void shared_sm(Kernel &k, const Shares &cfg) {
  Dim rows("rows");
  auto O = k.output<T>("o", {rows});
  auto [row] = k.grid(rows).persistent();
  if (cfg.ctas_per_sm == 0)
    k.ctas_per_sm(4);
  store(row, O.at({row}));
}
TILE_KERNEL(shared_sm, Shares, i32);
