// Common inline PTX: special registers, bit operations, carries, loads and stores with cache hints, conversions,
// shuffles, asynchronous copies, predicates; with operands by number and by name, and in macros.
#include <cstdint>
#include <cstdio>
#include <cstring>

#define LANE(x) asm volatile("mov.u32 %0, %%laneid;" : "=r"(x))

__device__ __forceinline__ unsigned bfe(unsigned a, unsigned at, unsigned n) {
  unsigned d;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(at), "r"(n));
  return d;
}

template <class T>
__device__ __forceinline__ T load_nc(const T* p) {
  T v;
  asm volatile("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}

__device__ uint4 load4(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory");
  return v;
}

// A 128-bit sum of 64-bit halves, each half in a separate statement.
__device__ void add128(uint64_t& lo, uint64_t& hi, uint64_t a, uint64_t b) {
  asm volatile("add.cc.u64 %0, %0, %1;" : "+l"(lo) : "l"(a));
  asm volatile("addc.u64 %0, %0, %1;" : "+l"(hi) : "l"(b));
}

// A flag with memory orders, and several kinds of atomics, also in shared memory.
__global__ void ordered(unsigned* words, int* result) {
  __shared__ unsigned in_block;
  unsigned old, at = (unsigned)__cvta_generic_to_shared(&in_block);
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(at) : "memory");
  asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(at), "r"(0u) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], 0, %2;" : "=r"(old) : "l"(words + 2), "r"(threadIdx.x + 1) : "memory");
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    words[0] = 77;
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(words + 1) : "memory");
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(old) : "l"(words + 1) : "memory");
    while (old == 0);
    int dot;
    unsigned difference;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(difference) : "r"(0x01ff0304u), "r"(0x02fe0101u), "r"(70u));
    if (difference != 70 + 1 + 1 + 2 + 3) atomicAdd(&words[3], 1000u);
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(dot) : "r"(0x01020304), "r"(0x01010101), "r"((int)words[0]));
    *result = dot;
  }
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(words + 3), "r"(in_block));
}

__global__ void all(const unsigned* in, uint64_t* out, unsigned* other, float* floats) {
  __shared__ unsigned tile[64];
  const int t = threadIdx.x;
  unsigned lane, d, lo, hi;
  int s;
  float f;
  uint64_t w;
  uint64_t* r = out + t * 20;
  LANE(lane);
  r[0] = lane;
  asm("mov.u32 %0, %%warpid;" : "=r"(d));
  r[1] = d;
  r[2] = bfe(0xabcd1234u, 4, 8);
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(d) : "r"(5u), "r"(0xffffffffu));
  r[3] = d;
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(d) : "r"(0x44332211u), "r"(0u));
  r[4] = d;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(0xf0u), "r"(0x3cu), "r"(t));
  r[5] = d;
  r[6] = load_nc(in + t);
  r[7] = load4((const uint4*)in + t % 4).z;
  uint64_t a = ~0ull, b = 1;
  add128(a, b, 2, 3);
  r[8] = a + 100 * b;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.s32 %0, %1, %2, p;\n\t}" : "=r"(s) : "r"(-3), "r"(t));
  r[9] = (uint64_t)(int64_t)s;
  asm("mul.hi.u32 %[high], %[a], %[b];" : [high] "=r"(d) : [a] "r"(0x80000000u), [b] "r"(6u));
  r[10] = d;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(0x1122334455667788ull));
  asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(hi), "r"(lo));
  r[11] = w;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(-2.75f));
  r[12] = (uint64_t)(int64_t)s;
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(f) : "r"(7u));
  asm("fma.rn.f32 %0, %0, %1, 0f3F800000;" : "+f"(f) : "f"(2.0f));
  floats[t] = f;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(d) : "r"(lane * 3), "r"(1));
  r[13] = d;
  unsigned at = (unsigned)__cvta_generic_to_shared(&tile[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" :: "r"(at), "l"(in + t));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group 0;\n" ::: "memory");
  __syncthreads();
  at = (unsigned)__cvta_generic_to_shared(&tile[63 - t]);
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(d) : "r"(at));
  r[14] = d;
  asm volatile("st.global.cs.u32 [%0+4], %1;" :: "l"(other + 2 * t), "r"(d) : "memory");
  asm volatile("red.global.add.u32 [%0], %1;" :: "l"(other), "r"(2u) : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(t), "r"(-4), "r"(1 << 3));
  r[15] = (uint64_t)(int64_t)s;
  asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(3u), "r"(t));
  r[16] = d;
  asm("popc.b64 %0, %1;" : "=r"(d) : "l"(0xff00ff00ff00ull));
  r[17] = d;
  asm("min.s32 %0, %1, %2; max.s32 %0, %0, -5;" : "=&r"(s) : "r"(-9), "r"(t));
  r[18] = (uint64_t)(int64_t)s;
  asm("clz.b32 %0, %1;" : "=r"(d) : "r"(1u << (t & 31)));
  r[19] = d;
}

int main() {
  const int n = 64;
  unsigned *in, *other;
  uint64_t* out;
  float* floats;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&other, 2 * n * sizeof(unsigned));
  cudaMallocManaged(&out, n * 20 * sizeof(uint64_t));
  cudaMallocManaged(&floats, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = 1000 + i, other[2 * i] = other[2 * i + 1] = 0;
  all<<<1, n>>>(in, out, other, floats);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  int n_wrong = 0;
  for (int t = 0; t < n; ++t) {
    const unsigned lane = t % 32;
    const uint64_t expected[20] = {lane, (unsigned)t / 32, 0x23, 0xfffff5ff, 0x11223344, 0xf0u ^ 0x3cu ^ t, 1000u + t,
      1002u + 4 * (t % 4), 1 + 500, (uint64_t)-3, 3, 0x5566778811223344ull, (uint64_t)-2, (lane ^ 1) * 3, 1063u - t,
      (uint64_t)(int64_t)(t * -4 + 8), t < 32 ? 3u << t : 0u, 24, (uint64_t)-5, 31 - lane};
    for (int k = 0; k < 20; ++k) {
      if (out[t * 20 + k] == expected[k]) continue;
      if (n_wrong++ < 20) printf("thread %d, %d: %llx, not %llx\n", t, k, (unsigned long long)out[t * 20 + k], (unsigned long long)expected[k]);
    }
    if (floats[t] != 15.0f || other[2 * t + 1] != 1063u - t) ++n_wrong;
  }
  if (other[0] != 2u * n) ++n_wrong;
  int* result = (int*)(floats + 1);
  other[0] = other[1] = other[2] = other[3] = 0;
  ordered<<<2, n>>>(other, result);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  if (*result != 87 || other[2] == 0 || other[3] != 2u * n) ++n_wrong;
  printf("%d wrong\n", n_wrong);
  return n_wrong;
}
