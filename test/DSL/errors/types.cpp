// What the type system refuses: wrong element types, wrong spaces, a device condition in a host `if`.
// RUN: clang++-22 -std=c++20 -fsyntax-only -I %source/dsl/include -ferror-limit=0 -Xclang -verify %s
// RUN: not g++ -std=c++20 -fsyntax-only -I %source/dsl/include %s
#include "tile/dsl/Dsl.h"

using namespace tile;

void misuse(Kernel &k, Axis &m, Axis &n) {
  Fragment<f32> f = k.fragment<f32>({m, n}, 0.0);
  Fragment<i32> i = k.fragment<i32>({m, n}, 0.0);
  Fragment<bf16> h = k.fragment<bf16>({m, n}, 0.0);
  Fragment<i1> mask = f > 0.0;
  Shared<bf16> s = k.alloc_shared<bf16>({m, n});
  Shared<f16> t = k.alloc_shared<f16>({m, n});
  Shared<e4m3> bytes = k.alloc_shared<e4m3>({m, n});
  auto X = k.input<bf16>("x", {64, 64});
  Index index = k.index(0);
  Dim dim("dim");

  f + i;            // expected-error {{invalid operands to binary expression}}
  h + h;            // expected-error {{invalid operands to binary expression}}
  i + 0.5;          // expected-error {{invalid operands to binary expression}}
  f + index;        // expected-error {{invalid operands to binary expression}}
  mask + mask;      // expected-error {{invalid operands to binary expression}}
  f & f;            // expected-error {{invalid operands to binary expression}}
  i += f;           // expected-error {{no viable overloaded '+='}}
  f = i;            // expected-error {{no viable overloaded '='}}
  mask && mask;     // expected-error {{is not contextually convertible to 'bool'}} expected-error {{invalid operands to binary expression}}
  if (mask)         // expected-error {{is not contextually convertible to 'bool'}}
    return;
  if (index < 3)    // expected-error {{is not contextually convertible to 'bool'}}
    return;
  copy(f, f);       // expected-error {{no matching function for call to 'copy'}}
  copy(X(m, n), t); // expected-error {{no matching function for call to 'copy'}}
  store(f, X(m, n)); // expected-error {{no matching function for call to 'store'}}
  gemm(s, t);       // expected-error {{no matching function for call to 'gemm'}}
  gemm(s, s, h);    // expected-error {{no matching function for call to 'gemm'}}
  gemm(s, bytes);   // expected-error {{no matching function for call to 'gemm'}}
  cast<f32>(f, overflow::saturate); // expected-error {{no matching function for call to 'cast'}}
  exp2(h);          // expected-error {{no matching function for call to 'exp2'}}
  where(f, f, f);   // expected-error {{no matching function for call to 'where'}}
  (void)f.value;    // expected-error {{is a private member}}
  // expected-note@* 0+ {{}}
  // expected-error@* 0+ {{static assertion failed}}
}
