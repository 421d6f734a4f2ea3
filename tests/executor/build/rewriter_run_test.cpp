// Rewritten programs compile and behave like the originals.
#include <gtest/gtest.h>

#include "../../workbench/lab/temporary_folder.hpp"
#include "compile.hpp"
#include "executor/build/rewrite/rewriter.hpp"

namespace rafter::simt::build {
namespace {

void expect_runs(const std::string& text) {
  const lab::TemporaryFolder folder;
  const Rewritten rewritten = rewrite(text, "original.cu");
  const test::Run run = test::compile_and_run(folder.path(), rewritten.text);
  EXPECT_EQ(run.status, 0) << run.output << "\n" << rewritten.text;
}

TEST(RewriterRun, LaunchesOfEveryShape) {
  expect_runs(R"cuda(
int calls; int last; const char* text; float* pointer;
__global__ void plain(int a) { ++calls; last = a; }
template <class T> __global__ void typed(T a, int b) { ++calls; last = (int)a + b; }
template <class T, bool B> __global__ void flagged(T a) { calls += B; last = (int)a; }
__global__ void takes_pointer(float* p, const char* s) { pointer = p; text = s; ++calls; }
template <class F> __global__ void apply(F f, int n) { f(n); }
struct Pair { int a, b; };
__global__ void takes_pair(Pair p) { last = p.a * 10 + p.b; }
__global__ void none() { ++calls; }
namespace ns { template <int N> __global__ void counted(int a) { last = N + a; }
namespace in { __global__ void deep() { last = 77; } } }
__global__ void overloaded(int) { last = 1; }
__global__ void overloaded(double) { last = 2; }

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define LAUNCH_NAMED(kernel, args...) \
  do {                                \
    kernel<<<1, 2,                    \
             0>>>(args);              \
  } while (0)
#define PASTED(name, T) name##ed<T><<<1, 1>>>(1, 2)
#define TAIL(x, ...) typed<<<1, 1>>>(x, ##__VA_ARGS__)
#define TWO_ARGUMENTS 3, 4
#define NOTHING NULL

struct Runner {
  int member = 5;
  float* data = nullptr;
  void (*fn)(int) = plain;
  void go() { plain<<<1, 1>>>(member); EXPECT(last == 5); plain<<<1, 1>>>(this->member + 1); EXPECT(last == 6);
    takes_pointer<<<1, 1>>>(data, "x"); this->fn<<<1, 1>>>(9); EXPECT(last == 9); }
};
template <class T> struct Host {
  template <class U> void go(T a) { typed<T><<<1, 1>>>(a, sizeof(U)); typed<<<1, 1>>>(a, 1); } };
template <class... Args> void forward(void (*k)(Args...), Args... args) { k<<<1, 1>>>(args...); }
template <class K, class... Args> void forward_any(K k, Args&&... args) { k<<<1, 1>>>(std::forward<Args>(args)...); }
template <class... Args> void doubled(Args... args) { typed<int><<<1, 1>>>((args * 2)...); }
int n_evaluations; int once() { return ++n_evaluations; }
void (*get(int i))(int) { once(); return plain; }

template <class T> __device__ T square(T x) { return x * x; }
__global__ void apply_function(int (*f)(int), int n) { last = f(n); }
struct Table { void (*at(int))(int) { return plain; } };
#define Name(x) x
#define DISPATCH(T, ...) { typedef T scalar; __VA_ARGS__; }
template <class K, class Tuple, std::size_t... I> void unpack(K* kernel, Tuple args, std::index_sequence<I...>) {
  (*kernel)<<<1, 2>>>(std::get<I>(args)...); }
int main() {
  plain<<<2, 3>>>(7); EXPECT(calls == 6 && last == 7);
  calls = 0; plain<<<dim3(2, 2), dim3(2, 2, 2), 16 * sizeof(float), 0>>>(1); EXPECT(calls == 32);
  plain<<<1, 1, 0, NULL>>>(1); cudaStream_t s = 0; plain<<<1, 1, 0, s>>>(1);
  typed<float><<<1, 1>>>(1.5f, 2); EXPECT(last == 3);
  typed<unsigned long><<<(1 + 2) / 3, 1>>>(4ul, (2)); EXPECT(last == 6);
  flagged<int, (3 > 1)><<<1, 1>>>(4); EXPECT(last == 4);
  flagged<std::pair<int, std::pair<int, int>>*, (1 >> 0) == 1><<<1, 1>>>(nullptr);
  ns::counted<1 << 3><<<1, 1>>>(1); EXPECT(last == 9);
  ::ns::in::deep<<<1, 1>>>(); EXPECT(last == 77);
  using namespace ns; in::deep<<<1,1>>>();
  overloaded<<<1, 1>>>(1); EXPECT(last == 1); overloaded<<<1, 1>>>(1.0); EXPECT(last == 2);
  calls = 0; none<<<3, 1>>>(); EXPECT(calls == 3);
  takes_pointer<<<1, 1>>>(NULL, "a, b"); takes_pointer<<<1, 1>>>(0, nullptr); takes_pointer<<<1, 1>>>(NOTHING, "x" "y");
  EXPECT(text[1] == 'y');
  float array[3] = {1, 2, 3}; takes_pointer<<<1, 1>>>(array + 1, "q"); EXPECT(pointer == array + 1);
  takes_pointer<<<1, 1>>>(array, "q"); EXPECT(pointer == array); takes_pointer<<<1, 1>>>(&array[2], "q");
  takes_pair<<<1, 1>>>({1, 2}); EXPECT(last == 12); takes_pair<<<1, 1>>>(Pair{3, 4}); EXPECT(last == 34);
  int seen = 0; int* seen_at = &seen;
  apply<<<1, 1>>>([=] __device__ (int i) {
    int x = i, y = 2; *seen_at = x + y;
  }, 40);
  EXPECT(seen == 42);
  plain<<<1, 4>>>(once()); EXPECT(n_evaluations == 1);
  plain<<<once(), 1>>>(3); EXPECT(n_evaluations == 2);
  void (*fn)(int) = plain; fn<<<1, 1>>>(8); EXPECT(last == 8); (*fn)<<<1, 1>>>(9); EXPECT(last == 9);
  void (*table[])(int) = {plain, plain}; int index = 0; table[index++]<<<1, 5>>>(3); EXPECT(index == 1);
  n_evaluations = 0; get(1)<<<1, 3>>>(1); EXPECT(n_evaluations == 1);
  (plain)<<<1, 1>>>(61); EXPECT(last == 61); (typed<int>)<<<1, 1>>>(61, 1); EXPECT(last == 62);
  ((void (*)(int))plain)<<<1, 1>>>(63); EXPECT(last == 63);
  n_evaluations = 0; (get(1))<<<1, 3>>>(1); EXPECT(n_evaluations == 1);
  Table kernels; kernels.at(once())<<<1, 3>>>(64); EXPECT(last == 64 && n_evaluations == 2);
  Name(typed)<<<1, 1>>>(3, 4); EXPECT(last == 7);
  DISPATCH(int, { typed<scalar><<<1, 2>>>(scalar(5), last); }) EXPECT(last == 12);
  unpack(plain, std::make_tuple(66), std::index_sequence<0>()); EXPECT(last == 66);
  if (index == 1) plain<<<1, 1>>>(11); else plain<<<1, 1>>>(12);
  EXPECT(last == 11);
  plain<<<1, 1>>>(1), plain<<<1, 1>>>(2); EXPECT(last == 2);
  index ? plain<<<1, 1>>>(21) : plain<<<1, 1>>>(22); EXPECT(last == 21);
  for (int i = 0; i < 3; ++i) plain<<<1, 1>>>(i);
  EXPECT(last == 2);
  auto lambda = [&](int v) { plain<<<1, 1>>>(v); }; lambda(31); EXPECT(last == 31);
  LAUNCH(plain, 2, 2, 41); EXPECT(last == 41); LAUNCH(typed<int>, 1, 1, 1, 2); EXPECT(last == 3); LAUNCH(none, 1, 1);
  EXPECT(std::string(rafter_simt::last_name) == "none");
  LAUNCH_NAMED(typed<int>, 5, 6); EXPECT(last == 11); PASTED(typ, int); EXPECT(last == 3);
  TAIL(1, 8); EXPECT(last == 9);
  typed<int><<<1, 1>>>(TWO_ARGUMENTS); EXPECT(last == 7);
  Runner().go(); Host<float>().go<int>(2.0f); EXPECT(last == 3);
  forward(plain, 51); EXPECT(last == 51); forward_any(plain, 52); EXPECT(last == 52); doubled(3, 4); EXPECT(last == 14);
  plain << <1, 1 >> > (53); EXPECT(last == 53); typed<int> << <1, 1 >> >(1, 53); EXPECT(last == 54);
  plain<<<  // a comment, with <<<
      1,
      /* and another */ 1
  >>>(
      53  // last
  );
  EXPECT(last == 53 && __LINE__ == 105);
  auto [p, q] = std::make_pair(1, 2); typed<int><<<1, 1>>>(p, q); EXPECT(last == 3);
  typed<int><<<1, 1>>>(1,
#ifdef MISSING
                       2
#else
                       5
#endif
  );
  EXPECT(last == 6);
  typed<int><<<1, 1>>>(static_cast<int>(2.5), std::max<int>(3, 4)); EXPECT(last == 6);
  bool less = 1 < 2, more = 4 > 3; typed<int><<<1, 1>>>(p < q, more > less); EXPECT(last == 1);
  apply_function<<<1, 1>>>(square<int>, 3); EXPECT(last == 9);
  const int constant = 4; volatile int changing = 5; typed<int><<<1, 1>>>(constant, changing); EXPECT(last == 9);
  EXPECT(std::string("abc<<<1>>>(x)").size() == 13);
}
)cuda");
}

TEST(RewriterRun, SharedMemory) {
  expect_runs(R"cuda(
extern __shared__ float at_file[];
namespace n { extern volatile __shared__ int tile_of_file[][4]; }
template <class T> T first(T* p) { return p[0]; }
__device__ float helper() { float* q = at_file; at_file[1] = 3; float4_like:
  return first(at_file) + *(at_file + 1) + ((float*)at_file)[1] + q[1]; }
__global__ void floats() { extern __shared__ float s[]; s[0] = 1; s[1] = 2; }
__global__ void type_first() { extern unsigned int __shared__ s[]; s[0] = 1; }
__global__ void aligned() { extern __shared__ __align__(16) unsigned char raw[]; raw[5] = 9; }
__global__ void standard() { alignas(16) extern __shared__ volatile int v[]; v[0] = 3; }
__global__ void swapped() { __shared__ extern double d[]; d[0] = 4; }
__global__ void tile() { extern __shared__ int t[][4]; t[1][2] = 5; n::tile_of_file[1][3] = 6; }
__global__ void several() { extern __shared__ int a[], b[]; a[0] = 6; b[1] = 7; }
__global__ void pointers() { extern __shared__ int* p[]; p[0] = nullptr; }
template <class T> __global__ void typed() { extern __shared__ __align__(sizeof(T)) T s[]; s[0] = T(8); }
__global__ void qualified() { extern __shared__ std::pair<int, std::pair<int, int>> s[]; s[0].first = 10; }
__global__ void still() { static __shared__ int a[4]; __shared__ alignas(16) float b[4]; __shared__ __align__(8) int c;
  __shared__ static int e; a[0] = 1; b[0] = 2; c = e = 3; }
#define DECLARE(T, name) extern __shared__ T name[]
__global__ void by_macro() { DECLARE(int, m); m[0] = 11; }
__global__ void cast() { auto p = reinterpret_cast<int*>(at_file); p[0] = 12; }
template <class T> struct Memory { __device__ T* get() { extern __shared__ int any[]; return (T*)any; } };
int main() {
  type_first<<<1, 1>>>(); EXPECT(*(unsigned*)rafter_simt::shared_memory == 1);
  floats<<<1, 1>>>(); EXPECT(*(float*)rafter_simt::shared_memory == 1);
  EXPECT(helper() == 1 + 3 * 3);
  aligned<<<1, 1>>>(); EXPECT(rafter_simt::shared_memory[5] == 9);
  standard<<<1, 1>>>(); EXPECT(*(int*)rafter_simt::shared_memory == 3);
  swapped<<<1, 1>>>(); tile<<<1, 1>>>(); EXPECT(((int*)rafter_simt::shared_memory)[6] == 5);
  EXPECT(((int*)rafter_simt::shared_memory)[7] == 6);
  several<<<1, 1>>>(); EXPECT(((int*)rafter_simt::shared_memory)[1] == 7);
  pointers<<<1, 1>>>(); typed<float><<<1, 1>>>(); EXPECT(*(float*)rafter_simt::shared_memory == 8);
  qualified<<<1, 1>>>(); EXPECT(*(int*)rafter_simt::shared_memory == 10);
  still<<<1, 1>>>(); by_macro<<<1, 1>>>(); EXPECT(*(int*)rafter_simt::shared_memory == 11);
  cast<<<1, 1>>>(); EXPECT(*(int*)rafter_simt::shared_memory == 12);
  EXPECT((void*)Memory<float>().get() == rafter_simt::shared_memory);
}
)cuda");
}

TEST(RewriterRun, VariablesInDeviceMemory) {
  expect_runs(R"cuda(
extern "C" char __start_rafter_device[], __stop_rafter_device[], __start_rafter_constant[], __stop_rafter_constant[];
__device__ int counter;
__device__ float table[4] = {1, 2, 3, 4};
static __device__ unsigned long long total = 0;
__device__ static int* where;
__device__ alignas(16) float aligned[4];
static __device__ alignas(16) float aligned_static[4];
__constant__ float weights[8];
__constant__ __align__(16) char raw[16];
__constant__ const float fixed[2] = {1, 2};
__constant__ const float* to_fixed;
__constant__ struct { int a; float b[2]; } settings;
__device__ struct Named { int a; } named[2] = {{1}, {2}};
__device__ constexpr int limit = 3;
__device__ __managed__ int shared_with_host = 4;
__device__ std::pair<int, int> pair;
__device__ int (*function)(int);
__device__ int function_of(int x) { return x; }
__device__ __forceinline__ int small(int x) { return x + 1; }
__device__ inline __forceinline__ int doubled(int x) { return x; }
__forceinline__ __device__ inline int doubled_too(int x) { return x; }
static inline __device__ __forceinline__ int thrice(int x) { return x; }
__device__ __noinline__ int apart(int x) { return x + 3; }
__attribute__((__noinline__)) int apart_already(int x) { return x + 4; }
#define HD __host__ __device__ __forceinline__
HD inline int by_macro(int x) { return x; }
inline HD int by_macro_too(int x) { return x; }
template <class T> __device__ T generic;
template <class T> struct S { __device__ static int member; __device__ S() : a{1}, b{2} { int c = a; (void)c; }
  int a, b; __device__ int operator()(int x) const { return x; } };
struct Q { __device__ static int member; __device__ bool operator==(const Q&) const { return true; } };
__device__ int Q::member = 3;
enum class Kind : int { a, b };
bool in_device(const void* p) { return p >= __start_rafter_device && p < __stop_rafter_device; }
bool in_constant(const void* p) { return p >= __start_rafter_constant && p < __stop_rafter_constant; }
int main() {
  EXPECT(in_device(&counter) && in_device(table) && in_device(&total) && in_device(&where) && in_device(aligned));
  EXPECT(in_device(&pair) && in_device(&function) && in_device(&Q::member));
  EXPECT(in_constant(weights) && in_constant(raw) && in_constant(&to_fixed) && !in_constant(fixed));
  EXPECT(in_constant(&settings) && in_device(named) && named[1].a == 2);
  EXPECT(((unsigned long)aligned_static & 15) == 0);
  EXPECT(shared_with_host == 4 && limit == 3 && doubled(3) == 3);
  EXPECT(apart(1) == 4 && apart_already(1) == 5);
  generic<int> = 3; S<int> s; EXPECT(s(2) == 2);
}
)cuda");
}

}  // namespace
}  // namespace rafter::simt::build
