#!/bin/sh
# Compiles a kernel with --save-stages, gives each saved file back to tilec and compares the cubins.
#   stages.sh FOLDER kernel [option ...]
# Prints the operations of our dialects that the last stages still hold: none.
set -e
folder=$1
shift
rm -rf "$folder"
tilec "$@" --save-stages="$folder" -o "$folder.cubin"
for file in "$folder"/*.mlir "$folder"/*.ll "$folder"/*.ptx; do
  tilec "$file" -o "$folder.again"
  cmp "$folder.again" "$folder.cubin"
  echo "same cubin from $(basename "$file")"
done
# Attributes (tile.launch = ...) stay to the end; operations do not.
grep -hoE '(^ *|= |")(tile|pipe|sm)\.[a-z_]+"?[ (%]' "$folder"/*-convert-sm-to-llvm.mlir "$folder"/*.ll \
  "$folder"/*.ptx | grep -vE 'tile\.[a-z_]+"? $' || true
