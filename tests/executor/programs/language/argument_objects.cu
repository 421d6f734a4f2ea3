// Kernel arguments with non-trivial copy constructors and destructors: CUDA copies them on the host, once per launch,
// and threads work on the bytes of that copy.
#include <cstdio>
#include <vector>

int n_copies = 0, n_destroyed = 0, n_failed = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++n_failed;
  std::printf("FAILED: %s\n", what);
}

/// Owns an array in device memory; a copy has a separate one.
class Numbers {
 public:
  explicit Numbers(int n) : n_(n) { cudaMalloc(&data_, n * sizeof(int)); }
  Numbers(const Numbers& other) : Numbers(other.n_) {
    cudaMemcpy(data_, other.data_, n_ * sizeof(int), cudaMemcpyDeviceToDevice);
    ++n_copies;
  }
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() {
    cudaFree(data_);
    ++n_destroyed;
  }
  __host__ __device__ int size() const { return n_; }
  __device__ int& operator[](int i) { return data_[i]; }
  int* data() const { return data_; }

 private:
  int n_ = 0;
  int* data_ = nullptr;
};

/// Shares its array with its copies, and counts them.
class Shared {
 public:
  explicit Shared(int n) : count_(new int(1)) { cudaMalloc(&data_, n * sizeof(int)); }
  Shared(const Shared& other) : count_(other.count_), data_(other.data_) { ++*count_; }
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (--*count_ > 0) return;
    cudaFree(data_);
    delete count_;
  }
  __device__ int& operator[](int i) { return data_[i]; }
  int* data() const { return data_; }
  int count() const { return *count_; }

 private:
  int* count_;
  int* data_ = nullptr;
};

// Each thread has its own parameter; a thread's changes to it are invisible to other threads.
__global__ void sum_up(Numbers in, int* out) {
  __shared__ int total;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[t]);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = total;
  in[t] = -1;  // writes to the copy's array
}

template <class T>
__global__ void fill(Shared out, T value, const char* unused) {
  out[threadIdx.x] = static_cast<int>(value) + (unused == nullptr ? 0 : 1);
}

template <class Container>
__global__ void set_deduced(Container out, int value) {
  out[threadIdx.x] = value;
}

int main() {
  const int n = 64;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  {
    Numbers numbers(n);
    cudaMemcpy(numbers.data(), host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_up<<<1, n>>>(numbers, out);
    expect(n_copies == 1 && n_destroyed == 1, "one copy for a launch");
    void* arguments[] = {&numbers, &out};
    cudaLaunchKernel(reinterpret_cast<const void*>(sum_up), dim3(1), dim3(n), arguments, 0, nullptr);
    std::vector<int> kept(n);
    cudaMemcpy(kept.data(), numbers.data(), n * sizeof(int), cudaMemcpyDeviceToHost);
    int total = 0;
    cudaMemcpy(&total, out, sizeof(int), cudaMemcpyDeviceToHost);
    expect(total == n * (n - 1) / 2, "the copy has the values");
  }
  expect(n_destroyed == n_copies + 1, "every copy is destroyed once");
  {
    Shared shared(n);
    fill<float><<<1, n>>>(shared, 3.0f, NULL);
    fill<int><<<1, n / 2>>>(shared, 5, nullptr);
    set_deduced<<<1, 1>>>(shared, 9);
    cudaMemcpy(host.data(), shared.data(), n * sizeof(int), cudaMemcpyDeviceToHost);
    expect(host[0] == 9 && host[1] == 5 && host[n - 1] == 3, "shared arrays are written");
    expect(shared.count() == 1, "all copies are destroyed");
  }
  cudaFree(out);
  if (n_failed == 0) std::puts("ok");
  return n_failed;
}
