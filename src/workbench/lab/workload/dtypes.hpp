// Element types as parameters of a workload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library/core/dtype.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::lab {

/// Returns the parameter that selects one of T...; the first is the default.
template <class... T>
Parameter dtype_parameter(Types<T...>, std::string name = "dtype", std::string meaning = "element type") {
  const std::vector<std::string> names{core::DType<T>::name...};
  return {std::move(name), std::move(meaning), names.front(), false, names};
}

/// The names of T...: float32, int64.
template <class... T>
std::vector<std::string> dtype_names(Types<T...>) {
  return {core::DType<T>::name...};
}

/// Whether the parameter selects T.
template <class T>
bool is_dtype(const Params& params, std::string_view name = "dtype") {
  return params.word(name) == core::DType<T>::name;
}

/// Returns the size in bytes of an element of the type that the parameter selects.
inline double element_bytes(const Params& params, std::string_view name = "dtype") {
  return static_cast<double>(core::bytes_of(params.word(name)));
}

/// Returns cases for a workload with the parameters "n" and "dtype".
inline std::vector<Params> cases_of_sizes(std::initializer_list<std::int64_t> sizes,
                                          const std::string& dtype = "float32") {
  std::vector<Params> cases;
  for (const std::int64_t n : sizes) cases.push_back({{"n", n}, {"dtype", dtype}});
  return cases;
}

}  // namespace rafter::lab
