//===- SMDebugOps.td - printing and ending a kernel with an error ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_DEBUG_OPS_TD
#define TILEC_SM_DEBUG_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

def SM_PrintOp : SM_Op<"print"> {
  let summary = "prints a line, as printf does";
  let description = [{
    `%d` in the format stands for an i32, `%lld` for an i64, `%g` for an f32; a per cent sign is `%%`.
    Each thread that gets here prints. On the GPU the text appears at the next synchronisation.
    Example: `sm.print "x[%d] = %g\n"(%i, %x) : i32, f32`
  }];
  let arguments = (ins StrAttr:$format, Variadic<AnyTypeOf<[I32, I64, F32]>>:$values);
  let assemblyFormat = "$format (`(` $values^ `)` `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def SM_TrapOp : SM_Op<"trap"> {
  let summary = "ends the whole grid with an error";
  let description = "The message is for the interpreter. Example: `sm.trap \"an index is too large\"`";
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

#endif // TILEC_SM_DEBUG_OPS_TD
