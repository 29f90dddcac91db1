//===- Passes.td - passes over the `sm` dialect -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The example is a shortened function of test/Transforms/sm-combine.mlir.
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_PASSES_TD
#define TILEC_SM_PASSES_TD

include "mlir/Pass/PassBase.td"

def CombinePass : Pass<"sm-combine"> {
  let summary = "fewer instructions and registers for what a thread computes";
  let description = [{
    1. A comparison of positions, such as a causal mask, has one part that depends on the thread and
       one that depends on the register. The thread's part moves to the other side, once per row:
       each element then compares it with a constant, and no column stays in a register. Only sums
       that are known not to wrap (`overflow<nsw>`) are taken apart; the difference is exact in i64
       and cut to i32, which no constant notices.
    2. A product onto zeros overwrites its accumulator instead (`init`), so nothing is zeroed.
    3. A loop carries vectors of 8- and 16-bit floats as 32-bit words; element by element each would
       take a register, and be packed and unpacked in every trip.
    4. A coordinate of a tensor that is known to have 31 bits is not bounded by the tensor before it is cut
       to 32: TMA does that.
    5. An unsigned 64-bit division whose dividend fits in 32 bits (a program's number, a dimension that
       is a factor of the grid, and quotients and remainders of them) becomes a 32-bit one. A divisor of
       unknown size is cut to the largest 32-bit number, which changes neither result.
    6. Two upper bounds of the same positions, where a tile ends and what a causal query sees, become their
       minimum, once per row: each element then has one comparison.

    After `convert-tile-to-sm` and a canonicalization: before it, constants hide behind folds.

    ```mlir
    %c = arith.addi %base, %columns overflow<nsw> : vector<64xi32>   // %columns = dense<[0, 1, 8, 9, ...]>
    %keep = arith.cmpi sge, %rows, %c : vector<64xi32>               // %rows: 2 values, repeated
    // becomes
    %d = ... : vector<2xi32>                                         // rows - base, per row
    %d64 = vector.shuffle %d, %d [0, 0, 1, 1, ...] : vector<2xi32>, vector<2xi32>
    %keep = arith.cmpi sge, %d64, %columns : vector<64xi32>
    ```
  }];
  let statistics = [
    Statistic<"comparisons", "comparisons", "comparisons with constants instead of positions">,
    Statistic<"overwrites", "overwrites", "products that overwrite zeros">,
    Statistic<"packedLoops", "packed-loops", "loops that carry packed elements as words">,
    Statistic<"narrowDivisions", "narrow-divisions", "64-bit divisions done in 32 bits">,
    Statistic<"coordinates", "coordinates", "coordinates that need no bounds">,
    Statistic<"joinedBounds", "joined-bounds", "pairs of bounds that became one">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ComputeAtLaunchPass : Pass<"sm-compute-at-launch", "::mlir::func::FuncOp"> {
  let summary = "the launcher computes what depends on the dimensions alone";
  let description = [{
    A CTA takes its number apart by divisions by dimensions, each some thirty dependent instructions in
    front of its first load. All that they need of the dimensions is the same for the whole launch:

    1. A 32-bit unsigned division whose divisor is made of dimensions and constants, and whose dividend is
       below 2^31, becomes a product with the divisor's reciprocal (tile/Reciprocal.h). The quotient is the
       product, shifted; a remainder is what the quotient leaves.
    2. Other values of dimensions and constants that take two instructions or more are not computed by the
       kernel.

    Both become arguments behind the dimensions, and expressions in `derived` of `tile.launch`, which the
    launcher evaluates. A value that the launcher would have to divide by 0 for stays where it is, and so
    does all in a kernel with work items and without roles, whose loops would hold it in registers.

    After `sm-combine`, which finds out that a division fits in 32 bits.

    ```mlir
    func.func @k(%heads: i64) attributes {tile.launch = {dims = ["heads"], ...}, ...} {
      %bounded = arith.minui %heads, %c4294967295 : i64
      %divisor = arith.trunci %bounded : i64 to i32
      %quotient = arith.divui %cta, %divisor : i32
    // becomes
    func.func @k(%heads: i64, %derived: i64)
        attributes {tile.launch = {derived = ["reciprocal(min(heads, 4294967295))"], ...}, ...} {
      %factor = arith.andi %derived, %c4294967295 : i64
      ...
      %quotient = arith.shrui %high, %shift : i32
    ```
  }];
  let statistics = [
    Statistic<"divisions", "divisions", "divisions that became products">,
    Statistic<"values", "values", "values that the launcher computes">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SinkScalarsPass : Pass<"sm-sink-scalars", "::mlir::func::FuncOp"> {
  let summary = "scalars are computed where a role first needs them";
  let description = [{
    Of a kernel with roles, what is computed in front of the branch between them delays the first load of
    the producer. Here it moves to its first use, outside of loops, once per role that uses it:

    1. Integer and vector arithmetic whose users all stand in the roles.
    2. A scalar that is loaded from an input tensor; a launch does not write its inputs, so both roles
       read the same.
    3. The shuffle that tells ptxas that such a scalar is the same in all lanes. Under `sm.elect` one
       thread runs and takes the value itself.

    ```mlir
    %loaded = sm.load_global %address : i32
    %count = sm.shuffle idx %loaded, %c0 : i32
    scf.if %is_producer {
      scf.if %elected { sm.tma_prefetch ...  use(%count) }
    } else { use(%count) }
    // becomes
    scf.if %is_producer {
      scf.if %elected { sm.tma_prefetch ...  %loaded = sm.load_global %address : i32  use(%loaded) }
    } else {
      %loaded = sm.load_global %address : i32
      %count = sm.shuffle idx %loaded, %c0 : i32
      use(%count)
    }
    ```
  }];
  let statistics = [Statistic<"sunk", "sunk", "operations moved into the roles">];
}

def RecomputeInItemsPass : Pass<"sm-recompute-in-items", "::mlir::func::FuncOp"> {
  let summary = "addresses of a work item are computed near their uses, not held in registers";
  let description = [{
    In a loop over work items (`tile.tile_loop`) the addresses of an item's results are known in front of the
    pipelined loop of the item, most of their parts even in front of the loop over items. There they would
    take registers from the pipelined loop.

    1. Cut the body of the loop into stretches between the operations that contain a loop.
    2. In a stretch, integers from an earlier one or from outside that no inner loop uses are computed anew,
       from operands behind `sm.opaque`, which keeps LLVM from using the earlier ones.

    ```mlir
    %bytes = arith.shli %stride, %c2 : i64
    scf.for %item = ... {
      scf.for %i = ... { ... }
      use(%bytes)
    } {tile.tile_loop}
    // becomes
    scf.for %item = ... {
      scf.for %i = ... { ... }
      %stride_here = sm.opaque %stride : i64
      %bytes = arith.shli %stride_here, %c2 : i64
      use(%bytes)
    } {tile.tile_loop}
    ```
  }];
  let statistics = [Statistic<"numRecomputed", "recomputed", "operations computed again">];
}

def PresumeReferencePass : Pass<"sm-presume-reference", "::mlir::func::FuncOp"> {
  let summary = "exponentials do not wait for a maximum";
  let description = [{
    The exponentials of an online softmax subtract a reference that follows the rows' maximum. So they wait for the
    maximum, which takes as many instructions as they do. But after the first tiles the reference stays, and where
    another number will do (`tile.follows`), the sums of the exponentials themselves say whether it might have.

    1. Find a block in which a selection with `tile.follows` takes the maximum of scores that can be computed again
       (`sm.again`), with no mask between the two. The weights, 2 to the power of a score less the reference (or less
       0 where that is -inf), must only be summed up, each once in its row's sum, and cast to bf16: half floats end
       at 2^16.
    2. Compute all that depends on the reference with the one that the loop carries. Factors of what was summed up
       before are 1 then, and fall away; so does the maximum.
    3. Where a wait for a late product stands between (`sm.order` in front of it), one half of the exponentials and
       their sums go in front of the `sm.order`, the other half behind the wait (`sm.behind`): they cover the product.
    4. Behind that the lanes of the warp vote. If no sum of one of them is above 2 to the power of the lag, no weight
       is, and if each row has a reference, all of them go on.
    5. Else the lanes of a row find its greatest sum. If none is above 2^120, or, in a row without a reference, below
       2^-60, the reference of a row whose greatest sum is above the limit, or that has none, moves by that sum's
       exponent, a whole number. The weights as they were cast, their sums, and what was summed up before are scaled
       by a power of two: exact.
    6. Else the scores are computed again, and all that follows, as the block said. The numbers that this needs come
       from behind `sm.opaque`: they hold no registers before.
    7. Drop each `sm.again` that is left.

    In kernels with roles; on the simple path nothing runs beside the maximum, and only the last step is done.

    Behind `sm-split-edges`, which gives tiles without a mask a block of their own; in front of `sm-skip-scaling`, which
    then finds the factors of tiles with a mask only.

    ```mlir
    %scores = sm.again %s { ... } : vector<64xf32>
    %maximum = ... // of %scores, with sm.shuffle
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<2xi1>, vector<2xf32>
    %shift = arith.select %is_none, %zero, %follows : vector<2xi1>, vector<2xf32>
    %each = vector.shuffle %shift, %shift [0, 0, 1, 1, ...] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %scores, %each : vector<64xf32>
    %p = sm.exp2 %less : vector<64xf32>
    %sums = ... // of %p
    %narrow = arith.truncf %p : vector<64xf32> to vector<64xbf16>
    scf.yield %follows, %sums, %narrow : vector<2xf32>, vector<2xf32>, vector<64xbf16>
    // becomes
    %shift = arith.select %has_none, %zero, %reference : vector<2xi1>, vector<2xf32>
    %each = vector.shuffle %shift, %shift [0, 0, 1, 1, ...] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %s, %each : vector<64xf32>
    %p = sm.exp2 %less : vector<64xf32>
    %sums = ... // of %p
    %narrow = arith.truncf %p : vector<64xf32> to vector<64xbf16>
    %high = sm.vote any ... // a sum is above 2^8, or a row has no reference
    %r:3 = scf.if %high -> (vector<2xf32>, vector<2xf32>, vector<64xbf16>) {
      %far = sm.vote any ... // a row's greatest sum is above 2^120, or too small
      %rare:3 = scf.if %far -> (vector<2xf32>, vector<2xf32>, vector<64xbf16>) {
        ... // the scores, and what stood there
      } else {
        ... // %shift + n, %sums * 2^-n, %narrow * 2^-n
      }
      scf.yield %rare#0, %rare#1, %rare#2 : vector<2xf32>, vector<2xf32>, vector<64xbf16>
    } else {
      scf.yield %reference, %sums, %narrow : vector<2xf32>, vector<2xf32>, vector<64xbf16>
    }
    scf.yield %r#0, %r#1, %r#2 : vector<2xf32>, vector<2xf32>, vector<64xbf16>
    ```
  }];
  let statistics = [Statistic<"presumed", "presumed", "tiles whose reference is presumed to stay">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def SkipScalingPass : Pass<"sm-skip-scaling", "::mlir::func::FuncOp"> {
  let summary = "an accumulator is not multiplied with ones";
  let description = [{
    An online softmax multiplies its accumulator, row by row, with 2 to the power of what the maximum has
    grown by. After the first tiles the maximum rarely grows: the factors of all rows of a warp are 1.

    1. Find products, in a loop, of an accumulator that was waited for, in this iteration or the one before
       it, with factors of its rows.
    2. The lanes of the warp vote, and all skip the product if each factor is exactly 1. So the result is
       the same to the bit, but for denormal sums, which the product would flush to 0.
    3. The products stood behind the wait for the accumulator, and kept exponentials there that ran beside them.
       Without them ptxas moves all exponentials in front of the wait, and behind it nothing covers the casts, which
       need registers of the product in flight. So half of a tile's exponentials that follow the wait are held
       behind it: `sm.behind`. Only where the sum is waited for in the same block, so not of wide accumulators.

    Only in kernels with roles: the vote and the branch take registers, of which the simple path has fewer.

    ```mlir
    %sum = sm.wgmma_wait %flying {pending = 0 : i64} : vector<64xf32>
    %subtracted = vector.shuffle %maximum, %maximum [0, 0, 1, 1, ..., 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %scores, %subtracted : vector<64xf32>
    %p = sm.exp2 %less : vector<64xf32>
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, ...] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %sum, %each : vector<64xf32>
    // becomes
    %sum = sm.wgmma_wait %flying {pending = 0 : i64} : vector<64xf32>
    %late = sm.behind %maximum of %sum : vector<2xf32>, vector<64xf32>
    %subtracted = vector.shuffle %maximum, %late [0, 0, 1, 1, ..., 2, 2, 3, 3] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %scores, %subtracted : vector<64xf32>
    %p = sm.exp2 %less : vector<64xf32>
    %changes = ... // %decay[0] != 1 || %decay[1] != 1
    %any = sm.vote any %changes
    %scaled = scf.if %any -> (vector<64xf32>) { arith.mulf ... } else { scf.yield %sum : vector<64xf32> }
    ```
  }];
  let statistics = [Statistic<"scalings", "scalings", "products that may be skipped">,
                    Statistic<"held", "held", "tiles of exponentials of which half stay behind a wait">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def SplitEdgesPass : Pass<"sm-split-edges", "::mlir::func::FuncOp"> {
  let summary = "the rest of an iteration once with and once without its mask";
  let description = [{
    A uniform branch around a mask cuts an iteration's elementwise work in two, and ptxas schedules each
    piece by itself: the wait for the products in flight moves to the top of the second piece, in front of
    the work that they should cover. Here the branch goes around the whole rest of the iteration:

    1. Find the mask's test in a loop with a wait that leaves products in flight, where the test is known
       before the wait.
    2. Carry the test: each iteration computes that of the next one behind its own work. In front of its branch
       it would hold up the products, and with turns the next warpgroup.
    3. Go back from that wait to the last operation that ends a basic block (a wait for a barrier), so that
       the products are issued in the block of the work that covers them; the test goes in front.
    4. Clone everything from there to the end of the iteration into both sides of the test, with the side's
       part of the mask in place.

    ```mlir
    %s = sm.wgmma_wait %flying {pending = 1 : i64}
    %masked = scf.if %inside -> (vector<64xf32>) { scf.yield %s } else { ... scf.yield %m }
    rest(%masked)
    // becomes
    scf.if %inside {
      %s = sm.wgmma_wait %flying {pending = 1 : i64}
      rest(%s)
    } else {
      %s = sm.wgmma_wait %flying {pending = 1 : i64}
      ...
      rest(%m)
    }
    ```
  }];
  let statistics = [Statistic<"numSplit", "split", "iterations split">];
}

def DrawItemsPass : Pass<"sm-draw-items", "::mlir::func::FuncOp"> {
  let summary = "loops over work items follow the numbers that their CTA draws";
  let description = [{
    Up to here a role's loop over work items takes fixed turns, one of the orders that items may be computed
    in. Where it has an `sm.go_to_item`, it becomes a loop that goes on as that says:

    1. The kernel gets one more argument, behind what the launch computes: the address of a counter, or 0. The
       launch attribute says so: `counter`.
    2. `sm.draw_item` becomes an atomic increment of that counter. As many numbers are drawn in a launch as
       there are items, and the increment wraps round after so many: the counter ends as it began, at 0, and
       needs no one to reset it.
    3. Without a counter, or with more items than it can count, the next item is the loop's stride away.

    ```mlir
    scf.for %item = %cta to %count step %ctas {
      %next = sm.draw_item
      ...
      sm.go_to_item %next
    } {tile.tile_loop}
    // becomes
    scf.while (%item = %cta) : (i64) -> i64 {
      %is_there = arith.cmpi slt, %item, %count : i64
      scf.condition(%is_there) %item : i64
    } do {
    ^bb0(%item: i64):
      %next = scf.if %counts -> (i64) { sm.atomic_global inc relaxed gpu ... } else { ... }
      ...
      scf.yield %next : i64
    }
    ```
  }];
  let statistics = [Statistic<"numLoops", "loops", "loops that follow drawn numbers">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILEC_SM_PASSES_TD
