// All-pairs gravity: bodies pass through a shared float4 tile; the last tile is partly empty.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

#define SOFTENING 1e-3f

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
  float invDist = rsqrtf(distSqr);
  float s = bj.w * invDist * invDist * invDist;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__global__ void integrateBodies(float4 *newPos, const float4 *oldPos, float4 *vel, float dt, int n) {
  extern __shared__ float4 sharedPos[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? oldPos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
  float3 acc = {0.0f, 0.0f, 0.0f};

  for (int tile = 0; tile < gridDim.x; tile++) {
    int j = tile * blockDim.x + threadIdx.x;
    sharedPos[threadIdx.x] = j < n ? oldPos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();
#pragma unroll 4
    for (unsigned int k = 0; k < blockDim.x; k++)
      acc = bodyBodyInteraction(me, sharedPos[k], acc);
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = vel[i];
  v.x += acc.x * dt;
  v.y += acc.y * dt;
  v.z += acc.z * dt;
  me.x += v.x * dt;
  me.y += v.y * dt;
  me.z += v.z * dt;
  newPos[i] = me;
  vel[i] = v;
}

static void reference(std::vector<float4> &pos, std::vector<float4> &vel, float dt) {
  std::vector<float4> next(pos);
  for (size_t i = 0; i < pos.size(); i++) {
    double a[3] = {0, 0, 0};
    for (size_t j = 0; j < pos.size(); j++) {
      double x = pos[j].x - pos[i].x, y = pos[j].y - pos[i].y, z = pos[j].z - pos[i].z;
      double d = 1.0 / std::sqrt(x * x + y * y + z * z + SOFTENING);
      double s = pos[j].w * d * d * d;
      a[0] += x * s; a[1] += y * s; a[2] += z * s;
    }
    vel[i].x += a[0] * dt; vel[i].y += a[1] * dt; vel[i].z += a[2] * dt;
    next[i].x += vel[i].x * dt; next[i].y += vel[i].y * dt; next[i].z += vel[i].z * dt;
  }
  pos.swap(next);
}

int main() {
  const int n = 150, p = 64, steps = 3;
  const float dt = 0.01f;
  std::vector<float4> pos(n), vel(n, make_float4(0, 0, 0, 0));
  for (int i = 0; i < n; i++)
    pos[i] = make_float4(std::sin(i * 1.7f), std::cos(i * 0.9f), std::sin(i * 0.3f + 1), 0.01f * (1 + i % 3));

  float4 *d_pos[2], *d_vel;
  size_t bytes = n * sizeof(float4);
  cudaMalloc((void **)&d_pos[0], bytes);
  cudaMalloc((void **)&d_pos[1], bytes);
  cudaMalloc((void **)&d_vel, bytes);
  cudaMemcpy(d_pos[0], pos.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_vel, vel.data(), bytes, cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; s++) {
    integrateBodies<<<(n + p - 1) / p, p, p * sizeof(float4)>>>(d_pos[1 - s % 2], d_pos[s % 2], d_vel, dt, n);
    reference(pos, vel, dt);
  }
  std::vector<float4> got(n);
  if (cudaMemcpy(got.data(), d_pos[steps % 2], bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double e = std::fabs(got[i].x - pos[i].x) + std::fabs(got[i].y - pos[i].y) + std::fabs(got[i].z - pos[i].z);
    if (!(e < 1e-3)) { std::printf("nbody: body %d off by %g\n", i, e); return 1; }
    worst = std::fmax(worst, e);
  }
  cudaFree(d_pos[0]); cudaFree(d_pos[1]); cudaFree(d_vel);
  std::printf("nbody: %d bodies, %d steps, worst error %.2e\n", n, steps, worst);
  return 0;
}
