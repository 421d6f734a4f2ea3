// Managed memory: host and kernels alternately use the same pointers, a managed class, a __managed__ variable.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>

class Managed {
 public:
  void* operator new(size_t len) {
    void* ptr = nullptr;
    if (cudaMallocManaged(&ptr, len) != cudaSuccess) throw std::bad_alloc();
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void* ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};

struct Polynomial : public Managed {
  int degree;
  double* c;

  explicit Polynomial(int d) : degree(d) { cudaMallocManaged(&c, (d + 1) * sizeof(double)); }
  ~Polynomial() { cudaFree(c); }
  __host__ __device__ double operator()(double x) const {
    double r = 0;
    for (int i = degree; i >= 0; --i) r = r * x + c[i];
    return r;
  }
};

__managed__ int evaluations = 0;

__global__ void evaluate(const Polynomial* p, const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = (*p)(x[i]);
    atomicAdd(&evaluations, 1);
  }
}

struct Node {
  int value;
  Node* next;
};

__global__ void walk(Node* head, int* sum) {
  for (Node* n = head; n != nullptr; n = n->next) {
    *sum += n->value;
    n->value = -n->value;
  }
}

int main() {
  const int n = 1003;
  auto* p = new Polynomial(4);
  for (int i = 0; i <= 4; ++i) p->c[i] = 1.5 - i;

  double *x, *y;
  cudaMallocManaged(&x, n * sizeof(double));
  cudaMallocManaged(&y, n * sizeof(double), cudaMemAttachGlobal);
  for (int i = 0; i < n; ++i) x[i] = (i - n / 2) * 0.01;
  for (int round = 0; round < 2; ++round) {
    evaluate<<<(n + 255) / 256, 256>>>(p, x, y, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
      if (!(std::fabs(y[i] - (*p)(x[i])) < 1e-9)) {
        std::printf("managed_memory: y[%d] = %g\n", i, y[i]);
        return 1;
      }
      x[i] += 0.125;
    }
    p->c[round] += 2;
  }
  if (evaluations != 2 * n) return std::printf("managed_memory: %d evaluations\n", evaluations), 1;

  Node* head = nullptr;
  for (int i = 1; i <= 10; ++i) {
    Node* node;
    cudaMallocManaged(&node, sizeof(Node));
    node->value = i * i;
    node->next = head;
    head = node;
  }
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  walk<<<1, 1>>>(head, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  int host_sum = 0;
  while (head) {
    Node* next = head->next;
    host_sum -= head->value;
    cudaFree(head);
    head = next;
  }
  const bool ok = host_sum == 385 && *sum == 385;
  cudaFree(sum);
  cudaFree(x);
  cudaFree(y);
  delete p;
  std::printf("managed_memory: %s\n", ok ? "ok" : "wrong list sum");
  return ok ? 0 : 1;
}
