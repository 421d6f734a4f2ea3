// Vector loads and stores: particles as float4 and int2 arrays, a scalar tail, a 16-byte aligned struct.
#include <cstdio>
#include <cmath>
#include <vector>
#include <vector_types.h>

struct __align__(16) Particle {
  float3 position;
  float mass;
};

inline __host__ __device__ float3 operator+(const float3& a, const float3& b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator*(float s, const float3& a) { return make_float3(s * a.x, s * a.y, s * a.z); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void scale_vectorised(float* data, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4* v = reinterpret_cast<float4*>(data);
  if (i < n / 4) {
    float4 t = v[i];
    t.x *= s; t.y *= s; t.z *= s; t.w *= s;
    v[i] = t;
  }
  int tail = n / 4 * 4 + i;
  if (i < n % 4) data[tail] *= s;
}

__global__ void drift(Particle* p, const float4* velocity, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle q = p[i];
  float4 v = __ldg(velocity + i);
  q.position = q.position + dt * make_float3(v.x, v.y, v.z);
  q.mass += v.w;
  p[i] = q;
}

__global__ void moments(const Particle* p, int n, double2* out) {
  __shared__ double2 s[64];
  double2 mine = make_double2(0, 0);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    mine.x += p[i].mass;
    mine.y += p[i].mass * dot(p[i].position, p[i].position);
  }
  s[threadIdx.x] = mine;
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (threadIdx.x < k) {
      s[threadIdx.x].x += s[threadIdx.x + k].x;
      s[threadIdx.x].y += s[threadIdx.x + k].y;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

__global__ void split_pairs(const int2* pairs, int* first, short2* both, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int2 p = pairs[i];
    first[i] = p.x;
    both[i] = make_short2((short)p.x, (short)p.y);
  }
}

int main() {
  const int n = 301;
  std::vector<float> f(4 * n + 3);
  for (size_t i = 0; i < f.size(); i++) f[i] = 0.25f * i;
  std::vector<Particle> p(n);
  std::vector<float4> v(n);
  std::vector<int2> pairs(n);
  for (int i = 0; i < n; i++) {
    p[i] = {make_float3(i, 2 * i, -i), 1.0f + i % 2};
    v[i] = make_float4(1, 2, i % 5, 0.5f);
    pairs[i] = make_int2(i, -i);
  }
  float* df; Particle* dp; float4* dv; double2* dm; int2* dpairs; int* dfirst; short2* dboth;
  cudaMalloc(&df, f.size() * sizeof(float)); cudaMalloc(&dp, n * sizeof(Particle)); cudaMalloc(&dv, n * sizeof(float4));
  cudaMalloc(&dm, sizeof(double2)); cudaMalloc(&dpairs, n * sizeof(int2)); cudaMalloc(&dfirst, n * sizeof(int));
  cudaMalloc(&dboth, n * sizeof(short2));
  cudaMemcpy(df, f.data(), f.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dp, p.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  cudaMemcpy(dv, v.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(dpairs, pairs.data(), n * sizeof(int2), cudaMemcpyHostToDevice);

  scale_vectorised<<<(n + 127) / 128, 128>>>(df, 4.0f, (int)f.size());
  drift<<<(n + 63) / 64, 64>>>(dp, dv, n, 0.5f);
  moments<<<1, 64>>>(dp, n, dm);
  split_pairs<<<(n + 95) / 96, 96>>>(dpairs, dfirst, dboth, n);

  std::vector<float> gf(f.size());
  std::vector<int> first(n);
  std::vector<short2> both(n);
  double2 m;
  cudaMemcpy(gf.data(), df, f.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&m, dm, sizeof(m), cudaMemcpyDeviceToHost);
  cudaMemcpy(first.data(), dfirst, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(both.data(), dboth, n * sizeof(short2), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (size_t i = 0; i < f.size(); i++) bad += gf[i] != float(i);
  double mass = 0, moment = 0;
  for (int i = 0; i < n; i++) {
    float3 q = p[i].position + 0.5f * make_float3(v[i].x, v[i].y, v[i].z);
    mass += p[i].mass + v[i].w;
    moment += (p[i].mass + v[i].w) * dot(q, q);
    bad += first[i] != i || both[i].x != i || both[i].y != -i;
  }
  bad += !(std::fabs(m.x - mass) < 1e-6 * mass) + !(std::fabs(m.y - moment) < 1e-5 * moment);
  for (void* q : {(void*)df, (void*)dp, (void*)dv, (void*)dm, (void*)dpairs, (void*)dfirst, (void*)dboth}) cudaFree(q);
  std::printf("float4_particles: %d bad\n", bad);
  return bad != 0;
}
