//===- Passes.td - passes over the `tile` dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the order in which the pipeline runs them. Each example is shortened from the pass's tests.
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_PASSES_TD
#define TILEC_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

class Tile_Pass<string flag> : Pass<flag, "::mlir::tile::KernelOp">;

def VerifyKernelPass : Tile_Pass<"tile-verify-kernel"> {
  let summary = "checks a kernel against what it declares about its launch";
  let description = [{
    Everything that later passes and the launcher take for granted and that no single operation can
    check. The kernel itself does not change.

    1. `tile.launch` is there, names the kernel's source, and describes each argument in order:
       kind, element type, rank, static extents.
    2. Every expression (extents, grid, groups) parses and uses declared dimensions only; facts
       name declared dimensions.
    3. Access is respected: no write to an `in` parameter, no read of an `out` parameter.
    4. A `tile.pipeline` loop has a body that copies into shared memory; otherwise a remark, since
       the annotation then does nothing.

    First in the pipeline, so that a mistake of the author is reported in the author's terms and not
    as the failure of a later pass.

    ```mlir
    tile.kernel @write_input(%x: !tile.global<?xf32>) attributes {tile.launch = {... access = "in" ...}} {
      tile.store_scalar %v, %x[%o] : f32 to !tile.global<?xf32>
      // error: writes parameter 'x', which is declared as an input; declare it as an output or inout
    ```
  }];
}

def SkipIterationsPass : Tile_Pass<"tile-skip-iterations"> {
  let summary = "a pipelined loop whose body stands under a condition runs over the iterations that are taken";
  let description = [{
    Where a `tile.pipeline` loop does everything, its copies too, under one condition, the producer would have
    to know which iteration comes before the next one. Here the loop is rewritten so that this is clear:

    1. The iterations that are taken are counted in front of the loop, eight at a time.
    2. The loop runs that often. It carries the iteration that is taken, and at its end looks for the next
       one, reading the condition for one iteration after another.

    Needs a condition that each role can compute by itself, for any iteration: from loop counters, launch
    arguments and loads of scalars that the kernel does not write. What the loop carries stays as it is
    where the condition does not hold, and nothing else in the body is seen from outside.

    On the scheduled path only, before layouts, so that all passes behind it see a plain loop. Simplifies the
    kernel where it has changed something.

    ```mlir
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<64x64xf32>) : i64 {
      %bit = tile.load_scalar %bits[%i] : !tile.global<?xi32> to i32
      %set = arith.cmpi ne, %bit, %none : i32
      %b = scf.if %set -> (tensor<64x64xf32>) { ... scf.yield %y } else { scf.yield %a }
      scf.yield %b
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    // becomes
    %count = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %c0) -> (i64) ...
    %first = scf.while ...
    %r:2 = scf.for %t = %c0 to %count step %c1 iter_args(%a = %x, %i = %first) -> (tensor<64x64xf32>, i64) {
      ...
      %after = arith.addi %i, %c1
      %next = scf.while (%at = %after) ...
      scf.yield %y, %next
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    ```
  }];
  let statistics = [Statistic<"numSkipping", "skipping", "loops over the iterations that are taken">];
}

def LegalizeMathPass : Tile_Pass<"tile-legalize-math"> {
  let summary = "rewrites math to what the machine has: powers and logarithms of 2, reciprocals";
  let description = [{
    1. `math.exp x` becomes `math.exp2 (x * log2(e))`, `math.log x` becomes `math.log2 x * ln(2)`.
    2. `math.tanh x` becomes `1 - 2 / (1 + exp2(2 * log2(e) * |x|))` with the sign of x, and x times a
       polynomial where |x| is below 0.55: the hardware's approximation is off by 5e-4, too coarse
       for a soft cap of 30. `math.sin` and `math.cos` subtract multiples of pi/2 and use
       polynomials; the hardware's are good near 0 only.
    3. `arith.divf x, broadcast(r)` with the fast-math flag `arcp` becomes a product with the
       broadcast of `1 / r`: one division per row instead of one per element. Without the flag a
       division stays a division.
    4. A scale that is surely positive (constants, parameters that `tile.launch` declares `positive`, their
       products) moves behind masks and maxima: `select(keep, x * c, -inf)` becomes
       `select(keep, x, -inf) * c`, and `max(x * c)` becomes `max(x) * c`. Multiplication rounds
       monotonically, so the values are the same, bit for bit. What stays of it per element,
       `exp2(x * c - max)`, is one multiply-add on the GPU.

    Before layout assignment, so that the constants take part in it, and after canonicalization, which
    folds math on constants exactly.

    ```mlir
    %e = math.exp %x : tensor<64xf32>
    // becomes
    %c = arith.constant dense<1.44269502> : tensor<64xf32>
    %0 = arith.mulf %x, %c : tensor<64xf32>
    %e = math.exp2 %0 : tensor<64xf32>
    ```
  }];
  let statistics = [
    Statistic<"reciprocals", "reciprocals", "divisions by a row turned into products">,
    Statistic<"scales", "scales", "scales moved behind a mask or a maximum">];
}

