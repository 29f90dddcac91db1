// What the type system refuses of each function: elements that it does not take, spaces that it is not for.
// RUN: clang++-22 -std=c++20 -fsyntax-only -I %source/dsl/include -ferror-limit=0 -Xclang -verify %s
// RUN: not g++ -std=c++20 -fsyntax-only -I %source/dsl/include %s
#include "tile/dsl/Dsl.h"

using namespace tile;

void misuse(Kernel &k, Axis &m, Axis &n) {
  auto f = k.fragment<f32>({m, n}, 0.0);
  auto i = k.fragment<i32>({m, n}, 0.0);
  auto h = k.fragment<bf16>({m, n}, 0.0);
  auto mask = f > 0.0;
  auto s = k.alloc_shared<bf16>({m, n});
  auto floats = k.alloc_shared<f32>({m, n});
  auto X = k.input<bf16>("x", {64, 64});
  Index index = k.index(0);

  // Arithmetic is for f32 and integers.
  max(h, h);                    // expected-error {{no matching function for call to 'max'}}
  min(mask, mask);              // expected-error {{no matching function for call to 'min'}}
  abs(mask);                    // expected-error {{no matching function for call to 'abs'}}
  exp(i);                       // expected-error {{no matching function for call to 'exp'}}
  log(i);                       // expected-error {{no matching function for call to 'log'}}
  log2(h);                      // expected-error {{no matching function for call to 'log2'}}
  sqrt(i);                      // expected-error {{no matching function for call to 'sqrt'}}
  rsqrt(h);                     // expected-error {{no matching function for call to 'rsqrt'}}
  rcp(i);                       // expected-error {{no matching function for call to 'rcp'}}
  tanh(h);                      // expected-error {{no matching function for call to 'tanh'}}
  sin(i);                       // expected-error {{no matching function for call to 'sin'}}
  cos(mask);                    // expected-error {{no matching function for call to 'cos'}}
  -mask;                        // expected-error {{invalid argument type}}
  !f;                           // expected-error {{invalid argument type}}
  where(mask, f, i);            // expected-error {{no matching function for call to 'where'}}

  // Reductions and scans.
  reduce_max(h, m);             // expected-error {{no matching function for call to 'reduce_max'}}
  reduce_min(mask, m);          // expected-error {{no matching function for call to 'reduce_min'}}
  reduce_sum(h, m);             // expected-error {{no matching function for call to 'reduce_sum'}}
  reduce_absmax(mask, m);       // expected-error {{no matching function for call to 'reduce_absmax'}}
  reduce_any(i, m);             // expected-error {{no matching function for call to 'reduce_any'}}
  reduce_all(f, m);             // expected-error {{no matching function for call to 'reduce_all'}}
  argmax(h, m);                 // expected-error {{no matching function for call to 'argmax'}}
  scan_sum(h, m);               // expected-error {{no matching function for call to 'scan_sum'}}
  scan_max(mask, m);            // expected-error {{no matching function for call to 'scan_max'}}

  // Integers and bits.
  f % f;                        // expected-error {{invalid operands to binary expression}}
  f << f;                       // expected-error {{invalid operands to binary expression}}
  unsigned_div(f, f);           // expected-error {{no matching function for call to 'unsigned_div'}}
  unsigned_rem(h, h);           // expected-error {{no matching function for call to 'unsigned_rem'}}
  unsigned_min(f, f);           // expected-error {{no matching function for call to 'unsigned_min'}}
  unsigned_max(mask, mask);     // expected-error {{no matching function for call to 'unsigned_max'}}
  shift_right_logical(f, 1);    // expected-error {{no matching function for call to 'shift_right_logical'}}
  unsigned_less(f, f);          // expected-error {{no matching function for call to 'unsigned_less'}}
  unsigned_less_equal(f, f);    // expected-error {{no matching function for call to 'unsigned_less_equal'}}
  popcount(f);                  // expected-error {{no matching function for call to 'popcount'}}
  leading_zeros(h);             // expected-error {{no matching function for call to 'leading_zeros'}}
  trailing_zeros(mask);         // expected-error {{no matching function for call to 'trailing_zeros'}}
  test_bit(f, 3);               // expected-error {{no matching function for call to 'test_bit'}}
  unsigned_cast<bf16>(i);       // expected-error {{no matching function for call to 'unsigned_cast'}}
  unsigned_index(f);            // expected-error {{no matching function for call to 'unsigned_index'}}
  bitcast<i16>(f);              // expected-error {{no matching function for call to 'bitcast'}}
  to_index(f);                  // expected-error {{no matching function for call to 'to_index'}}

  // Memory.
  load(f);                      // expected-error {{no matching function for call to 'load'}}
  store(h, floats);             // expected-error {{no matching function for call to 'store'}}
  gemm(s, h);                   // expected-error {{no matching function for call to 'gemm'}}
  atomic_add(s, h);             // expected-error {{no matching function for call to 'atomic_add'}}
  atomic_and(floats, f);        // expected-error {{no matching function for call to 'atomic_and'}}
  atomic_or(floats, f);         // expected-error {{no matching function for call to 'atomic_or'}}
  atomic_max(s, h);             // expected-error {{no matching function for call to 'atomic_max'}}
  atomic_min(s, h);             // expected-error {{no matching function for call to 'atomic_min'}}
  atomic_exchange(s, h);        // expected-error {{no matching function for call to 'atomic_exchange'}}
  atomic_compare_exchange(f, floats, f, f); // expected-error {{no matching function for call to 'atomic_compare_exchange'}}
  split(s, m);                  // expected-error {{no matching function for call to 'split'}}
  join(s, m);                   // expected-error {{no matching function for call to 'join'}}
  rename(s, m, n);              // expected-error {{no matching function for call to 'rename'}}
  take(index, m, 0);            // expected-error {{no matching function for call to 'take'}}
  stack({f, i}, n);             // expected-error {{no matching function for call to 'stack'}}
  k.check(f, "a number");       // expected-error {{no viable conversion}}
  k.print(s, "a shared tile");  // expected-error {{no matching member function for call to 'print'}}
  k.when(index, [] {});         // expected-error {{no matching member function for call to 'when'}}
  // expected-note@* 0+ {{}}
  // expected-error@* 0+ {{static assertion failed}}
  // expected-warning@* 0+ {{}}
}
