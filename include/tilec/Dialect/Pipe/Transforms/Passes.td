//===- Passes.td - passes over the `pipe` dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_TRANSFORMS_PASSES_TD
#define TILEC_PIPE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class Pipe_Pass<string flag> : Pass<flag, "::mlir::tile::KernelOp"> {
  let dependentDialects = ["::mlir::pipe::PipeDialect"];
}

def SchedulePass : Pipe_Pass<"pipe-schedule"> {
  let summary = "decides which products run one iteration late";
  let description = [{
    In a consumer's loop, a product whose first operand comes through elementwise work from another
    product of the same iteration (P * V from softmax(Q * K)) would leave the tensor cores idle during that
    work. It is marked `pipe.late`: `pipe-expand` issues it in the next iteration, under the next
    iteration's elementwise work.

    1. Find such products. One that needs work on the result of a late one is not late: it follows that work.
    2. Check that nothing early in an iteration needs a late result.
    3. Estimate the registers of a thread: accumulators of early products, accumulators and register
       operands of late ones. Over the budget of the role (208 of 240, 128 of 160) nothing is marked: a
       spill costs more than the overlap brings.
    4. Where the exponentials of an iteration take about as long as its products, mark the loop
       `pipe.turns`: its warpgroups issue in turns.

    A kernel of one consumer warpgroup also gets `tile.ctas_per_sm = 2` where its channels fit twice.

    ```mlir
    %o = tile.gemm %p, %v, %acc : ...
    // becomes
    %o = tile.gemm %p, %v, %acc {pipe.late} : ...
    ```
  }];
  let statistics = [Statistic<"numLate", "late-products", "products issued one iteration late">,
                    Statistic<"numTurns", "loops-in-turns", "loops whose warpgroups issue in turns">];
}

def ExpandPass : Pipe_Pass<"pipe-expand"> {
  let summary = "rotates loops with late products: prologue, steady state, epilogue";
  let description = [{
    Iteration i of the steady state:

    1. Issue the early products of i, then the late products of i - 1.
    2. Wait for the early ones and release their slots. Elementwise work of i up to its first row statistic.
    3. Wait for the late ones and release their slots. What follows from them.
    4. The rest of the elementwise work, and what the late products of i need.

    The prologue does the early part of the first iteration, the epilogue the late part of the last
    one. Both stand under a test for at least one trip.

    An accumulator of over 64 registers takes long to scale: that is done between the two issues, and then both
    slots are waited for in front of the first (on an H200 3 to 4 % at a head size of 256; with narrower ones -1 to -2 %).

    Casts that only feed a late product's first operand come after the wait: the registers of a
    product in flight are not written.

    ```mlir
    scf.for %i = %lb to %ub step %c1 {
      %s = tile.gemm %q, %k, %zero
      %p = elementwise(%s)
      %o = tile.gemm %p, %v, %acc {pipe.late}
    }
    // becomes
    scf.if %lb < %ub {
      %s = tile.gemm ...   elementwise ...
      scf.for %i = %lb + %c1 to %ub step %c1 {
        %s_flying = pipe.mma %q, %k, %zero
        %o_flying = pipe.mma %p_previous, %v_previous, %acc
        %s = pipe.mma_wait %s_flying pending 1
        %p = elementwise(%s)
        %o = pipe.mma_wait %o_flying pending 0
      }
      %o = tile.gemm ...
    }
    ```

    A loop whose only product adds to a carried accumulator (a plain matrix product) keeps that
    accumulator in flight: each iteration issues its product, then waits for the one before, whose
    slots it releases.

    Warpgroups take no turns at issuing: `pipe.turn_wait` and `pipe.turn_pass` around the issue cost 2 to 5 %
    on an H200 once products overlap within a warpgroup.
  }];
  let statistics = [Statistic<"numRotated", "loops-rotated", "loops whose late products overlap">,
                    Statistic<"numChained", "loops-chained", "loops that keep their accumulator in flight">];
}