def SplitMasksPass : Tile_Pass<"tile-split-masks"> {
  let summary = "masks a tile only where the mask is not the same in all of its elements";
  let description = [{
    Causal masks, windows and tails concern few of the tiles that a kernel works on. For a select whose
    condition compares positions (comparisons of integer fragments made of `tile.iota`, scalars,
    constants, sums and products with constants, joined by and, or and not):

    1. The least and greatest value of both sides of each comparison are scalars. From them follows a
       scalar test that holds only if the mask is true in all elements. It is computed in i64; where
       a fragment's i32 arithmetic might wrap around, the test also demands that it does not.
    2. Where a position chooses between two fragments (`select(iota < 64, a, b)`, in tiles that consist of
       parts), each is looked at only where it is chosen.
    3. Inside a loop, the test is solved for what changes in it, and the bounds are computed in front of the
       loop. That 64 keys of a block exist, `min(max(n - 64 * block, 0), 64) > 63`, is one comparison of the
       block there. The solved test implies the one of step 1 for all values, and is equal to it but for numbers
       at the ends of i64; a test that does not hold is never wrong, since the tile is masked then.
    4. A test that is constant decides at once: the select goes.
    5. Otherwise the select moves into the else branch of a uniform `scf.if`, and with it everything
       that computes the mask, down to scalars: the registers of hoisted positions come free.

    If the computed side is the false one, the test is for a mask that is false in all elements. Masks of
    fewer than 1024 elements stay as they are: the branch would cost more. What was done is reported
    as a remark (category `masks`).

    After scales are folded, so that the select is on the plain score, and before layouts, which
    follow the branch by themselves.

    ```mlir
    %mask = arith.cmpi slt, %columns, %limit : tensor<64x64xi32>
    %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
    // becomes
    %all = arith.cmpi sgt, %end, %c63 : i64
    %r = scf.if %all -> (tensor<64x64xf32>) {
      scf.yield %x : tensor<64x64xf32>
    } else {
      %mask = arith.cmpi slt, %columns, %limit : tensor<64x64xi32>
      %masked = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
      scf.yield %masked : tensor<64x64xf32>
    }
    ```

    In a loop over blocks of 64 keys:

    ```mlir
    scf.for %i = %c0 to %blocks step %c1 : i64 {
      %all = arith.cmpi sgt, %keys, %c63 : i64 // %keys: how many of the block's 64 keys exist
      ...
    // becomes
    %last = arith.subi %n, %c64 : i64
    %block = arith.shrsi %last, %c6 : i64
    ...
    %count = arith.trunci %end : i64 to i32 // one more than %block, from 0 to 2^31
    scf.for %i = %c0 to %blocks step %c1 : i64 {
      %all = arith.cmpi ult, %entry, %count : i32
      ...
    ```
  }];
  let statistics = [
    Statistic<"folded", "folded", "masks that are the same in all tiles">,
    Statistic<"splitMasks", "split-masks", "masks put under a test">];
}

