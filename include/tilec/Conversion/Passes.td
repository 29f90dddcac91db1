//===- Passes.td - conversions between dialects -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_PASSES_TD
#define TILEC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToSMPass : Pass<"convert-tile-to-sm", "::mlir::ModuleOp"> {
  let summary = "per-thread code from laid-out tiles";
  let description = [{
    On the simple path every thread does everything. Input is `tile` after layouts, shared-memory
    offsets, barriers and fences were put in.

    1. A kernel becomes a `func.func` with the launcher's flat arguments: per tensor its address, its
       extents and the strides of all axes but the last; scalars; then the launch-time dimensions.
    2. A fragment becomes a vector of the thread's registers, in the order of its layout. `arith` and
       `math` on fragments become the same operations on vectors; approximations become `sm`.
    3. A window becomes an address, strides, and per axis the range of coordinates that are there.
       Where that range may be less than the window, a uniform test picks code without predicates for
       windows that are there completely.
    4. A shared tile becomes its address; accesses follow its swizzle.
    5. A gemm becomes wgmma where its accumulator's layout spans warpgroups, mma.sync otherwise.
    6. A role-split kernel (`pipe`, the scheduled path) is lowered in the same run. One thread makes the
       mbarriers, then `pipe.specialize` becomes a branch on the warp: the producer's first warp elects the
       one thread that runs its region, registers move to the consumers. A channel becomes two addresses, a
       cursor a stage and a parity, an accumulator in flight its registers. The tensor maps of
       `tile.launch` are the last arguments.

    Each copy from a window into shared memory is one group of `sm.cp_async`; the waits were placed
    by `tile-insert-barriers-and-fences`.

    ```mlir
    %p = math.exp2 %s : tensor<64x128xf32, #acc>
    // becomes
    %p = sm.exp2 %s : vector<64xf32>

    %slot = pipe.wait %channel[%cursor] : !pipe.channel<!tile.shared<128x64xbf16>, 2> -> !tile.shared<128x64xbf16>
    // becomes, with the cursor's %stage and %parity
    %offset = arith.muli %stage, %c8 : i32
    %full = arith.addi %barriers, %offset : i32
    sm.barrier_try_wait %full, %parity
    %bytes = arith.muli %stage, %c16384 : i32
    %slot = arith.addi %slots, %bytes : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::sm::SMDialect", "::mlir::vector::VectorDialect"];
}

def ConvertTileToPipePass : Pass<"convert-tile-to-pipe", "::mlir::tile::KernelOp"> {
  let summary = "a producer and consumers out of plain pipelined loops";
  let description = [{
    Takes the scheduled path where a kernel allows it; otherwise a remark says which fact forbids it,
    and the kernel is left as it is for the simple path.

    1. *Plan* (Legality.cpp). Each copy from a window into a shared tile, in a `pipelined` loop or before
       it, becomes a channel filled by TMA. That needs: products on wgmma; a window of contiguous rows that
       ends where the tensor ends; a shared layout that TMA writes; addresses that depend only on launch
       arguments, the program's index, loop counters, loads of scalars, and what the loop carries of such, and
       not on what the kernel computes or writes. Several copies may fill one tile (Parts.cpp): each a constant
       `tile.slice` of it, together all of it and nothing twice, at rows where the swizzle starts anew (multiples
       of 8), of whole slabs.
    2. *Split* (Roles.cpp). Scalars and windows stay in front, for both roles. The producer gets the loops
       with their copies and nothing else; the consumers get the rest, with a wait before the first reader
       of a slot and a release after the last one. Copies of one tile follow each other between one acquire and
       one commit. Loops whose tiles are equal, up to the axes along which rows are counted, share channels.
       Of a loop over work items the code of one is left (`pipe.work_item`), and what that copies outside of
       loops gets two slots if they fit: the next item's comes while this one is computed.
    3. *Announce* in `tile.launch` which tensor maps the launcher has to encode (`maps`).

    It runs after layouts, because slots have the swizzle that the products need, and before shared
    memory is allocated, because channels are what takes most of it.

    ```mlir
    scf.for %i = %c0 to %n step %c1 : i64 {
      %s = tile.alloc_shared : !tile.shared<128x64xbf16, #tile.swizzle<128>>
      tile.copy %w, %s : ...
      %r = tile.gemm %q, %s, %acc ...
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    // becomes
    %ch = pipe.channel : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    pipe.specialize producer {
      scf.for ... iter_args(%c = %start) {
        pipe.acquire %ch[%c] bytes 16384
        pipe.load %w, %ch[%c] map 0
        pipe.commit %ch[%c]
        %next = pipe.advance %ch[%c]
      }
    } consumer {
      scf.for ... iter_args(%c = %start) {
        %s = pipe.wait %ch[%c]
        %r = tile.gemm %q, %s, %acc ...
        pipe.release %ch[%c]
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::pipe::PipeDialect"];
  let statistics = [Statistic<"numScheduled", "kernels-scheduled", "kernels split into roles">,
                    Statistic<"numDeclined", "kernels-declined", "kernels with a pipelined loop left to the simple path">];
}

#endif // TILEC_CONVERSION_PASSES_TD
