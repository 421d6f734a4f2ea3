// The geometry of one edge and its gradient, as the fused kernels compute them.
#pragma once

#include "edges/edges_rung.hpp"
#include "library/ptx/device_build.cuh"

namespace rafter::edges_ladder::RAFTER_BACKEND {

struct Vector3 {
  float x, y, z;
};
__device__ inline Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline float dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Loads row i of an [n][3] array.
__device__ inline Vector3 load_row(const float* rows, std::int64_t i) {
  return {rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]};
}
__device__ inline void store_row(float* rows, std::int64_t i, Vector3 v) {
  rows[3 * i] = v.x;
  rows[3 * i + 1] = v.y;
  rows[3 * i + 2] = v.z;
}

struct EdgeGeometry {
  Vector3 vector;
  float distance;
  float weight;  // 1 / (distance + epsilon)

  __device__ explicit EdgeGeometry(Vector3 e)
      : vector(e), distance(sqrtf(dot(e, e))), weight(1 / (distance + unit_epsilon)) {}

  __device__ Vector3 unit() const { return {vector.x * weight, vector.y * weight, vector.z * weight}; }
};

/// The gradient with respect to the vector of edge i, from those with respect to its vector, distance and unit vector:
/// g_e + g_u w + e (g_d - (e . g_u) w^2) / d with w = 1 / (d + epsilon).
__device__ inline Vector3 gradient_by_vector(const EdgeGeometry& edge, const EdgePointers<const float>& given,
                                             std::int64_t i) {
  const Vector3 e = edge.vector, by_vector = load_row(given.vectors, i), by_unit = load_row(given.units, i);
  const float w = edge.weight;
  const float by_distance = edge.distance == 0 ? 0 : (given.distances[i] - dot(e, by_unit) * w * w) / edge.distance;
  return {by_vector.x + by_unit.x * w + e.x * by_distance, by_vector.y + by_unit.y * w + e.y * by_distance,
          by_vector.z + by_unit.z * w + e.z * by_distance};
}

}  // namespace rafter::edges_ladder::RAFTER_BACKEND