def AssignLayoutsPass : Tile_Pass<"tile-assign-layouts"> {
  let summary = "gives every fragment and shared tile a layout; chooses the number of warps";
  let description = [{
    1. *Warps.* Products of 16-bit operands with M % 64 == 0, K % 16 == 0 and N % 8 == 0 run on wgmma
       with M/64 warpgroups (1 to 3; M = 256: 2, each with two blocks of rows). A product with fewer
       row blocks than the kernel has warpgroups splits N over the rest. Other products run on
       mma.sync m16n8k16 with 4 warps, over M where there are rows enough and over N. Without a
       product the largest tile decides: 4 to 8 warps.
    2. *Anchors.* Accumulators and fragment operands of products have one possible layout. What a
       reduction leaves is the slice of its source; the source of a broadcast is the slice of the
       result. Loads and stores prefer coalesced accesses, but any layout will do.
    3. *Merging.* Uses that need equal layouts (elementwise operations, values carried by loops and
       branches) are merged, the expensive ones (bytes, 16 times as much per loop level) first. A
       use that would join two different anchors is cut instead: it gets a `tile.convert_layout`.
       Tiles of high rank come first, since slices follow from them.
    4. *Shared tiles* get the widest swizzle that their products can read.

    Constants, `tile.iota` and broadcasts of scalars are free: each use gets its own copy in the layout
    that it needs.

    After math is legal (no operation without a layout appears later) and before anything that depends
    on threads.

    ```mlir
    %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    %m = tile.reduce max %s axis = 1 : tensor<128x64xf32> to tensor<128xf32>
    // becomes, with tile.num_warps = 8 on the kernel
    %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<128x64xbf16, #tile.swizzle<128>>,
           !tile.shared<64x64xbf16, #tile.swizzle<128>>, tensor<128x64xf32, #acc>
    %m = tile.reduce max %s axis = 1 : tensor<128x64xf32, #acc> to tensor<128xf32, #row>
    ```
  }];
  let options = [Option<"numWarps", "num-warps", "int64_t", "0", "warps of a CTA; 0: chosen from the kernel">];
  let statistics = [Statistic<"conversions", "conversions", "layout conversions inserted">];
}

def OptimizeConversionsPass : Tile_Pass<"tile-optimize-conversions"> {
  let summary = "folds, hoists and merges layout conversions";
  let description = [{
    1. A conversion of a conversion, or to the layout it has, folds.
    2. A conversion of a constant, an iota, a broadcast scalar, or of a short elementwise chain of those,
       is recomputed in the new layout.
    3. A conversion of a widening cast converts the narrow value: half the bytes.
    4. A conversion whose source does not change in a loop leaves the loop.
    5. Conversions of one value to one layout become one.

    What remains is reported as a remark (category `layout`) with its way, bytes and loop depth.

    After layout assignment, before scratch memory is made explicit.

    ```mlir
    scf.for %i = %lo to %hi step %one : i64 {
      %c = tile.convert_layout %x : tensor<64xf32, #a> to tensor<64xf32, #b>   // moves in front of the loop
    ```
  }];
  let statistics = [
    Statistic<"folded", "folded", "conversions folded or recomputed">,
    Statistic<"hoisted", "hoisted", "conversions moved out of loops">,
    Statistic<"merged", "merged", "conversions merged with an equal one">];
}

