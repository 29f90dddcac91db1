//===- PipeChannelOps.td - rings of slots between the roles ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_CHANNEL_OPS_TD
#define TILEC_PIPE_CHANNEL_OPS_TD

include "tilec/Dialect/Pipe/IR/PipeOpBase.td"

def Pipe_ChannelOp : Pipe_Op<"channel"> {
  let summary = "makes a ring of slots with a full and an empty barrier each";
  let description = [{
    `offset` (bytes of the slots) and `barriers` (bytes of the 2 x stages mbarriers, full ones first)
    are set by `tile-allocate-shared`. `thread_readers` where consumers also read a slot by
    loads: then every warp releases it, otherwise one thread of each warpgroup. `copiers` where slots are
    filled by `pipe.gather`: a slot is full after that many arrivals, one of each thread of the producer.
    `posted` where the producer writes a number into the slot by `pipe.post`.

    ```mlir
    %k = pipe.channel : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$barriers, UnitAttr:$thread_readers,
                       OptionalAttr<I64Attr>:$copiers, UnitAttr:$posted);
  let results = (outs Pipe_ChannelType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Pipe_CursorOp : Pipe_Op<"cursor", [Pure]> {
  let summary = "the first slot of the first round";
  let description = [{
    In a kernel of several work items each set of channels has a cursor of its own, with a `number`.
    Example: `%c = pipe.cursor` or `%c = pipe.cursor {number = 1 : i64}`
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$number);
  let results = (outs Pipe_CursorType:$result);
  let assemblyFormat = "attr-dict";
}
def Pipe_AdvanceOp : Pipe_Op<"advance", [Pure]> {
  let summary = "the next slot of `channel`'s ring";
  let arguments = (ins Pipe_ChannelType:$channel, Pipe_CursorType:$cursor);
  let results = (outs Pipe_CursorType:$result);
  let assemblyFormat = "$channel `[` $cursor `]` attr-dict `:` type($channel)";
}

def Pipe_HandOverOp : Pipe_Op<"hand_over"> {
  let summary = "where the next work item goes on: behind the last use of `channels` in this one";
  let description = [{
    At the end of a role. `number` is that of the `pipe.cursor` that the item started from.
    Example: `%next = pipe.hand_over %c for %k, %v number 1 : !pipe.channel<...>, !pipe.channel<...>`
  }];
  let arguments = (ins Pipe_CursorType:$cursor, Variadic<Pipe_ChannelType>:$channels, I64Attr:$number);
  let results = (outs Pipe_CursorType:$result);
  let assemblyFormat = "$cursor `for` $channels `number` $number attr-dict `:` type($channels)";
}

class Pipe_SlotOp<string mnemonic> : Pipe_Op<mnemonic> {
  let arguments = (ins Pipe_ChannelType:$channel, Pipe_CursorType:$cursor);
  let assemblyFormat = "$channel `[` $cursor `]` attr-dict `:` type($channel)";
  let hasVerifier = 1;
}
def Pipe_AcquireOp : Pipe_SlotOp<"acquire"> {
  let summary = "producer: waits until the slot is free, and announces the `bytes` that will arrive by TMA";
  let arguments = (ins Pipe_ChannelType:$channel, Pipe_CursorType:$cursor, I64Attr:$bytes);
  let assemblyFormat = "$channel `[` $cursor `]` `bytes` $bytes attr-dict `:` type($channel)";
}
def Pipe_LoadOp : Pipe_Op<"load"> {
  let summary = "producer: starts the copy of a window into the slot, or into a part of it";
  let description = [{
    By TMA, through the tensor map number `map` of `tile.launch`. What lies outside the tensor
    arrives as 0. The window's last axis are the columns, its others count rows, as those of the slot do.
    Several loads fill one slot between its `acquire` and `commit`; each says `at` which row and column its
    part starts. `pipe-verify-protocol` checks that the parts do not overlap and fill the slot.

    ```mlir
    pipe.load %w, %k[%c] map 1 : !tile.window<128x64xbf16> to !pipe.channel<...>
    pipe.load %page, %k[%c] at [64, 0] map 2 : !tile.window<64x64xbf16> to !pipe.channel<...>
    ```
  }];
  let arguments = (ins Tile_WindowType:$window, Pipe_ChannelType:$channel, Pipe_CursorType:$cursor, I64Attr:$map,
                       OptionalAttr<DenseI64ArrayAttr>:$at);
  let assemblyFormat = [{
    $window `,` $channel `[` $cursor `]` (`at` $at^)? `map` $map attr-dict `:` type($window) `to` type($channel)
  }];
  let extraClassDeclaration = [{
    /// The part of the slot that is filled.
    ::tilec::TilePart getPart();
  }];
  let hasVerifier = 1;
}
def Pipe_GatherOp : Pipe_Op<"gather"> {
  let summary = "producer: its threads start the copies of the rows at an index tile into the slot";
  let description = [{
    By cp.async, 16 bytes a thread. As `tile.gather_copy`: the index has rank 1 and replaces the position along
    `axis`; rows that are not there, or that the mask excludes, arrive as 0. The index lies in
    `gatherLayout` of the slot without its other axes, over the producer's warps.
    Example: `pipe.gather %w[%rows], %k[%c] axis = 0 : !tile.window<...>, tensor<...> to !pipe.channel<...>`
  }];
  let arguments = (ins Tile_WindowType:$window, Tile_Fragment:$index, Pipe_ChannelType:$channel,
                       Pipe_CursorType:$cursor, Optional<Tile_Fragment>:$mask, I64Attr:$axis);
  let assemblyFormat = [{
    $window `[` $index `]` `,` $channel `[` $cursor `]` `axis` `=` $axis (`where` $mask^ `:` type($mask))?
    attr-dict `:` type($window) `,` type($index) `to` type($channel)
  }];
  let hasVerifier = 1;
}
def Pipe_PostOp : Pipe_Op<"post"> {
  let summary = "producer: writes a number into the slot, which holds just that";
  let description = "Example: `pipe.post %next, %numbers[%c] : !pipe.channel<!tile.shared<1xi64>, 2>`";
  let arguments = (ins I64:$value, Pipe_ChannelType:$channel, Pipe_CursorType:$cursor);
  let assemblyFormat = "$value `,` $channel `[` $cursor `]` attr-dict `:` type($channel)";
  let hasVerifier = 1;
}
def Pipe_CommitOp : Pipe_SlotOp<"commit"> {
  let summary = "producer: nothing more is copied into the slot; it is full when the copies have landed";
}
def Pipe_WaitOp : Pipe_Op<"wait"> {
  let summary = "consumer: waits until the slot is full, and gives the tile in it";
  let description = [{
    The tile is of the slot's type, or of one that counts the same rows along other axes: loops whose tiles are
    `<128x64>` and `<2x64x64>` share a channel.
  }];
  let arguments = (ins Pipe_ChannelType:$channel, Pipe_CursorType:$cursor);
  let results = (outs Tile_SharedType:$slot);
  let assemblyFormat = "$channel `[` $cursor `]` attr-dict `:` type($channel) `->` type($slot)";
  let hasVerifier = 1;
}
def Pipe_ReleaseOp : Pipe_SlotOp<"release"> {
  let summary = "consumer: reads of the slot have ended; the producer may fill it again";
}

#endif // TILEC_PIPE_CHANNEL_OPS_TD
