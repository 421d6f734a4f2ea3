// cub::DeviceMergeSort.
#pragma once

#include "rafter_simt/cub/device_sort.hpp"

namespace cub {

struct DeviceMergeSort {
  template <class Keys, class N, class Less>
  static cudaError_t SortKeys(void* temp, std::size_t& bytes, Keys keys, N n, Less less,
                              cudaStream_t stream = nullptr) {
    return sort(temp, bytes, keys, keys, static_cast<NullType*>(nullptr), static_cast<NullType*>(nullptr), n, less,
                stream);
  }
  template <class In, class Out, class N, class Less>
  static cudaError_t SortKeysCopy(void* temp, std::size_t& bytes, In in, Out out, N n, Less less,
                                  cudaStream_t stream = nullptr) {
    return sort(temp, bytes, in, out, static_cast<NullType*>(nullptr), static_cast<NullType*>(nullptr), n, less,
                stream);
  }
  template <class Keys, class Values, class N, class Less>
  static cudaError_t SortPairs(void* temp, std::size_t& bytes, Keys keys, Values values, N n, Less less,
                               cudaStream_t stream = nullptr) {
    return sort(temp, bytes, keys, keys, values, values, n, less, stream);
  }
  template <class KeysIn, class ValuesIn, class Keys, class Values, class N, class Less>
  static cudaError_t SortPairsCopy(void* temp, std::size_t& bytes, KeysIn keys_in, ValuesIn values_in, Keys keys,
                                   Values values, N n, Less less, cudaStream_t stream = nullptr) {
    return sort(temp, bytes, keys_in, keys, values_in, values, n, less, stream);
  }
  template <class Keys, class N, class Less>
  static cudaError_t StableSortKeys(void* temp, std::size_t& bytes, Keys keys, N n, Less less,
                                    cudaStream_t stream = nullptr) {
    return SortKeys(temp, bytes, keys, n, less, stream);
  }
  template <class In, class Out, class N, class Less>
  static cudaError_t StableSortKeysCopy(void* temp, std::size_t& bytes, In in, Out out, N n, Less less,
                                        cudaStream_t stream = nullptr) {
    return SortKeysCopy(temp, bytes, in, out, n, less, stream);
  }
  template <class Keys, class Values, class N, class Less>
  static cudaError_t StableSortPairs(void* temp, std::size_t& bytes, Keys keys, Values values, N n, Less less,
                                     cudaStream_t stream = nullptr) {
    return SortPairs(temp, bytes, keys, values, n, less, stream);
  }

 private:
  // Input and output may be the same arrays, so items are first copied after the indices in the temporary storage.
  template <class KeysIn, class Keys, class ValuesIn, class Values, class N, class Less>
  static cudaError_t sort(void* temp, std::size_t& bytes, KeysIn keys_in, Keys keys, ValuesIn values_in, Values values,
                          N n, Less less, cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    using Key = parts::ValueOfT<KeysIn>;
    using Value = parts::ValueOfT<ValuesIn>;
    constexpr bool has_values = !std::is_same<Value, NullType>::value;
    const long long count = static_cast<long long>(n);
    const std::size_t at_keys = round_up(parts::SortScratch::bytes(count));
    const std::size_t at_values = round_up(at_keys + static_cast<std::size_t>(count) * sizeof(Key));
    const std::size_t needed = at_values + static_cast<std::size_t>(count) * sizeof(Value);
    return parts::run_on_device({"cub::DeviceMergeSort", temp, bytes, stream}, needed, [=] {
      const parts::SortScratch scratch(temp, count);
      Key* const key_copy = reinterpret_cast<Key*>(static_cast<char*>(temp) + at_keys);
      Value* const value_copy = reinterpret_cast<Value*>(static_cast<char*>(temp) + at_values);
      for (long long i = 0; i < count; ++i) {
        key_copy[i] = keys_in[i];
        if constexpr (has_values) value_copy[i] = values_in[i];
      }
      const auto before = [&](std::uint32_t a, std::uint32_t b) {
        Less compare = less;
        return static_cast<bool>(compare(key_copy[a], key_copy[b]));
      };
      const std::uint32_t* order = parts::order_by_merging(before, count, scratch.order, scratch.spare);
      for (long long i = 0; i < count; ++i) {
        keys[i] = key_copy[order[i]];
        if constexpr (has_values) values[i] = value_copy[order[i]];
      }
    });
  }
  static std::size_t round_up(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
};

}  // namespace cub