def PrefetchIndicesPass : Pipe_Pass<"pipe-prefetch-indices"> {
  let summary = "block lists are read one trip ahead";
  let description = [{
    A block list is read one trip ahead: otherwise each load of the producer would wait for the latency of
    its index, and so would the consumers' test whether a block needs a mask, with a product in flight.

    1. In the loops of all roles, find loads of scalars whose indices are arithmetic on the loop counter and
       on values from outside (`2 * i + 1`, too), without a quotient that could divide by 0 behind the last trip.
    2. Carry their value: the first one is read in front of the loop, the next one at the start of each
       trip. The read behind the last trip is outside the list or unused, and reads outside a tensor are
       defined.

    ```mlir
    scf.for %i = %lb to %ub step %c1 {
      %block = tile.load_scalar %list[%i]
      ...
    }
    // becomes
    %first = tile.load_scalar %list[%lb]
    scf.for %i = %lb to %ub step %c1 iter_args(%block = %first) {
      %next = tile.load_scalar %list[%i + %c1]
      ...
      scf.yield %next
    }
    ```
  }];
  let statistics = [Statistic<"numPrefetched", "indices-prefetched", "scalar loads moved one trip ahead">];
}

def RepeatItemsPass : Pipe_Pass<"pipe-repeat-items"> {
  let summary = "each role goes through the work items";
  let description = [{
    The passes before see the code of one work item (`pipe.work_item`). Each role gets a loop of its own over
    the items, so that the producer fills the rings for the next item while the consumers end this one.

    1. What depends on the item and stands in front of the roles is cloned into both loops.
    2. The cursors that a role starts from are carried: an item goes on where the one before handed over.
    3. The producer draws the number of the next item at the start of one, and posts it to the consumers behind
       its copies, through a channel of two slots; both roles say that they go on with it. Not where all threads
       of the producer copy rows, since only one of them draws: such loops keep their turns.
    4. The consumers read the number behind their last loop, and load there what the start of that item loads
       from memory. It is carried.

    ```mlir
    %item = pipe.work_item from %program to %count step %programs
    %c = pipe.cursor {number = 0 : i64}
    pipe.specialize producer {
      pipe.acquire %k[%c] bytes 32768 : ...
      %d = pipe.advance %k[%c] : ...
      pipe.hand_over %d for %k number 0 : ...
    } consumer { ... }
    // becomes
    pipe.specialize producer {
      scf.for %item = %program to %count step %programs iter_args(%c = %first, %n = %first_number) {
        %drawn = pipe.draw_item
        pipe.acquire %k[%c] bytes 32768 : ...
        %d = pipe.advance %k[%c] : ...
        %next = pipe.hand_over %d for %k number 0 : ...
        pipe.acquire %numbers[%n] bytes 0 : ...
        pipe.post %drawn, %numbers[%n] : ...
        pipe.commit %numbers[%n] : ...
        %next_number = ...
        pipe.go_to_item %drawn
        scf.yield %next, %next_number
      } {tile.tile_loop}
    } consumer { ... }
    ```
  }];
  let statistics = [Statistic<"numRepeated", "kernels-repeated", "kernels whose roles loop over work items">];
}

def VerifyProtocolPass : Pipe_Pass<"pipe-verify-protocol"> {
  let summary = "proves that the roles neither race nor block each other";
  let description = [{
    Changes nothing. Strips the data from the kernel and counts, with trip counts and loop counters as
    symbols:

    1. The n-th use of a channel is its n-th slot, in each role; the producer announces the bytes that its
       loads bring; both roles use equally many slots, whatever the trip counts.
    2. No role holds more slots than a ring has; the order of the roles cannot block both.
    3. A product in flight is finished before its value is read, before a slot that it reads is
       released, and before its operand in registers gets its next value.
       In a kernel of several work items this is so for each, which starts from an empty ring; and what is
       handed over is behind all uses, so the next one starts from the same state.
    4. Turns are taken and passed alternately; no barrier of all threads stands in a role.

    What cannot be counted is an error too, at the author's line. With `model` all interleavings of the
    roles are tried as well, for trips from 0 to 2 * stages + 1 and each guard both ways, on
    barriers as the hardware has them; the error then shows the shortest way into it.

    Behind this pass nothing moves operations of `pipe`.

    ```mlir
    %s = pipe.mma_wait %flying pending 2 : ...
    // error: the product is still in flight after this wait: 2 groups may be unfinished, 1 were issued after it
    ```
  }];
  let options = [Option<"model", "model", "bool", "false", "try all interleavings">,
                 Option<"count", "count", "bool", "true", "count slots, bytes and products">];
  let statistics = [Statistic<"numStates", "states", "states that the model check saw">];
}

#endif // TILEC_PIPE_TRANSFORMS_PASSES_TD
