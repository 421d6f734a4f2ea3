// Vectors of the three axes, one channel per lane. A part of forcefield_simd.cpp: each instruction-set level has its
// own copy.
#pragma once

#include "library/core/cpu/float_vector.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

struct Three {
  core::Vector x, y, z;
};

__attribute__((always_inline)) inline Three load3(const float* from, std::int64_t pitch) {
  return {core::load(from), core::load(from + pitch), core::load(from + 2 * pitch)};
}
__attribute__((always_inline)) inline void store3(float* to, std::int64_t pitch, const Three& v) {
  core::store(to, v.x);
  core::store(to + pitch, v.y);
  core::store(to + 2 * pitch, v.z);
}
__attribute__((always_inline)) inline Three fma3(core::Vector a, const Three& b, const Three& sum) {
  return {core::fma(a, b.x, sum.x), core::fma(a, b.y, sum.y), core::fma(a, b.z, sum.z)};
}
__attribute__((always_inline)) inline core::Vector dot3(const Three& a, const Three& b) {
  return core::fma(a.x, b.x, core::fma(a.y, b.y, a.z * b.z));
}
__attribute__((always_inline)) inline Three in_all_lanes3(const float* v) {
  return {core::in_all_lanes(v[0]), core::in_all_lanes(v[1]), core::in_all_lanes(v[2])};
}

}  // namespace

}  // namespace rafter::forcefield_ladder::cpu
