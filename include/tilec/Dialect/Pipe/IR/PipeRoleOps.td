//===- PipeRoleOps.td - producer and consumers ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_ROLE_OPS_TD
#define TILEC_PIPE_ROLE_OPS_TD

include "tilec/Dialect/Pipe/IR/PipeOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Pipe_SpecializeOp : Pipe_Op<"specialize", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "splits the CTA: consumers are its first warps, the producer the ones behind them";
  let description = [{
    The consumers' layouts speak of the kernel's `tile.num_warps` warps; the producer adds
    `tile.producer_warps` (a warpgroup, of which one elected thread runs the region, or all threads where
    they copy rows by `pipe.gather`). Registers move from the producer to the consumers. At most one per kernel; values defined above are visible in
    both regions, each role computes them for itself.

    ```mlir
    pipe.specialize producer { ... } consumer { ... }
    ```
  }];
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = "`producer` $producer `consumer` $consumer attr-dict";
  let hasVerifier = 1;
}

def Pipe_WorkItemOp : Pipe_Op<"work_item", [Pure]> {
  let summary = "the number of the work item that the kernel computes; it takes those from `first` on, `stride` apart";
  let description = [{
    Stands in the kernel's block. Between `convert-tile-to-pipe`, which takes the loop over work items
    away, and `pipe-repeat-items`, which gives each role one, the kernel is written for one item.

    ```mlir
    %item = pipe.work_item from %program to %count step %programs
    ```
  }];
  let arguments = (ins I64:$first, I64:$count, I64:$stride);
  let results = (outs I64:$result);
  let assemblyFormat = "`from` $first `to` $count `step` $stride attr-dict";
}

def Pipe_DrawItemOp : Pipe_Op<"draw_item"> {
  let summary = "producer: the number of the work item that this CTA computes after the current one";
  let description = [{
    Items are drawn from a counter in device memory, which the launch provides: a CTA that is done early draws
    more of them. Where there is no counter the next item is a stride away. Once in each iteration of the
    producer's loop over items. Example: `%next = pipe.draw_item`
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def Pipe_GoToItemOp : Pipe_Op<"go_to_item"> {
  let summary = "the role's loop over work items goes on with this one, if there is one of this number";
  let description = [{
    At the end of an iteration. The loop itself stays an `scf.for` in fixed turns, which is one of the orders
    that the items may be computed in, until `sm-draw-items` makes it follow the numbers.
    Example: `pipe.go_to_item %next`
  }];
  let arguments = (ins I64:$item);
  let assemblyFormat = "$item attr-dict";
  let hasVerifier = 1;
}

def Pipe_RoleBarrierOp : Pipe_Op<"role_barrier"> {
  let summary = "all threads of the consumers meet; their shared-memory accesses before it are seen after it";
  let assemblyFormat = "attr-dict";
}

def Pipe_TurnWaitOp : Pipe_Op<"turn_wait"> {
  let summary = "a consumer warpgroup waits for its turn to issue matrix products";
  let description = [{
    Turns go round between the consumer warpgroups; the first one starts with the turn. Between
    `turn_wait` and `turn_pass` a warpgroup issues its products, so that one warpgroup's elementwise work
    runs under the other's products.
  }];
  let assemblyFormat = "attr-dict";
}
def Pipe_TurnPassOp : Pipe_Op<"turn_pass"> {
  let summary = "passes the turn to the next consumer warpgroup";
  let assemblyFormat = "attr-dict";
}

#endif // TILEC_PIPE_ROLE_OPS_TD
