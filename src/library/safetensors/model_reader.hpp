// Reads models from safetensors files: checks names and shapes of tensors and converts their values to float32. Part of
// the library (rafter_safetensors), like file.hpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "library/safetensors/file.hpp"

namespace rafter::safetensors {

/// Compares a file with the tensors of a model. Functions throw Error (bad_argument) with the tensor, what was expected
/// and why.
class ModelReader {
 public:
  /// Drops the prefixes of wrappers from the names.
  explicit ModelReader(File file) : file_(std::move(file)) { file_.drop_wrapper_prefixes(); }

  const File& file() const { return file_; }

  const Tensor* find(const std::string& name) const;                       ///< null if it does not exist
  const Tensor& at(const std::string& name) const { return *find(name); }  ///< the tensor, which must exist

  /// Requires each of `names`, and no tensors other than those and `optional`; `model` names the model in messages.
  void require_names(const std::string& model, const std::vector<std::string>& names,
                     const std::vector<std::string>& optional) const;

  /// Requires one of these numbers of axes, none of them empty; `expected` describes it in messages.
  void require_axes(const Tensor& tensor, std::initializer_list<std::size_t> n_axes, const std::string& expected) const;

  /// Requires this shape; `why` follows it in the message.
  void require_shape(const Tensor& tensor, std::span<const std::int64_t> expected, const std::string& why) const;

  /// Returns the values of a tensor of F32, F16, BF16 or F64, rounded to float32. Requires them to be finite.
  std::vector<float> values(const Tensor& tensor) const;
  /// Returns the values of such a tensor without rounding.
  std::vector<double> doubles(const Tensor& tensor) const;

 private:
  File file_;
};

}  // namespace rafter::safetensors
