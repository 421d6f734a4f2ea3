#include "executor/libraries/blas/data_types.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "cuda_fp8.h"

namespace rafter::simt::blas {
namespace {

template <class Stored>
Stored get(const void* at) {
  Stored value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class Stored>
void put(void* at, Stored value) {
  std::memcpy(at, &value, sizeof value);
}

template <class Integer>
Integer saturated(double value) {
  if (value != value) return 0;
  const double least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
  return static_cast<Integer>(value < least ? least : value > most ? most : std::nearbyint(value));
}

float half_value(unsigned short bits) { return ::rafter_simt::Half::decode(bits); }

float small_float(cudaDataType type, const void* at) {
  switch (type) {
    case CUDA_R_16F: return half_value(get<unsigned short>(at));
    case CUDA_R_16BF: return ::rafter_simt::Bfloat16::decode(get<unsigned short>(at));
    case CUDA_R_8F_E4M3: return half_value(__nv_cvt_fp8_to_halfraw(get<unsigned char>(at), __NV_E4M3).x);
    default: return half_value(__nv_cvt_fp8_to_halfraw(get<unsigned char>(at), __NV_E5M2).x);
  }
}

template <class T>
void store_real(cudaDataType type, void* at, T value) {
  const auto single = static_cast<float>(value);
  switch (type) {
    case CUDA_R_32F: return put(at, single);
    case CUDA_R_64F: return put(at, static_cast<double>(value));
    case CUDA_R_16F: return put(at, static_cast<unsigned short>(::rafter_simt::Half::encode_nearest(single)));
    case CUDA_R_16BF: return put(at, static_cast<unsigned short>(::rafter_simt::Bfloat16::encode_nearest(single)));
    case CUDA_R_8F_E4M3: return put(at, __nv_cvt_float_to_fp8(single, __NV_SATFINITE, __NV_E4M3));
    case CUDA_R_8F_E5M2: return put(at, __nv_cvt_float_to_fp8(single, __NV_SATFINITE, __NV_E5M2));
    case CUDA_R_8I: return put(at, saturated<std::int8_t>(static_cast<double>(value)));
    case CUDA_R_32I: return put(at, saturated<std::int32_t>(static_cast<double>(value)));
    default: return;
  }
}

}  // namespace

Int bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
  }
}

bool is_complex_type(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

template <class T>
T load(cudaDataType type, const void* at) {
  if constexpr (is_complex<T>) {
    if (type == CUDA_C_32F) return T(get<std::complex<float>>(at));
    if (type == CUDA_C_64F) return static_cast<T>(get<std::complex<double>>(at));
    return T(load<Real<T>>(type, at));
  } else {
    switch (type) {
      case CUDA_R_32F: return static_cast<T>(get<float>(at));
      case CUDA_R_64F: return static_cast<T>(get<double>(at));
      case CUDA_R_8I: return static_cast<T>(get<std::int8_t>(at));
      case CUDA_R_32I: return static_cast<T>(get<std::int32_t>(at));
      default: return static_cast<T>(small_float(type, at));
    }
  }
}

template <class T>
void store(cudaDataType type, void* at, T value) {
  if constexpr (is_complex<T>) {
    if (type == CUDA_C_32F) return put(at, static_cast<std::complex<float>>(value));
    if (type == CUDA_C_64F) return put(at, std::complex<double>(value));
    store_real(type, at, value.real());
  } else {
    store_real(type, at, value);
  }
}

template float load(cudaDataType, const void*);
template double load(cudaDataType, const void*);
template std::int32_t load(cudaDataType, const void*);
template std::complex<float> load(cudaDataType, const void*);
template std::complex<double> load(cudaDataType, const void*);
template void store(cudaDataType, void*, float);
template void store(cudaDataType, void*, double);
template void store(cudaDataType, void*, std::int32_t);
template void store(cudaDataType, void*, std::complex<float>);
template void store(cudaDataType, void*, std::complex<double>);

}  // namespace rafter::simt::blas