def RememberProductsPass : Pass<"tile-remember-products", "::mlir::tile::KernelOp"> {
  let summary = "scores of an online softmax can be computed again";
  let description = [{
    An online softmax that subtracts the reference of the iteration before (`sm-presume-reference`) needs its scores
    again where that was wrong by much. By then their registers hold the weights, and the tiles in shared memory are
    those of another iteration. The tensors in global memory are still there.

    1. Find a selection in a pipelined loop that allows another number (`tile.follows`), and the one product that
       its maximum is computed from.
    2. The product must be of rows with rows, of bf16, start with 0, and not be grouped. Each operand must come from
       windows of global memory that no one writes and whose rows end where the tensor's do, by a load or by copies
       without a pad that fill a shared tile once, as a whole or in parts of whole rows, and in each iteration that
       has the product. Of the second operand each part must have a multiple of 32 rows.
    3. Wrap the product in `tile.again`. The body computes the place of the rows anew, then, for 32 columns at a time,
       adds up term by term: an element of each row of one operand times an element of each row of the other. So
       it takes few registers beside the sums, no shared memory, and warps exchange nothing.

    With layouts, which the parts of the product take from it; before `convert-tile-to-pipe`, behind which the copies
    are another role's.

    ```mlir
    tile.copy %rows, %keys : !tile.window<64x16xbf16> to !tile.shared<64x16xbf16, #tile.swizzle<32>>
    %s = tile.gemm %queries, %keys, %zero {transpose_b} : !tile.shared<64x16xbf16, #tile.swizzle<32>>,
           !tile.shared<64x16xbf16, #tile.swizzle<32>>, tensor<64x64xf32, #acc>
    %m = tile.reduce max %s axis = 1 : tensor<64x64xf32, #acc> to tensor<64xf32, #row>
    // becomes
    %s = tile.gemm ...
    %t = tile.again %s {
      %left = scf.for %d = %c0 to %c16 step %c1 iter_args(%sum = %none) -> (tensor<64x32xf32, #part>) : i64 {
        %w = tile.window %k[%first, %d] dims = [0] upto [%n] : !tile.global<?x16xbf16> to !tile.window<32xbf16>
        %e = tile.load %w : !tile.window<32xbf16> to tensor<32xbf16, #column>
        ...
        %term = arith.mulf %a, %b : tensor<64x32xf32, #part>
        %next = arith.addf %sum, %term : tensor<64x32xf32, #part>
        scf.yield %next : tensor<64x32xf32, #part>
      }
      %right = scf.for ...
      %both = tile.stack %left, %right axis = 1 : tensor<64x32xf32, #part> to tensor<64x2x32xf32, #parts>
      %r = tile.join %both axis = 1 : tensor<64x2x32xf32, #parts> to tensor<64x64xf32, #acc>
      tile.yield %r : tensor<64x64xf32, #acc>
    } : tensor<64x64xf32, #acc>
    %m = tile.reduce max %t axis = 1 : tensor<64x64xf32, #acc> to tensor<64xf32, #row>
    ```
  }];
  let statistics = [Statistic<"remembered", "remembered", "products that can be computed again">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tile::TileDialect"];
}

def DeferReductionsPass : Tile_Pass<"tile-defer-reductions"> {
  let summary = "reduces across lanes and warps once after a loop instead of in each iteration";
  let description = [{
    A value that a loop only accumulates, `s = s * decay + reduce sum x` (the decay may be missing) or
    `s = max(s, reduce max x)`, need not be complete until the loop ends:

    1. The reduction becomes a `partial` one per thread: its result has a last axis over the lanes and
       warps that hold parts of a row, laid out so that each thread has its own element.
    2. The loop carries that tile; a sum starts with 0, a maximum with copies of its start.
    3. Behind the loop one reduction along the last axis completes it.

    The loop loses its shuffles, and its scratch memory and barriers where warps split the axis. The
    registers stay as many as they were. Only a sum that starts with 0 is deferred. Other uses of the
    carried value in the loop (a running maximum that scales something) leave it as it is.

    With layouts, since the extent of the new axis follows from them; before anything that schedules or
    splits loops.

    ```mlir
    %r = scf.for ... iter_args(%s = %zero) -> (tensor<64xf32, #row>) : i64 {
      %d = arith.mulf %s, %decay : tensor<64xf32, #row>
      %p = tile.reduce sum %x axis = 1 : tensor<64x64xf32, #acc> to tensor<64xf32, #row>
      %n = arith.addf %d, %p : tensor<64xf32, #row>
      scf.yield %n : tensor<64xf32, #row>
    }
    // becomes
    %t = scf.for ... iter_args(%s = %zeros) -> (tensor<64x4xf32, #part>) : i64 {
      %b = tile.broadcast %decay dims = [0] : tensor<64xf32, #row> to tensor<64x4xf32, #part>
      %d = arith.mulf %s, %b : tensor<64x4xf32, #part>
      %p = tile.reduce sum %x axis = 1 {partial} : tensor<64x64xf32, #acc> to tensor<64x4xf32, #part>
      %n = arith.addf %d, %p : tensor<64x4xf32, #part>
      scf.yield %n : tensor<64x4xf32, #part>
    }
    %r = tile.reduce sum %t axis = 1 : tensor<64x4xf32, #part> to tensor<64xf32, #row>
    ```
  }];
  let statistics = [Statistic<"deferred", "deferred", "reductions completed behind their loop">];
}

def MaterializeScratchPass : Tile_Pass<"tile-materialize-scratch"> {
  let summary = "makes the shared memory between threads explicit";
  let description = [{
    1. A reduction along an axis that warps split becomes a `partial` reduction (one element per warp),
       a conversion that gives every warp all of them, and a reduction in registers.
    2. A scan along such an axis is done by each warp from what those before it come to, by the same
       steps; a reduction of the same tile shares them.
    3. A conversion between threads becomes a store to a shared tile and a load from it. Conversions
       that stay in a thread or in the four lanes of a quad stay operations.
       Masks (i1) travel as i8.
    4. The old value of an atomic operation, which one thread gets, is stored for those that hold the
       same element, or for all of the CTA.

    After the last pass that adds or removes conversions, before allocation, so that scratch shares
    memory with the author's tiles and gets its barriers like them.

    ```mlir
    %b = tile.convert_layout %a : tensor<64x64xf32, #a> to tensor<64x64xf32, #b>
    // becomes
    %s = tile.alloc_shared : !tile.shared<64x64xf32, #tile.swizzle<128>>
    tile.store %a, %s : tensor<64x64xf32, #a> to !tile.shared<64x64xf32, #tile.swizzle<128>>
    %b = tile.load %s : !tile.shared<64x64xf32, #tile.swizzle<128>> to tensor<64x64xf32, #b>
    ```
  }];
  let statistics = [
    Statistic<"scratchConversions", "scratch-conversions", "conversions through shared memory">,
    Statistic<"crossWarpReductions", "cross-warp-reductions", "reductions across warps">,
    Statistic<"crossWarpScans", "cross-warp-scans", "scans across warps">];
}

def AllocateSharedPass : Tile_Pass<"tile-allocate-shared"> {
  let summary = "gives every shared tile its bytes";
  let description = [{
    1. Liveness, backward over structured control flow: a tile lives from a write to its last read; it
       lives across iterations of a loop only if an iteration reads it before writing it.
    2. Tiles that live at the same time, or of which one is written while the other lives, get
       disjoint ranges. Largest first, each at the lowest free offset; multiples of 1024 bytes for
       swizzled tiles, of 128 for others.
    3. The slots of a `pipe.channel` live as long as the kernel, at multiples of 1024 bytes; its mbarriers
       (16 bytes per stage) come behind all tiles.
    4. `at` on each allocation, `offset` and `barriers` on each channel, `tile.shared_bytes` on the
       kernel.

    Over the 232448 bytes that one CTA can have on compute capability 9.0: an error that lists the tiles,
    largest first, and what would fit (rows, or stages of a channel).

    After the last pass that creates shared tiles, before barriers, which depend on byte ranges.

    ```mlir
    %a = tile.alloc_shared : !tile.shared<64x64xbf16, #tile.swizzle<128>>
    // becomes
    %a = tile.alloc_shared at 8192 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
    ```
  }];
  let statistics = [
    Statistic<"sharedBytes", "shared-bytes", "bytes of shared memory">,
    Statistic<"reusedBytes", "reused-bytes", "bytes saved by tiles that share a range">];
}

def InsertBarriersAndFencesPass : Tile_Pass<"tile-insert-barriers-and-fences"> {
  let summary = "orders accesses to memory by different threads";
  let description = [{
    Two operations conflict if the bytes they access overlap and one of them writes. Shared tiles are
    compared by byte range, not by handle; global memory by the kernel's argument. In program order,
    also around the back edge of a loop, the later operation gets in front of it:

    1. `sm.cp_async_wait` if the earlier one is a copy from global to shared memory, which is
       asynchronous: `pending` is the least number of younger copies on any path.
    2. `sm.fence_proxy` if bytes written since the last fence will be read by wgmma, which reads
       through the async proxy. It stands between the write and the barrier, in the writer's thread.
    3. `sm.barrier`.

    One barrier orders all accesses before it; no second one is inserted until another conflict. There is
    none between two reads. Conditions are uniform, so a barrier may stand in a branch. Two work items may
    be of two CTAs: around the back edge of their loop only shared memory is ordered, and global memory where
    an item uses the number of its CTA, whose own that may be.

    In a kernel that is split into roles, the consumers' accesses are ordered by `pipe.role_barrier`, and
    the producer gets nothing: slots are ordered by their channel. A write to a tile that a `pipe.mma`
    in flight may still read is an error, since no barrier waits for the tensor cores.

    Last on `tile`: nothing after it may move an access.

    ```mlir
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
    sm.cp_async_wait {pending = 0 : i64}
    sm.fence_proxy
    sm.barrier
    %r = tile.gemm %s, %s, %acc {transpose_b} : ...
    ```
  }];
  let dependentDialects = ["::mlir::sm::SMDialect", "::mlir::pipe::PipeDialect"];
  let statistics = [
    Statistic<"barriers", "barriers", "barriers inserted">,
    Statistic<"fences", "fences", "proxy fences inserted">,
    Statistic<"waits", "waits", "waits for asynchronous copies inserted">];
}

#endif // TILEC_TILE_PASSES_TD
