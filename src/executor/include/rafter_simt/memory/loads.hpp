// Loads and stores with cache hints: ordinary accesses here. The read-only cache of __ldg is not kept coherent with
// stores of the same launch, which a checked build reports.
#pragma once

#include "rafter_simt/builtins.hpp"

template <class T>
T __ldg(const T* address) {
#ifdef RAFTER_SIMT_CHECKED
  rafter_simt_read_only(address, sizeof(T));
#endif
  return *address;
}
// clang-format off
template <class T> T __ldcg(const T* address) { return *address; }
template <class T> T __ldca(const T* address) { return *address; }
template <class T> T __ldcs(const T* address) { return *address; }
template <class T> T __ldlu(const T* address) { return *address; }
template <class T> T __ldcv(const T* address) { return *address; }
template <class T> void __stwb(T* address, T value) { *address = value; }
template <class T> void __stcg(T* address, T value) { *address = value; }
template <class T> void __stcs(T* address, T value) { *address = value; }
template <class T> void __stwt(T* address, T value) { *address = value; }
// clang-format on

inline unsigned __isGlobal(const void*) { return 1; }
inline std::size_t __cvta_generic_to_shared(const void* address) { return reinterpret_cast<std::size_t>(address); }
