#include "library/safetensors/model_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/messages.hpp"
#include "rafter/half.hpp"

namespace rafter::safetensors {

namespace {

/// Joins names as "a, b, c"; of many only the first ones.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  if (names.size() <= most) return base::joined(names, ", ");
  return base::joined(std::span(names).first(most), ", ") + " and " + std::to_string(names.size() - most) + " more";
}

/// Returns the names with the smallest edit distance to `name` among those similar to it.
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string> near = base::similar_names(name, known);
  std::size_t least = name.size();
  for (const std::string& candidate : near) least = std::min(least, base::edit_distance(name, candidate));
  std::erase_if(near, [&](const std::string& candidate) { return base::edit_distance(name, candidate) > least; });
  return near;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string shape_text(const Tensor& tensor) { return printable(base::show_shape(tensor.shape)); }

/// Converts stored values of type T.
template <class To, class T>
std::vector<To> converted(std::span<const std::byte> bytes) {
  std::vector<T> stored(bytes.size() / sizeof(T));
  if (!stored.empty()) std::memcpy(static_cast<void*>(stored.data()), bytes.data(), bytes.size());
  if constexpr (std::is_same_v<T, To>) {
    return stored;
  } else {
    std::vector<To> values(stored.size());
    const auto convert = [](T value) {
      if constexpr (std::is_floating_point_v<T>) {
        return static_cast<To>(value);
      } else {
        return static_cast<To>(static_cast<float>(value));
      }
    };
    std::transform(stored.begin(), stored.end(), values.begin(), convert);
    return values;
  }
}

template <class To>
std::vector<To> finite_values(const File& file, const Tensor& tensor) {
  std::vector<To> values;
  if (tensor.dtype == "F32") {
    values = converted<To, float>(tensor.bytes);
  } else if (tensor.dtype == "F16") {
    values = converted<To, Half>(tensor.bytes);
  } else if (tensor.dtype == "BF16") {
    values = converted<To, Bfloat16>(tensor.bytes);
  } else if (tensor.dtype == "F64") {
    values = converted<To, double>(tensor.bytes);
  } else {
    file.refuse(tensor, "has elements of type " + tensor.dtype + "; expected F32, F16, BF16 or F64");
  }
  const auto bad = std::find_if_not(values.begin(), values.end(), [](To value) { return std::isfinite(value); });
  if (bad != values.end()) {
    file.refuse(tensor, "has " + std::to_string(*bad) + " as value " + std::to_string(bad - values.begin()) +
                            "; expected a finite number" + (std::is_same_v<To, float> ? " in float32" : ""));
  }
  return values;
}

}  // namespace

const Tensor* ModelReader::find(const std::string& name) const {
  const auto& all = file_.tensors();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Tensor& tensor) { return tensor.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void ModelReader::require_names(const std::string& model, const std::vector<std::string>& names,
                                const std::vector<std::string>& optional) const {
  std::vector<std::string> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
               [&](const std::string& name) { return find(name) == nullptr; });
  std::string complaint;
  if (!missing.empty()) complaint = "it has no " + listed(missing);
  const auto& all = file_.tensors();
  const auto unknown = std::find_if(all.begin(), all.end(), [&](const Tensor& tensor) {
    return !has(names, tensor.name) && !has(optional, tensor.name);
  });
  if (unknown != all.end()) {
    const std::string name = printable(unknown->name);
    const auto near = nearest_names(name, missing.empty() ? names : missing);
    if (!complaint.empty()) complaint += "; ";
    complaint += "'" + name + "' is not one of its tensors";
    if (!near.empty()) complaint += ": did you mean '" + base::joined(near, "' or '") + "'?";
  }
  if (!complaint.empty()) file_.refuse("is not a " + model + ": " + complaint);
}

void ModelReader::require_axes(const Tensor& tensor, std::initializer_list<std::size_t> n_axes,
                               const std::string& expected) const {
  const auto is_empty = [](std::int64_t extent) { return extent == 0; };
  if (std::find(n_axes.begin(), n_axes.end(), tensor.shape.size()) == n_axes.end())
    file_.refuse(tensor, "has the shape " + shape_text(tensor) + "; expected " + expected);
  if (std::any_of(tensor.shape.begin(), tensor.shape.end(), is_empty))
    file_.refuse(tensor, "is empty: " + shape_text(tensor));
}

void ModelReader::require_shape(const Tensor& tensor, std::span<const std::int64_t> expected,
                                const std::string& why) const {
  if (std::equal(tensor.shape.begin(), tensor.shape.end(), expected.begin(), expected.end())) return;
  file_.refuse(tensor, "has the shape " + shape_text(tensor) + "; expected " + base::show_shape(expected) + ", " + why);
}

std::vector<float> ModelReader::values(const Tensor& tensor) const { return finite_values<float>(file_, tensor); }
std::vector<double> ModelReader::doubles(const Tensor& tensor) const { return finite_values<double>(file_, tensor); }

}  // namespace rafter::safetensors
