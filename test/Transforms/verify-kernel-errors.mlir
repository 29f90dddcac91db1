// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-verify-kernel

// expected-error @+1 {{has no 'tile.launch', which says what a launcher passes}}
tile.kernel @no_launch() {
  tile.return
}

// -----

// expected-error @+1 {{has no grid; say how many programs run, for example 1}}
tile.kernel @no_grid() attributes {tile.launch = {dims = [], grid = [], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{declares the launch-time dimension 'n' twice}}
tile.kernel @twice() attributes {tile.launch = {dims = ["n", "n"], grid = ["1"], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{states a fact about 'm', which is not a launch-time dimension}}
tile.kernel @fact() attributes {tile.launch = {dims = ["n"], facts = [{dim = "m", multiple_of = 64 : i64}], grid = ["1"], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{in an extent of a group: in the expression 'kv_heads': unknown name 'kv_heads'; known are heads}}
tile.kernel @group() attributes {tile.launch = {dims = ["heads"], grid = ["1"],
    groups = [{members = "heads", groups = "kv_heads"}], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{in an extent of the grid: in the expression 'ceildiv(m, 64)': unknown name 'm'; known are n}}
tile.kernel @unknown_dim() attributes {tile.launch = {dims = ["n"], grid = ["ceildiv(m, 64)"], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{expected 'tile.launch' to describe 1 parameters, found 0}}
tile.kernel @count(%x: f32) attributes {tile.launch = {dims = [], grid = ["1"], params = []}} {
  tile.return
}

// -----

// expected-error @+1 {{expected parameter 'x' to be declared a tensor, found 'scalar'}}
tile.kernel @kind(%x: !tile.global<?xf32>) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "scalar", dtype = "f32"}]}} {
  tile.return
}

// -----

// expected-error @+1 {{expected parameter 'x' to be declared bf16, found 'f16'}}
tile.kernel @dtype(%x: !tile.global<?xbf16>) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "in", dtype = "f16", extents = ["n"]}]}} {
  tile.return
}

// -----

// expected-error @+1 {{expected the access of parameter 'x' to be in, out, inout or workspace, found 'read'}}
tile.kernel @access(%x: !tile.global<?xf32>) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "read", dtype = "f32", extents = ["n"]}]}} {
  tile.return
}

// -----

// expected-error @+1 {{expected 2 extents of parameter 'x', found 1}}
tile.kernel @rank(%x: !tile.global<?x64xf32>) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "in", dtype = "f32", extents = ["n"]}]}} {
  tile.return
}

// -----

// expected-error @+1 {{axis 1 of parameter 'x' has extent 64 in the kernel and '32' at launch}}
tile.kernel @extent(%x: !tile.global<?x64xf32>) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "in", dtype = "f32", extents = ["n", "32"]}]}} {
  tile.return
}

// -----

// expected-note @+2 {{declared here}}
tile.kernel @write_input(
    %x: !tile.global<?xf32>, %v: f32, %o: i64) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "in", dtype = "f32", extents = ["n"]},
              {name = "v", kind = "scalar", dtype = "f32"}, {name = "o", kind = "scalar", dtype = "i64"}]}} {
  // expected-error @+1 {{writes parameter 'x', which is declared as an input; declare it as an output or inout}}
  tile.store_scalar %v, %x[%o] : f32 to !tile.global<?xf32>
  tile.return
}

// -----

// expected-note @+2 {{declared here}}
tile.kernel @read_output(
    %x: !tile.global<?xf32>, %o: i64) attributes {tile.launch = {dims = ["n"], grid = ["1"],
    params = [{name = "x", kind = "tensor", access = "out", dtype = "f32", extents = ["n"]},
              {name = "o", kind = "scalar", dtype = "i64"}]}} {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  // expected-error @+1 {{reads parameter 'x', which is declared as an output; declare it as inout}}
  %l = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  tile.return
}

// -----

// expected-error @+1 {{expected 'order' in 'tile.launch' to be {cost = "..."} or {list = "..."}, found "natural"}}
tile.kernel @order() attributes {tile.launch = {dims = [], grid = ["1"], params = [], order = "natural"}} {
  tile.return
}

// -----

// expected-error @+1 {{in the cost of a CTA: }}
tile.kernel @cost() attributes {tile.launch = {dims = ["n"], grid = ["n"], params = [], order = {cost = "cta_x + m"}}} {
  tile.return
}

// -----

// expected-error @+1 {{expected the order of the CTAs to be a tensor parameter, found 'list'}}
tile.kernel @list() attributes {tile.launch = {dims = ["n"], grid = ["n"], params = [], order = {list = "list"}}} {
  tile.return
}
