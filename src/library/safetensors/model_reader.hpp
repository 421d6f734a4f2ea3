// Models from safetensors files: which tensors there must be, of which shapes, and their numbers as float32. Part of
// the library (rafter_safetensors), as safetensors.hpp is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "library/safetensors/safetensors.hpp"

namespace rafter::base {

/// A model's file, held against what the model has. Functions throw Error (bad_argument) with the tensor, what was
/// expected and why.
class ModelReader {
 public:
  /// The file outlives it.
  explicit ModelReader(const SafetensorsFile& file) : file_(file) {}

  const SafetensorsFile& file() const { return file_; }

  const Tensor* find(const std::string& name) const;                       ///< null: there is none
  const Tensor& at(const std::string& name) const { return *find(name); }  ///< of a name that is there

  /// Each of `names` must be there, and nothing else but what is `optional`; `model` is what the file should be.
  void require_names(const std::string& model, const std::vector<std::string>& names,
                     const std::vector<std::string>& optional) const;

  /// One of these numbers of axes, none of them empty; `expected` says it in words.
  void require_axes(const Tensor& tensor, std::initializer_list<std::size_t> n_axes, const std::string& expected) const;

  /// This shape; `why` follows it in the message.
  void require_shape(const Tensor& tensor, std::span<const std::int64_t> expected, const std::string& why) const;

  /// The numbers of a tensor of F32, F16, BF16 or F64, rounded to float32 and finite.
  std::vector<float> values(const Tensor& tensor) const;

 private:
  const SafetensorsFile& file_;
};

}  // namespace rafter::base
