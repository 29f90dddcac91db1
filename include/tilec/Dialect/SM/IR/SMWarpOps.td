//===- SMWarpOps.td - who a thread is, and exchange within a warp ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_WARP_OPS_TD
#define TILEC_SM_WARP_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

class SM_IndexOp<string mnemonic, string meaning> : SM_Op<mnemonic, [Pure]> {
  let summary = meaning;
  let description = "Example: `%i = sm." # mnemonic # "`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def SM_ThreadIdOp : SM_IndexOp<"thread_id", "index of the thread in its CTA">;
def SM_WarpIdOp : SM_IndexOp<"warp_id", "index of the warp in its CTA; known to be uniform over the warp">;
def SM_LaneIdOp : SM_IndexOp<"lane_id", "index of the thread in its warp, 0 to 31">;
def SM_CtaIdOp : SM_IndexOp<"cta_id", "index of the CTA in the one-dimensional grid">;
def SM_NumCtasOp : SM_IndexOp<"num_ctas", "number of CTAs of the grid">;

def SM_DrawItemOp : SM_Op<"draw_item"> {
  let summary = "the number of the next work item of this CTA's loop over items";
  let description = "In a role's loop marked `tile.tile_loop`, which `sm-draw-items` rewrites, beside an `sm.go_to_item`. Example: `%next = sm.draw_item`";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def SM_GoToItemOp : SM_Op<"go_to_item"> {
  let summary = "the enclosing loop over work items goes on with this one, if there is one of this number";
  let description = "Once in a loop marked `tile.tile_loop`. Example: `sm.go_to_item %next`";
  let arguments = (ins I64:$item);
  let assemblyFormat = "$item attr-dict";
  let hasVerifier = 1;
}

// Exchange ops have no memory effect but are not speculatable: every lane must execute them.

def SM_ShuffleOp : SM_Op<"shuffle", [NoMemoryEffect, AllTypesMatch<["value", "result"]>]> {
  let summary = "reads another lane's value: lane ^ n, n, lane - n or lane + n";
  let description = [{
    `up` and `down` past the ends give the thread's own value. A scalar, or a vector whose bits are a
    multiple of 32: one instruction per 32 bits.
    Example: `%r = sm.shuffle xor %v, %n : vector<2xf32>`
  }];
  let arguments = (ins SM_ShuffleMode:$mode, SM_Value:$value, I32:$lane);
  let results = (outs SM_Value:$result);
  let assemblyFormat = "$mode $value `,` $lane attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def SM_VoteOp : SM_Op<"vote", [NoMemoryEffect]> {
  let summary = "whether the predicate holds in any lane, or in all lanes";
  let description = "Example: `%p = sm.vote any %q`";
  let arguments = (ins SM_VoteMode:$mode, I1:$predicate);
  let results = (outs I1:$result);
  let assemblyFormat = "$mode $predicate attr-dict";
}

def SM_ElectOp : SM_Op<"elect", [NoMemoryEffect]> {
  let summary = "true in exactly one lane of the warp";
  let description = "Example: `%e = sm.elect`";
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def SM_SetRegistersOp : SM_Op<"set_registers"> {
  let summary = "changes the number of registers per thread of this warpgroup";
  let description = [{
    A multiple of 8 from 24 to 256 (hardware gives 240 at most to three warpgroups).
    Example: `sm.set_registers increase 240`
  }];
  let arguments = (ins I64Attr:$count, UnitAttr:$increase);
  let assemblyFormat = "(`increase` $increase^):(`decrease`)? $count attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_SM_WARP_OPS_TD
