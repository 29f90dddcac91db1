// Written by Inputs/attention.py; the schedule that the compiler must reach, by hand in `sm`.
// RUN: %python %S/Inputs/attention.py | diff %s -
// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | %python %S/Inputs/ptx-events.py \
// RUN:   | diff %S/Inputs/attention.events -
// RUN: tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null | FileCheck %s
// REQUIRES: ptxas

// CHECK: attention: 168 registers, {{.*}} 0 bytes stack, 0/0 bytes spilled, 0 notices

func.func @attention(%q: !sm.tensor_map, %k: !sm.tensor_map, %v: !sm.tensor_map, %o: !sm.tensor_map,
                     %blocks: i32, %scale: f32, %row_blocks: i32, %heads: i32, %group_size: i32)
    attributes {tile.num_warps = 12 : i64, tile.shared_bytes = 163912 : i64} {
    %c0 = arith.constant 2 : i32
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 163840 : i32
    %c3 = arith.constant 1 : i32
    %c4 = arith.constant 163848 : i32
    %c5 = arith.constant 163856 : i32
    %c6 = arith.constant 163880 : i32
    %c7 = arith.constant 163888 : i32
    %c8 = arith.constant 163864 : i32
    %c9 = arith.constant 163872 : i32
    %c10 = arith.constant 163896 : i32
    %c11 = arith.constant 163904 : i32
    %c12 = arith.constant 32768 : i32
    %c13 = arith.constant 128 : i32
    %c14 = arith.constant 8192 : i32
    %c15 = arith.constant 64 : i32
    %c16 = arith.constant 16384 : i32
    %c17 = arith.constant 24576 : i32
    %c18 = arith.constant 8 : i32
    %c19 = arith.constant 98304 : i32
    %c20 = arith.constant 127 : i32
    %c21 = arith.constant 256 : i32
    %c22 = arith.constant 262143 : i32
    %c23 = arith.constant 4 : i32
    %c24 = arith.constant 4611686293305360384 : i64
    %c25 = arith.constant 4611686293372403712 : i64
    %c26 = arith.constant 2048 : i32
    %c27 = arith.constant 2 : i64
    %c28 = arith.constant 4 : i64
    %c29 = arith.constant 6 : i64
    %c30 = arith.constant 512 : i64
    %c31 = arith.constant 1024 : i64
    %c32 = arith.constant 514 : i64
    %c33 = arith.constant 1026 : i64
    %c34 = arith.constant 516 : i64
    %c35 = arith.constant 1028 : i64
    %c36 = arith.constant 518 : i64
    %c37 = arith.constant 1030 : i64
    %c38 = arith.constant dense<0.0> : vector<64xf32>
    %c39 = arith.constant 128 : i64
    %c40 = arith.constant 256 : i64
    %c41 = arith.constant 384 : i64
    %c42 = arith.constant 640 : i64
    %c43 = arith.constant 768 : i64
    %c44 = arith.constant 896 : i64
    %c45 = arith.constant 15 : i32
    %c46 = arith.constant 3 : i32
    %c47 = arith.constant 16 : i32
    %c48 = arith.constant 7 : i32
    %c49 = arith.constant 6 : i32
    %1 = sm.shared_base
    %2 = sm.thread_id
    %3 = sm.warp_id
    %4 = sm.lane_id
    %5 = sm.cta_id
    %6 = arith.shrui %3, %c0 : i32
    %7 = arith.remui %5, %row_blocks : i32
    %8 = arith.divui %5, %row_blocks : i32
    %9 = arith.remui %8, %heads : i32
    %10 = arith.divui %8, %heads : i32
    %11 = arith.divui %9, %group_size : i32
    %12 = arith.cmpi eq, %2, %c1 : i32
    scf.if %12 {
    %13 = arith.addi %1, %c2 : i32
    sm.barrier_init %13, %c3
    %14 = arith.addi %1, %c4 : i32
    sm.barrier_init %14, %c3
    %15 = arith.addi %1, %c5 : i32
    sm.barrier_init %15, %c3
    %16 = arith.addi %1, %c6 : i32
    sm.barrier_init %16, %c3
    %17 = arith.addi %1, %c7 : i32
    sm.barrier_init %17, %c3
    %18 = arith.addi %1, %c8 : i32
    sm.barrier_init %18, %c0
    %19 = arith.addi %1, %c9 : i32
    sm.barrier_init %19, %c0
    %20 = arith.addi %1, %c10 : i32
    sm.barrier_init %20, %c0
    %21 = arith.addi %1, %c11 : i32
    sm.barrier_init %21, %c0
    sm.fence_barrier_init
    sm.tma_prefetch %q : !sm.tensor_map
    sm.tma_prefetch %k : !sm.tensor_map
    sm.tma_prefetch %v : !sm.tensor_map
    sm.tma_prefetch %o : !sm.tensor_map
    }
    sm.barrier
    %22 = arith.cmpi eq, %6, %c1 : i32
    scf.if %22 {
    sm.set_registers decrease 24
    %23 = arith.cmpi eq, %3, %c1 : i32
    scf.if %23 {
    %24 = sm.elect
    scf.if %24 {
    %25 = arith.addi %1, %c2 : i32
    sm.barrier_arrive_expect_tx %25, %c12
    %26 = arith.muli %7, %c13 : i32
    %27 = arith.addi %26, %c1 : i32
    %28 = arith.addi %1, %c1 : i32
    sm.tma_load %28, %q[%c1, %27, %9, %10], %25 : !sm.tensor_map
    %29 = arith.muli %7, %c13 : i32
    %30 = arith.addi %29, %c1 : i32
    %31 = arith.addi %1, %c14 : i32
    sm.tma_load %31, %q[%c15, %30, %9, %10], %25 : !sm.tensor_map
    %32 = arith.muli %7, %c13 : i32
    %33 = arith.addi %32, %c15 : i32
    %34 = arith.addi %1, %c16 : i32
    sm.tma_load %34, %q[%c1, %33, %9, %10], %25 : !sm.tensor_map
    %35 = arith.muli %7, %c13 : i32
    %36 = arith.addi %35, %c15 : i32
    %37 = arith.addi %1, %c17 : i32
    sm.tma_load %37, %q[%c15, %36, %9, %10], %25 : !sm.tensor_map
    %38 = arith.subi %blocks, %c3 : i32
    %end:3 = scf.while (%n = %38, %stage = %c1, %phase = %c3) : (i32, i32, i32) -> (i32, i32, i32) {
    %39 = arith.muli %stage, %c18 : i32
    %40 = arith.addi %c8, %39 : i32
    %41 = arith.addi %1, %40 : i32
    sm.barrier_try_wait %41, %phase
    %42 = arith.muli %stage, %c18 : i32
    %43 = arith.addi %c4, %42 : i32
    %44 = arith.addi %1, %43 : i32
    sm.barrier_arrive_expect_tx %44, %c12
    %45 = arith.muli %stage, %c12 : i32
    %46 = arith.addi %c12, %45 : i32
    %47 = arith.addi %1, %46 : i32
    %48 = arith.muli %n, %c13 : i32
    %49 = arith.addi %47, %c1 : i32
    sm.tma_load %49, %k[%c1, %48, %11, %10], %44 : !sm.tensor_map
    %50 = arith.muli %n, %c13 : i32
    %51 = arith.addi %47, %c16 : i32
    sm.tma_load %51, %k[%c15, %50, %11, %10], %44 : !sm.tensor_map
    %52 = arith.muli %stage, %c18 : i32
    %53 = arith.addi %c10, %52 : i32
    %54 = arith.addi %1, %53 : i32
    sm.barrier_try_wait %54, %phase
    %55 = arith.muli %stage, %c18 : i32
    %56 = arith.addi %c6, %55 : i32
    %57 = arith.addi %1, %56 : i32
    sm.barrier_arrive_expect_tx %57, %c12
    %58 = arith.muli %stage, %c12 : i32
    %59 = arith.addi %c19, %58 : i32
    %60 = arith.addi %1, %59 : i32
    %61 = arith.muli %n, %c13 : i32
    %62 = arith.addi %60, %c1 : i32
    sm.tma_load %62, %v[%c1, %61, %11, %10], %57 : !sm.tensor_map
    %63 = arith.muli %n, %c13 : i32
    %64 = arith.addi %60, %c16 : i32
    sm.tma_load %64, %v[%c15, %63, %11, %10], %57 : !sm.tensor_map
    %65 = arith.addi %stage, %c3 : i32
    %66 = arith.cmpi eq, %65, %c0 : i32
    %67 = arith.xori %phase, %c3 : i32
    %68 = arith.select %66, %c1, %65 : i32
    %69 = arith.select %66, %67, %phase : i32
    %70 = arith.subi %n, %c3 : i32
    %71 = arith.cmpi sge, %70, %c1 : i32
    scf.condition(%71) %70, %68, %69 : i32, i32, i32
    } do {
    ^bb0(%n: i32, %stage: i32, %phase: i32):
    scf.yield %n, %stage, %phase : i32, i32, i32
    }
    }
    }
    } else {
    sm.set_registers increase 240
    %72 = arith.subi %6, %c3 : i32
    %73 = arith.andi %2, %c20 : i32
    %74 = arith.cmpi eq, %73, %c1 : i32
    %75 = arith.cmpi eq, %72, %c1 : i32
    scf.if %75 {
    sm.named_barrier %c3, %c21 {arrive}
    }
    %76 = arith.addi %72, %c3 : i32
    %77 = arith.addi %72, %c3 : i32
    %78 = arith.cmpi eq, %77, %c0 : i32
    %79 = arith.select %78, %c1, %77 : i32
    %80 = arith.addi %79, %c3 : i32
    %81 = vector.broadcast %scale : f32 to vector<64xf32>
    %82 = arith.muli %72, %c16 : i32
    %83 = arith.addi %c1, %82 : i32
    %84 = arith.addi %1, %83 : i32
    %85 = arith.andi %84, %c22 : i32
    %86 = arith.shrui %85, %c23 : i32
    %87 = arith.extui %86 : i32 to i64
    %88 = arith.ori %87, %c24 : i64
    %89 = arith.addi %1, %c12 : i32
    %90 = arith.andi %89, %c22 : i32
    %91 = arith.shrui %90, %c23 : i32
    %92 = arith.extui %91 : i32 to i64
    %93 = arith.ori %92, %c24 : i64
    %94 = arith.addi %1, %c19 : i32
    %95 = arith.andi %94, %c22 : i32
    %96 = arith.shrui %95, %c23 : i32
    %97 = arith.extui %96 : i32 to i64
    %98 = arith.ori %97, %c25 : i64
    %99 = arith.addi %1, %c2 : i32
    sm.barrier_try_wait %99, %c1
    %100 = arith.muli %c1, %c18 : i32
    %101 = arith.addi %c4, %100 : i32
    %102 = arith.addi %1, %101 : i32
    sm.barrier_try_wait %102, %c1
    %103 = arith.muli %c1, %c26 : i32
    %104 = arith.extui %103 : i32 to i64
    %105 = arith.addi %93, %104 : i64
    %106 = ub.poison : vector<64xf32>
    sm.wgmma_fence
    %107 = sm.wgmma %106, %88, %105 {type = bf16, init} : vector<64xf32>, i64
    %108 = arith.addi %88, %c27 : i64
    %109 = arith.addi %105, %c27 : i64
    %110 = sm.wgmma %107, %108, %109 {type = bf16} : vector<64xf32>, i64
    %111 = arith.addi %88, %c28 : i64
    %112 = arith.addi %105, %c28 : i64
    %113 = sm.wgmma %110, %111, %112 {type = bf16} : vector<64xf32>, i64
    %114 = arith.addi %88, %c29 : i64
    %115 = arith.addi %105, %c29 : i64
    %116 = sm.wgmma %113, %114, %115 {type = bf16} : vector<64xf32>, i64
    %117 = arith.addi %88, %c30 : i64
    %118 = arith.addi %105, %c31 : i64
    %119 = sm.wgmma %116, %117, %118 {type = bf16} : vector<64xf32>, i64
    %120 = arith.addi %88, %c32 : i64
    %121 = arith.addi %105, %c33 : i64
    %122 = sm.wgmma %119, %120, %121 {type = bf16} : vector<64xf32>, i64
    %123 = arith.addi %88, %c34 : i64
    %124 = arith.addi %105, %c35 : i64
    %125 = sm.wgmma %122, %123, %124 {type = bf16} : vector<64xf32>, i64
    %126 = arith.addi %88, %c36 : i64
    %127 = arith.addi %105, %c37 : i64
    %128 = sm.wgmma %125, %126, %127 {type = bf16} : vector<64xf32>, i64
    sm.wgmma_commit
    %129 = sm.wgmma_wait %128 {pending = 0 : i64} : vector<64xf32>
    %130 = arith.muli %c1, %c18 : i32
    %131 = arith.addi %c8, %130 : i32
    %132 = arith.addi %1, %131 : i32
    sm.barrier_arrive %132 if %74
    %133 = vector.shuffle %129, %129 [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61] : vector<64xf32>, vector<64xf32>
    %134 = vector.extract_strided_slice %133 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %135 = vector.extract_strided_slice %133 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %136 = arith.maxnumf %134, %135 : vector<4xf32>
    %137 = vector.extract_strided_slice %133 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %138 = arith.maxnumf %136, %137 : vector<4xf32>
    %139 = vector.extract_strided_slice %133 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %140 = arith.maxnumf %138, %139 : vector<4xf32>
    %141 = vector.extract_strided_slice %133 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %142 = arith.maxnumf %140, %141 : vector<4xf32>
    %143 = vector.extract_strided_slice %133 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %144 = arith.maxnumf %142, %143 : vector<4xf32>
    %145 = vector.extract_strided_slice %133 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %146 = arith.maxnumf %144, %145 : vector<4xf32>
    %147 = vector.extract_strided_slice %133 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %148 = arith.maxnumf %146, %147 : vector<4xf32>
    %149 = vector.extract %148[0] : f32 from vector<4xf32>
    %150 = vector.extract %148[1] : f32 from vector<4xf32>
    %151 = vector.extract %148[2] : f32 from vector<4xf32>
    %152 = vector.extract %148[3] : f32 from vector<4xf32>
    %153 = arith.maxnumf %149, %150 : f32
    %154 = arith.maxnumf %151, %152 : f32
    %155 = arith.maxnumf %153, %154 : f32
    %156 = sm.shuffle xor %155, %c3 : f32
    %157 = arith.maxnumf %155, %156 : f32
    %158 = sm.shuffle xor %157, %c0 : f32
    %159 = arith.maxnumf %157, %158 : f32
    %160 = arith.mulf %159, %scale : f32
    %161 = arith.negf %160 : f32
    %162 = vector.shuffle %129, %129 [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63] : vector<64xf32>, vector<64xf32>
    %163 = vector.extract_strided_slice %162 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %164 = vector.extract_strided_slice %162 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %165 = arith.maxnumf %163, %164 : vector<4xf32>
    %166 = vector.extract_strided_slice %162 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %167 = arith.maxnumf %165, %166 : vector<4xf32>
    %168 = vector.extract_strided_slice %162 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %169 = arith.maxnumf %167, %168 : vector<4xf32>
    %170 = vector.extract_strided_slice %162 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %171 = arith.maxnumf %169, %170 : vector<4xf32>
    %172 = vector.extract_strided_slice %162 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %173 = arith.maxnumf %171, %172 : vector<4xf32>
    %174 = vector.extract_strided_slice %162 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %175 = arith.maxnumf %173, %174 : vector<4xf32>
    %176 = vector.extract_strided_slice %162 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %177 = arith.maxnumf %175, %176 : vector<4xf32>
    %178 = vector.extract %177[0] : f32 from vector<4xf32>
    %179 = vector.extract %177[1] : f32 from vector<4xf32>
    %180 = vector.extract %177[2] : f32 from vector<4xf32>
    %181 = vector.extract %177[3] : f32 from vector<4xf32>
    %182 = arith.maxnumf %178, %179 : f32
    %183 = arith.maxnumf %180, %181 : f32
    %184 = arith.maxnumf %182, %183 : f32
    %185 = sm.shuffle xor %184, %c3 : f32
    %186 = arith.maxnumf %184, %185 : f32
    %187 = sm.shuffle xor %186, %c0 : f32
    %188 = arith.maxnumf %186, %187 : f32
    %189 = arith.mulf %188, %scale : f32
    %190 = arith.negf %189 : f32
    %191 = vector.from_elements %161, %190 : vector<2xf32>
    %192 = vector.shuffle %191, %191 [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %193 = math.fma %129, %81, %192 : vector<64xf32>
    %194 = sm.exp2 %193 : vector<64xf32>
    %195 = vector.shuffle %194, %194 [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61] : vector<64xf32>, vector<64xf32>
    %196 = vector.extract_strided_slice %195 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %197 = vector.extract_strided_slice %195 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %198 = arith.addf %196, %197 : vector<4xf32>
    %199 = vector.extract_strided_slice %195 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %200 = arith.addf %198, %199 : vector<4xf32>
    %201 = vector.extract_strided_slice %195 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %202 = arith.addf %200, %201 : vector<4xf32>
    %203 = vector.extract_strided_slice %195 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %204 = arith.addf %202, %203 : vector<4xf32>
    %205 = vector.extract_strided_slice %195 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %206 = arith.addf %204, %205 : vector<4xf32>
    %207 = vector.extract_strided_slice %195 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %208 = arith.addf %206, %207 : vector<4xf32>
    %209 = vector.extract_strided_slice %195 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %210 = arith.addf %208, %209 : vector<4xf32>
    %211 = vector.extract %210[0] : f32 from vector<4xf32>
    %212 = vector.extract %210[1] : f32 from vector<4xf32>
    %213 = vector.extract %210[2] : f32 from vector<4xf32>
    %214 = vector.extract %210[3] : f32 from vector<4xf32>
    %215 = arith.addf %211, %212 : f32
    %216 = arith.addf %213, %214 : f32
    %217 = arith.addf %215, %216 : f32
    %218 = vector.shuffle %194, %194 [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63] : vector<64xf32>, vector<64xf32>
    %219 = vector.extract_strided_slice %218 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %220 = vector.extract_strided_slice %218 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %221 = arith.addf %219, %220 : vector<4xf32>
    %222 = vector.extract_strided_slice %218 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %223 = arith.addf %221, %222 : vector<4xf32>
    %224 = vector.extract_strided_slice %218 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %225 = arith.addf %223, %224 : vector<4xf32>
    %226 = vector.extract_strided_slice %218 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %227 = arith.addf %225, %226 : vector<4xf32>
    %228 = vector.extract_strided_slice %218 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %229 = arith.addf %227, %228 : vector<4xf32>
    %230 = vector.extract_strided_slice %218 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %231 = arith.addf %229, %230 : vector<4xf32>
    %232 = vector.extract_strided_slice %218 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %233 = arith.addf %231, %232 : vector<4xf32>
    %234 = vector.extract %233[0] : f32 from vector<4xf32>
    %235 = vector.extract %233[1] : f32 from vector<4xf32>
    %236 = vector.extract %233[2] : f32 from vector<4xf32>
    %237 = vector.extract %233[3] : f32 from vector<4xf32>
    %238 = arith.addf %234, %235 : f32
    %239 = arith.addf %236, %237 : f32
    %240 = arith.addf %238, %239 : f32
    %241 = sm.cvt_pack %194 : vector<64xf32> to vector<64xbf16>
    %242 = vector.bitcast %241 : vector<64xbf16> to vector<32xi32>
    %r:8 = scf.for %i = %c3 to %blocks step %c3 iter_args(%stage = %c1, %phase = %c1, %acc = %c38, %p = %242, %m0 = %159, %m1 = %188, %l0 = %217, %l1 = %240) -> (i32, i32, vector<64xf32>, vector<32xi32>, f32, f32, f32, f32) : i32 {
    %243 = arith.addi %stage, %c3 : i32
    %244 = arith.cmpi eq, %243, %c0 : i32
    %245 = arith.xori %phase, %c3 : i32
    %246 = arith.select %244, %c1, %243 : i32
    %247 = arith.select %244, %245, %phase : i32
    %248 = arith.muli %246, %c18 : i32
    %249 = arith.addi %c4, %248 : i32
    %250 = arith.addi %1, %249 : i32
    sm.barrier_try_wait %250, %247
    sm.named_barrier %76, %c21
    %251 = arith.muli %246, %c26 : i32
    %252 = arith.extui %251 : i32 to i64
    %253 = arith.addi %93, %252 : i64
    %254 = ub.poison : vector<64xf32>
    sm.wgmma_fence
    %255 = sm.wgmma %254, %88, %253 {type = bf16, init} : vector<64xf32>, i64
    %256 = arith.addi %88, %c27 : i64
    %257 = arith.addi %253, %c27 : i64
    %258 = sm.wgmma %255, %256, %257 {type = bf16} : vector<64xf32>, i64
    %259 = arith.addi %88, %c28 : i64
    %260 = arith.addi %253, %c28 : i64
    %261 = sm.wgmma %258, %259, %260 {type = bf16} : vector<64xf32>, i64
    %262 = arith.addi %88, %c29 : i64
    %263 = arith.addi %253, %c29 : i64
    %264 = sm.wgmma %261, %262, %263 {type = bf16} : vector<64xf32>, i64
    %265 = arith.addi %88, %c30 : i64
    %266 = arith.addi %253, %c31 : i64
    %267 = sm.wgmma %264, %265, %266 {type = bf16} : vector<64xf32>, i64
    %268 = arith.addi %88, %c32 : i64
    %269 = arith.addi %253, %c33 : i64
    %270 = sm.wgmma %267, %268, %269 {type = bf16} : vector<64xf32>, i64
    %271 = arith.addi %88, %c34 : i64
    %272 = arith.addi %253, %c35 : i64
    %273 = sm.wgmma %270, %271, %272 {type = bf16} : vector<64xf32>, i64
    %274 = arith.addi %88, %c36 : i64
    %275 = arith.addi %253, %c37 : i64
    %276 = sm.wgmma %273, %274, %275 {type = bf16} : vector<64xf32>, i64
    sm.wgmma_commit
    %277 = arith.muli %stage, %c18 : i32
    %278 = arith.addi %c6, %277 : i32
    %279 = arith.addi %1, %278 : i32
    sm.barrier_try_wait %279, %phase
    %280 = arith.muli %stage, %c26 : i32
    %281 = arith.extui %280 : i32 to i64
    %282 = arith.addi %98, %281 : i64
    sm.wgmma_fence
    %283 = vector.extract_strided_slice %p {offsets = [0], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %284 = sm.wgmma %acc, %283, %282 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %285 = vector.extract_strided_slice %p {offsets = [4], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %286 = arith.addi %282, %c39 : i64
    %287 = sm.wgmma %284, %285, %286 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %288 = vector.extract_strided_slice %p {offsets = [8], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %289 = arith.addi %282, %c40 : i64
    %290 = sm.wgmma %287, %288, %289 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %291 = vector.extract_strided_slice %p {offsets = [12], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %292 = arith.addi %282, %c41 : i64
    %293 = sm.wgmma %290, %291, %292 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %294 = vector.extract_strided_slice %p {offsets = [16], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %295 = arith.addi %282, %c30 : i64
    %296 = sm.wgmma %293, %294, %295 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %297 = vector.extract_strided_slice %p {offsets = [20], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %298 = arith.addi %282, %c42 : i64
    %299 = sm.wgmma %296, %297, %298 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %300 = vector.extract_strided_slice %p {offsets = [24], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %301 = arith.addi %282, %c43 : i64
    %302 = sm.wgmma %299, %300, %301 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %303 = vector.extract_strided_slice %p {offsets = [28], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %304 = arith.addi %282, %c44 : i64
    %305 = sm.wgmma %302, %303, %304 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    sm.wgmma_commit
    sm.named_barrier %80, %c21 {arrive}
    %306 = sm.wgmma_wait %276 {pending = 1 : i64} : vector<64xf32>
    %307 = arith.muli %246, %c18 : i32
    %308 = arith.addi %c8, %307 : i32
    %309 = arith.addi %1, %308 : i32
    sm.barrier_arrive %309 if %74
    %310 = vector.shuffle %306, %306 [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61] : vector<64xf32>, vector<64xf32>
    %311 = vector.extract_strided_slice %310 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %312 = vector.extract_strided_slice %310 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %313 = arith.maxnumf %311, %312 : vector<4xf32>
    %314 = vector.extract_strided_slice %310 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %315 = arith.maxnumf %313, %314 : vector<4xf32>
    %316 = vector.extract_strided_slice %310 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %317 = arith.maxnumf %315, %316 : vector<4xf32>
    %318 = vector.extract_strided_slice %310 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %319 = arith.maxnumf %317, %318 : vector<4xf32>
    %320 = vector.extract_strided_slice %310 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %321 = arith.maxnumf %319, %320 : vector<4xf32>
    %322 = vector.extract_strided_slice %310 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %323 = arith.maxnumf %321, %322 : vector<4xf32>
    %324 = vector.extract_strided_slice %310 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %325 = arith.maxnumf %323, %324 : vector<4xf32>
    %326 = vector.extract %325[0] : f32 from vector<4xf32>
    %327 = vector.extract %325[1] : f32 from vector<4xf32>
    %328 = vector.extract %325[2] : f32 from vector<4xf32>
    %329 = vector.extract %325[3] : f32 from vector<4xf32>
    %330 = arith.maxnumf %326, %327 : f32
    %331 = arith.maxnumf %328, %329 : f32
    %332 = arith.maxnumf %330, %331 : f32
    %333 = arith.maxnumf %332, %m0 : f32
    %334 = sm.shuffle xor %333, %c3 : f32
    %335 = arith.maxnumf %333, %334 : f32
    %336 = sm.shuffle xor %335, %c0 : f32
    %337 = arith.maxnumf %335, %336 : f32
    %338 = arith.mulf %337, %scale : f32
    %339 = arith.negf %338 : f32
    %340 = arith.mulf %m0, %scale : f32
    %341 = arith.subf %340, %338 : f32
    %342 = sm.exp2 %341 : f32
    %343 = vector.shuffle %306, %306 [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63] : vector<64xf32>, vector<64xf32>
    %344 = vector.extract_strided_slice %343 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %345 = vector.extract_strided_slice %343 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %346 = arith.maxnumf %344, %345 : vector<4xf32>
    %347 = vector.extract_strided_slice %343 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %348 = arith.maxnumf %346, %347 : vector<4xf32>
    %349 = vector.extract_strided_slice %343 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %350 = arith.maxnumf %348, %349 : vector<4xf32>
    %351 = vector.extract_strided_slice %343 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %352 = arith.maxnumf %350, %351 : vector<4xf32>
    %353 = vector.extract_strided_slice %343 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %354 = arith.maxnumf %352, %353 : vector<4xf32>
    %355 = vector.extract_strided_slice %343 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %356 = arith.maxnumf %354, %355 : vector<4xf32>
    %357 = vector.extract_strided_slice %343 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %358 = arith.maxnumf %356, %357 : vector<4xf32>
    %359 = vector.extract %358[0] : f32 from vector<4xf32>
    %360 = vector.extract %358[1] : f32 from vector<4xf32>
    %361 = vector.extract %358[2] : f32 from vector<4xf32>
    %362 = vector.extract %358[3] : f32 from vector<4xf32>
    %363 = arith.maxnumf %359, %360 : f32
    %364 = arith.maxnumf %361, %362 : f32
    %365 = arith.maxnumf %363, %364 : f32
    %366 = arith.maxnumf %365, %m1 : f32
    %367 = sm.shuffle xor %366, %c3 : f32
    %368 = arith.maxnumf %366, %367 : f32
    %369 = sm.shuffle xor %368, %c0 : f32
    %370 = arith.maxnumf %368, %369 : f32
    %371 = arith.mulf %370, %scale : f32
    %372 = arith.negf %371 : f32
    %373 = arith.mulf %m1, %scale : f32
    %374 = arith.subf %373, %371 : f32
    %375 = sm.exp2 %374 : f32
    %376 = vector.from_elements %339, %372 : vector<2xf32>
    %377 = vector.shuffle %376, %376 [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %378 = math.fma %306, %81, %377 : vector<64xf32>
    %379 = sm.exp2 %378 : vector<64xf32>
    %380 = vector.shuffle %379, %379 [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61] : vector<64xf32>, vector<64xf32>
    %381 = vector.extract_strided_slice %380 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %382 = vector.extract_strided_slice %380 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %383 = arith.addf %381, %382 : vector<4xf32>
    %384 = vector.extract_strided_slice %380 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %385 = arith.addf %383, %384 : vector<4xf32>
    %386 = vector.extract_strided_slice %380 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %387 = arith.addf %385, %386 : vector<4xf32>
    %388 = vector.extract_strided_slice %380 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %389 = arith.addf %387, %388 : vector<4xf32>
    %390 = vector.extract_strided_slice %380 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %391 = arith.addf %389, %390 : vector<4xf32>
    %392 = vector.extract_strided_slice %380 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %393 = arith.addf %391, %392 : vector<4xf32>
    %394 = vector.extract_strided_slice %380 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %395 = arith.addf %393, %394 : vector<4xf32>
    %396 = vector.extract %395[0] : f32 from vector<4xf32>
    %397 = vector.extract %395[1] : f32 from vector<4xf32>
    %398 = vector.extract %395[2] : f32 from vector<4xf32>
    %399 = vector.extract %395[3] : f32 from vector<4xf32>
    %400 = arith.addf %396, %397 : f32
    %401 = arith.addf %398, %399 : f32
    %402 = arith.addf %400, %401 : f32
    %403 = math.fma %l0, %342, %402 : f32
    %404 = vector.shuffle %379, %379 [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63] : vector<64xf32>, vector<64xf32>
    %405 = vector.extract_strided_slice %404 {offsets = [0], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %406 = vector.extract_strided_slice %404 {offsets = [4], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %407 = arith.addf %405, %406 : vector<4xf32>
    %408 = vector.extract_strided_slice %404 {offsets = [8], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %409 = arith.addf %407, %408 : vector<4xf32>
    %410 = vector.extract_strided_slice %404 {offsets = [12], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %411 = arith.addf %409, %410 : vector<4xf32>
    %412 = vector.extract_strided_slice %404 {offsets = [16], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %413 = arith.addf %411, %412 : vector<4xf32>
    %414 = vector.extract_strided_slice %404 {offsets = [20], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %415 = arith.addf %413, %414 : vector<4xf32>
    %416 = vector.extract_strided_slice %404 {offsets = [24], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %417 = arith.addf %415, %416 : vector<4xf32>
    %418 = vector.extract_strided_slice %404 {offsets = [28], sizes = [4], strides = [1]} : vector<32xf32> to vector<4xf32>
    %419 = arith.addf %417, %418 : vector<4xf32>
    %420 = vector.extract %419[0] : f32 from vector<4xf32>
    %421 = vector.extract %419[1] : f32 from vector<4xf32>
    %422 = vector.extract %419[2] : f32 from vector<4xf32>
    %423 = vector.extract %419[3] : f32 from vector<4xf32>
    %424 = arith.addf %420, %421 : f32
    %425 = arith.addf %422, %423 : f32
    %426 = arith.addf %424, %425 : f32
    %427 = math.fma %l1, %375, %426 : f32
    %428 = sm.wgmma_wait %305 {pending = 0 : i64} : vector<64xf32>
    %429 = arith.muli %stage, %c18 : i32
    %430 = arith.addi %c10, %429 : i32
    %431 = arith.addi %1, %430 : i32
    sm.barrier_arrive %431 if %74
    %432 = sm.cvt_pack %379 : vector<64xf32> to vector<64xbf16>
    %433 = vector.bitcast %432 : vector<64xbf16> to vector<32xi32>
    %434 = vector.from_elements %342, %375 : vector<2xf32>
    %435 = vector.shuffle %434, %434 [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %436 = arith.mulf %428, %435 : vector<64xf32>
    scf.yield %246, %247, %436, %433, %337, %370, %403, %427 : i32, i32, vector<64xf32>, vector<32xi32>, f32, f32, f32, f32
    }
    %437 = arith.muli %r#0, %c18 : i32
    %438 = arith.addi %c6, %437 : i32
    %439 = arith.addi %1, %438 : i32
    sm.barrier_try_wait %439, %r#1
    %440 = arith.muli %r#0, %c26 : i32
    %441 = arith.extui %440 : i32 to i64
    %442 = arith.addi %98, %441 : i64
    sm.wgmma_fence
    %443 = vector.extract_strided_slice %r#3 {offsets = [0], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %444 = sm.wgmma %r#2, %443, %442 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %445 = vector.extract_strided_slice %r#3 {offsets = [4], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %446 = arith.addi %442, %c39 : i64
    %447 = sm.wgmma %444, %445, %446 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %448 = vector.extract_strided_slice %r#3 {offsets = [8], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %449 = arith.addi %442, %c40 : i64
    %450 = sm.wgmma %447, %448, %449 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %451 = vector.extract_strided_slice %r#3 {offsets = [12], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %452 = arith.addi %442, %c41 : i64
    %453 = sm.wgmma %450, %451, %452 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %454 = vector.extract_strided_slice %r#3 {offsets = [16], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %455 = arith.addi %442, %c30 : i64
    %456 = sm.wgmma %453, %454, %455 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %457 = vector.extract_strided_slice %r#3 {offsets = [20], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %458 = arith.addi %442, %c42 : i64
    %459 = sm.wgmma %456, %457, %458 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %460 = vector.extract_strided_slice %r#3 {offsets = [24], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %461 = arith.addi %442, %c43 : i64
    %462 = sm.wgmma %459, %460, %461 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    %463 = vector.extract_strided_slice %r#3 {offsets = [28], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    %464 = arith.addi %442, %c44 : i64
    %465 = sm.wgmma %462, %463, %464 {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    sm.wgmma_commit
    %466 = sm.shuffle xor %r#6, %c3 : f32
    %467 = arith.addf %r#6, %466 : f32
    %468 = sm.shuffle xor %467, %c0 : f32
    %469 = arith.addf %467, %468 : f32
    %470 = sm.rcp %469 : f32
    %471 = sm.shuffle xor %r#7, %c3 : f32
    %472 = arith.addf %r#7, %471 : f32
    %473 = sm.shuffle xor %472, %c0 : f32
    %474 = arith.addf %472, %473 : f32
    %475 = sm.rcp %474 : f32
    %476 = sm.wgmma_wait %465 {pending = 0 : i64} : vector<64xf32>
    %477 = vector.from_elements %470, %475 : vector<2xf32>
    %478 = vector.shuffle %477, %477 [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %479 = arith.mulf %476, %478 : vector<64xf32>
    %480 = sm.cvt_pack %479 : vector<64xf32> to vector<64xbf16>
    %481 = vector.bitcast %480 : vector<64xbf16> to vector<32xi32>
    %482 = arith.andi %4, %c45 : i32
    %483 = arith.andi %3, %c46 : i32
    %484 = arith.muli %483, %c47 : i32
    %485 = arith.addi %482, %484 : i32
    %486 = arith.shrui %4, %c23 : i32
    %487 = arith.andi %485, %c48 : i32
    %488 = arith.addi %486, %c1 : i32
    %489 = arith.xori %488, %487 : i32
    %490 = arith.shli %489, %c23 : i32
    %491 = arith.addi %84, %c1 : i32
    %492 = arith.muli %485, %c13 : i32
    %493 = arith.addi %492, %490 : i32
    %494 = arith.addi %491, %493 : i32
    %495 = vector.extract_strided_slice %481 {offsets = [0], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %495, %494 : vector<4xi32>
    %496 = arith.addi %486, %c0 : i32
    %497 = arith.xori %496, %487 : i32
    %498 = arith.shli %497, %c23 : i32
    %499 = arith.addi %84, %c1 : i32
    %500 = arith.muli %485, %c13 : i32
    %501 = arith.addi %500, %498 : i32
    %502 = arith.addi %499, %501 : i32
    %503 = vector.extract_strided_slice %481 {offsets = [4], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %503, %502 : vector<4xi32>
    %504 = arith.addi %486, %c23 : i32
    %505 = arith.xori %504, %487 : i32
    %506 = arith.shli %505, %c23 : i32
    %507 = arith.addi %84, %c1 : i32
    %508 = arith.muli %485, %c13 : i32
    %509 = arith.addi %508, %506 : i32
    %510 = arith.addi %507, %509 : i32
    %511 = vector.extract_strided_slice %481 {offsets = [8], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %511, %510 : vector<4xi32>
    %512 = arith.addi %486, %c49 : i32
    %513 = arith.xori %512, %487 : i32
    %514 = arith.shli %513, %c23 : i32
    %515 = arith.addi %84, %c1 : i32
    %516 = arith.muli %485, %c13 : i32
    %517 = arith.addi %516, %514 : i32
    %518 = arith.addi %515, %517 : i32
    %519 = vector.extract_strided_slice %481 {offsets = [12], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %519, %518 : vector<4xi32>
    %520 = arith.addi %486, %c1 : i32
    %521 = arith.xori %520, %487 : i32
    %522 = arith.shli %521, %c23 : i32
    %523 = arith.addi %84, %c14 : i32
    %524 = arith.muli %485, %c13 : i32
    %525 = arith.addi %524, %522 : i32
    %526 = arith.addi %523, %525 : i32
    %527 = vector.extract_strided_slice %481 {offsets = [16], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %527, %526 : vector<4xi32>
    %528 = arith.addi %486, %c0 : i32
    %529 = arith.xori %528, %487 : i32
    %530 = arith.shli %529, %c23 : i32
    %531 = arith.addi %84, %c14 : i32
    %532 = arith.muli %485, %c13 : i32
    %533 = arith.addi %532, %530 : i32
    %534 = arith.addi %531, %533 : i32
    %535 = vector.extract_strided_slice %481 {offsets = [20], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %535, %534 : vector<4xi32>
    %536 = arith.addi %486, %c23 : i32
    %537 = arith.xori %536, %487 : i32
    %538 = arith.shli %537, %c23 : i32
    %539 = arith.addi %84, %c14 : i32
    %540 = arith.muli %485, %c13 : i32
    %541 = arith.addi %540, %538 : i32
    %542 = arith.addi %539, %541 : i32
    %543 = vector.extract_strided_slice %481 {offsets = [24], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %543, %542 : vector<4xi32>
    %544 = arith.addi %486, %c49 : i32
    %545 = arith.xori %544, %487 : i32
    %546 = arith.shli %545, %c23 : i32
    %547 = arith.addi %84, %c14 : i32
    %548 = arith.muli %485, %c13 : i32
    %549 = arith.addi %548, %546 : i32
    %550 = arith.addi %547, %549 : i32
    %551 = vector.extract_strided_slice %481 {offsets = [28], sizes = [4], strides = [1]} : vector<32xi32> to vector<4xi32>
    sm.stmatrix %551, %550 : vector<4xi32>
    sm.fence_proxy
    %552 = arith.addi %72, %c18 : i32
    sm.named_barrier %552, %c13
    scf.if %74 {
    %553 = arith.muli %7, %c13 : i32
    %554 = arith.muli %72, %c15 : i32
    %555 = arith.addi %553, %554 : i32
    %556 = arith.addi %84, %c1 : i32
    sm.tma_store %o[%c1, %555, %9, %10], %556 : !sm.tensor_map
    %557 = arith.muli %7, %c13 : i32
    %558 = arith.muli %72, %c15 : i32
    %559 = arith.addi %557, %558 : i32
    %560 = arith.addi %84, %c14 : i32
    sm.tma_store %o[%c15, %559, %9, %10], %560 : !sm.tensor_map
    sm.tma_commit
    sm.tma_wait {pending = 0 : i64, read}
    }
    }
    return
}
