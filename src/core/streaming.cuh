// Accesses of 4, 8 or 16 bytes that are used once: first to leave the caches, so that what is used again can stay.
#pragma once

#include <cstring>

#include "core/device_build.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// The type in which hardware moves so many bytes at once.
template <int Bytes>
struct MachineWord;
template <>
struct MachineWord<4> {
  using type = int;
};
template <>
struct MachineWord<8> {
  using type = int2;
};
template <>
struct MachineWord<16> {
  using type = int4;
};

/// `at` is aligned to its size.
template <class T>
__device__ T load_once(const T* at) {
  using Word = typename MachineWord<sizeof(T)>::type;
  const Word word = __ldcs(reinterpret_cast<const Word*>(at));
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/// `at` is aligned to its size.
template <class T>
__device__ void store_once(T* at, const T& value) {
  using Word = typename MachineWord<sizeof(T)>::type;
  Word word;
  memcpy(&word, &value, sizeof word);
  __stcs(reinterpret_cast<Word*>(at), word);
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
