// Kernel templates over functors, variadic arguments, a lambda inside a kernel, traits, constexpr and a CRTP buffer.
#include <cstdio>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t n) : size_(n) { check(cudaMalloc(reinterpret_cast<void**>(&ptr_), n * sizeof(T))); }
  explicit DeviceBuffer(const std::vector<T>& v) : DeviceBuffer(v.size()) {
    check(cudaMemcpy(ptr_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceBuffer(DeviceBuffer&& o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  ~DeviceBuffer() { cudaFree(ptr_); }
  T* data() { return ptr_; }
  const T* data() const { return ptr_; }
  size_t size() const { return size_; }
  std::vector<T> download() const {
    std::vector<T> v(size_);
    check(cudaMemcpy(v.data(), ptr_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  static void check(cudaError_t e) {
    if (e != cudaSuccess) throw e;
  }
  T* ptr_ = nullptr;
  size_t size_ = 0;
};

template <typename T> struct Scale {
  T factor;
  __host__ __device__ T operator()(T x) const { return factor * x; }
};
template <typename T> struct Clamp {
  T lo, hi;
  __host__ __device__ T operator()(T x) const { return x < lo ? lo : (x > hi ? hi : x); }
};
template <class F, class G> struct Compose {
  F f;
  G g;
  template <class T> __host__ __device__ auto operator()(T x) const { return g(f(x)); }
};
template <class F, class G> Compose<F, G> compose(F f, G g) { return {f, g}; }

struct MaxOp {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
  template <typename T> static constexpr T identity() { return std::numeric_limits<T>::lowest(); }
};

template <typename T, typename UnaryOp>
__global__ void transform(const T* in, T* out, size_t n, UnaryOp op) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = op(in[i]);
}

template <unsigned BLOCK, typename T, typename Op>
__global__ void reduce(const T* in, T* out, int n, Op op, T identity) {
  __shared__ T s[BLOCK];
  T acc = identity;
  auto fold = [&](T v) { acc = op(acc, v); };
  for (int i = threadIdx.x; i < n; i += BLOCK) fold(in[i]);
  s[threadIdx.x] = acc;
  __syncthreads();
  for (unsigned stride = BLOCK / 2; stride; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + stride]);
    __syncthreads();
  }
  if constexpr (std::is_integral<T>::value) {
    if (threadIdx.x == 0) *out = s[0];
  } else {
    if (threadIdx.x == 0) *out = s[0] * T(1);
  }
}

template <typename... Ts>
__global__ void add_all(float* out, int n, const Ts*... in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (0.0f + ... + static_cast<float>(in[i]));
}

template <typename T>
int exercise(const char* name) {
  const int n = 777;
  std::vector<T> h(n);
  for (int i = 0; i < n; ++i) h[i] = T((i * 53) % 311) - T(100);
  DeviceBuffer<T> in(h), out(n), best(1);
  auto op = compose(Scale<T>{T(3)}, Clamp<T>{T(-50), T(400)});
  transform<<<(n + 95) / 96, 96>>>(in.data(), out.data(), n, op);
  reduce<64, T, MaxOp><<<1, 64>>>(out.data(), best.data(), n, MaxOp{}, MaxOp::identity<T>());
  auto got = out.download();
  T want = MaxOp::identity<T>();
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    bad += got[i] != op(h[i]);
    want = MaxOp{}(want, op(h[i]));
  }
  bad += best.download()[0] != want;
  std::printf("  %s: %d bad\n", name, bad);
  return bad;
}

int main() {
  try {
    int bad = exercise<int>("int") + exercise<float>("float") + exercise<double>("double") + exercise<short>("short");
    const int n = 130;
    std::vector<int> a(n, 2);
    std::vector<double> b(n, 0.5);
    std::vector<unsigned char> c(n, 7);
    DeviceBuffer<int> da(a);
    DeviceBuffer<double> db(b);
    DeviceBuffer<unsigned char> dc(c);
    DeviceBuffer<float> sum(n);
    add_all<int, double, unsigned char><<<dim3(3), dim3(64)>>>(sum.data(), n, da.data(), db.data(), dc.data());
    for (float v : sum.download()) bad += v != 9.5f;
    std::printf("templates_and_functors: %s\n", bad ? "FAILED" : "ok");
    return bad ? 1 : 0;
  } catch (cudaError_t e) {
    std::printf("CUDA error %s\n", cudaGetErrorString(e));
    return 2;
  }
}
