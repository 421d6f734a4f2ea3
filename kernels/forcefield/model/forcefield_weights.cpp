// Reads and writes model files of force fields. The kind of model and its extents follow from tensor names and shapes.
#include "forcefield/model/forcefield_weights.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "forcefield/model/forcefield_checkpoint.hpp"
#include "library/core/error_origin.hpp"
#include "library/safetensors/file.hpp"
#include "library/safetensors/model_reader.hpp"
#include "rafter/error.hpp"

namespace rafter {

namespace forcefield_ladder {

namespace {

using safetensors::Tensor;

constexpr const char* painn_cutoff = "representation.cutoff_fn.cutoff";
constexpr const char* painn_frequencies = "representation.radial_basis.freqs";

/// The names of the tensors that determine the extents.
struct ExtentNames {
  const char *model, *embedding, *centres, *widths, *interactions;
};
constexpr ExtentNames student_names{"student force field", "embedding.weight", "rbf.centers", "rbf.widths",
                                    "interactions."};
constexpr ExtentNames painn_names{"PaiNN", "representation.embedding.weight", "representation.radial_basis.offsets",
                                  "representation.radial_basis.widths", "representation.interactions."};

/// Returns the shortest decimal text that reads back to the same number.
std::string shortest_text(float value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

/// Whether the name is that of an offset of SchNetPack's AddOffsets: "postprocessors.1.mean".
bool is_offset(const std::string& name, const std::string& which) {
  const std::string start = "postprocessors.", end = "." + which;
  if (!name.starts_with(start) || !name.ends_with(end) || name.size() <= start.size() + end.size()) return false;
  const std::string number = name.substr(start.size(), name.size() - start.size() - end.size());
  return number.find_first_not_of("0123456789") == std::string::npos;
}

class ForceFieldReader {
 public:
  explicit ForceFieldReader(safetensors::File file, std::optional<double> cutoff = {})
      : reader_(std::move(file)), wanted_cutoff_(cutoff) {}

  ForceFieldCheckpoint read() {
    find_model();
    require_names();
    find_extents();
    for (const auto& tensor : weight_tensors(weights_)) read(tensor);
    find_cutoff();
    read_offsets();
    const auto& metadata = reader_.file().metadata();
    if (const auto unit = metadata.find("energy_unit"); unit != metadata.end()) checkpoint_.energy_unit = unit->second;
    const auto& all = reader_.file().tensors();
    checkpoint_.is_rounded_from_64 =
        std::any_of(all.begin(), all.end(), [](const auto& t) { return t.dtype == "F64"; });
    return std::move(checkpoint_);
  }

  /// Reads a model without offsets.
  ForceFieldWeights read_weights() {
    ForceFieldCheckpoint checkpoint = read();
    const bool has_offsets = std::any_of(checkpoint.energy_offsets.begin(), checkpoint.energy_offsets.end(),
                                         [](double offset) { return offset != 0; });
    if (has_offsets) {
      reader_.file().refuse(
          "has energy offsets (postprocessors), which are not part of a network: 'rafter forces' adds them; save the "
          "state without them, and add them to the energies");
    }
    return std::move(checkpoint.weights);
  }

 private:
  bool has_name_with(const std::string& part) const {
    const auto& all = reader_.file().tensors();
    return std::any_of(all.begin(), all.end(), [&](const auto& t) { return t.name.find(part) != std::string::npos; });
  }

  /// Determines the kind of model from the tensor names.
  void find_model() {
    if (has_name_with("representation.")) {
      shape_.model = ForceFieldModel::painn;
      names_ = painn_names;
      if (reader_.find(painn_frequencies) != nullptr) {
        shape_.basis = RadialBasis::bessel;
        names_.centres = painn_frequencies;
      }
    } else if (!has_name_with("embedding.") && !has_name_with("rbf") && !has_name_with("interactions.")) {
      reader_.file().refuse(std::string("is not a force-field model: it has neither ") + student_names.embedding +
                            " (student) nor " + painn_names.embedding + " (PaiNN)");
    }
    shape_.layers = n_interactions();
    shape_.readout.assign(n_readout_hidden(shape_.model), 0);
    weights_.layers.resize(static_cast<std::size_t>(shape_.layers));
    weights_.readout_weight.resize(shape_.readout.size() + 1);
    weights_.readout_bias.resize(shape_.readout.size() + 1);
  }

  /// Counts the distinct numbers after "interactions."; require_names checks that they are 0, 1, 2, ...
  std::int64_t n_interactions() const {
    const std::string start = names_.interactions;
    std::set<std::string> numbers;
    for (const Tensor& tensor : reader_.file().tensors()) {
      if (!tensor.name.starts_with(start)) continue;
      numbers.insert(tensor.name.substr(start.size(), tensor.name.find('.', start.size()) - start.size()));
    }
    if (std::ssize(numbers) > most_layers)
      reader_.file().refuse("has " + std::to_string(numbers.size()) + " interactions; expected at most " +
                            std::to_string(most_layers));
    return std::max<std::int64_t>(1, std::ssize(numbers));
  }

  void require_names() const {
    std::vector<std::string> names, optional;
    for (const auto& tensor : weight_tensors(weights_)) (tensor.is_optional ? optional : names).push_back(tensor.name);
    if (shape_.model == ForceFieldModel::painn) {
      names.emplace_back(painn_cutoff);
      for (const Tensor& tensor : reader_.file().tensors()) {
        if (is_offset(tensor.name, "mean") || is_offset(tensor.name, "atomref")) optional.push_back(tensor.name);
      }
    }
    reader_.require_names(names_.model, names, optional);
  }

  void find_extents() {
    const Tensor& embedding = reader_.at(names_.embedding);
    const Tensor& centres = reader_.at(names_.centres);
    reader_.require_axes(embedding, {2}, "two axes, (elements, features)");
    reader_.require_axes(centres, {1}, "one axis, (radial)");
    shape_.elements = embedding.shape[0];
    shape_.features = embedding.shape[1];
    shape_.radial = centres.shape[0];
    std::size_t i = 0;
    for (const auto& tensor : weight_tensors(weights_)) {
      const bool is_hidden = tensor.kind == WeightKind::linear && i < shape_.readout.size() &&
                             tensor.parts[0] == &weights_.readout_weight[i];
      if (!is_hidden) continue;
      const Tensor& stored = reader_.at(tensor.name);
      reader_.require_axes(stored, {2}, "two axes, " + tensor.axes_text());
      shape_.readout[i++] = stored.shape[0];
    }
  }

  void read(const WeightTensor<std::vector<float>>& tensor) const {
    const Tensor* stored = reader_.find(tensor.name);
    if (stored == nullptr) return;  // optional
    const bool has_widths = tensor.name == names_.widths;
    const bool is_one_number = has_widths && has_one_element(*stored);
    if (!is_one_number) {
      reader_.require_shape(*stored, tensor.extents(),
                            tensor.axes_text() + (has_widths ? ", or one number" : "") + ", as " + extents_text());
    }
    std::vector<float> values = reader_.values(*stored);
    if (has_widths) require_widths(*stored, values);
    if (is_one_number) values.resize(static_cast<std::size_t>(shape_.radial), values[0]);
    const auto n_each = std::ssize(values) / std::ssize(tensor.parts);
    auto from = values.begin();
    for (std::vector<float>* part : tensor.parts) {
      part->assign(from, from + n_each);
      from += n_each;
    }
  }

  /// Reads a scalar or an array with one element.
  static bool has_one_element(const Tensor& tensor) {
    return tensor.shape.empty() || (tensor.shape.size() == 1 && tensor.shape[0] == 1);
  }

  std::string extents_text() const {
    return "features is " + std::to_string(shape_.features) + " by " + names_.embedding + ", radial " +
           std::to_string(shape_.radial) + " by " + names_.centres + ", and there are " +
           std::to_string(shape_.layers) + " layers by the names";
  }

  void require_widths(const Tensor& tensor, const std::vector<float>& widths) const {
    const auto bad = std::find_if_not(widths.begin(), widths.end(), is_width);
    if (bad == widths.end()) return;
    reader_.file().refuse(tensor, "has " + std::to_string(*bad) + " as value " + std::to_string(bad - widths.begin()) +
                                      ": expected a width, greater than 0");
  }

  /// Finds the cutoff: painn's is a tensor; the student's is in the metadata or its last centre.
  void find_cutoff() {
    if (shape_.model == ForceFieldModel::student) return find_cutoff_of_student();
    const Tensor& tensor = reader_.at(painn_cutoff);
    if (!has_one_element(tensor)) reader_.require_shape(tensor, {}, "one number");
    const float cutoff = reader_.values(tensor)[0];
    if (!(cutoff > 0))
      reader_.file().refuse(tensor, "is " + std::to_string(cutoff) + ": expected the cutoff, greater than 0");
    set_cutoff(cutoff);
  }

  void find_cutoff_of_student() {
    const auto& metadata = reader_.file().metadata();
    const auto text = metadata.find("cutoff");
    if (text != metadata.end()) {
      const auto cutoff = static_cast<float>(std::strtod(text->second.c_str(), nullptr));
      if (!(cutoff > 0 && std::isfinite(cutoff))) {
        reader_.file().refuse("has the cutoff '" + safetensors::printable(text->second) +
                              "' in its metadata; expected a number greater than 0, in Angstrom");
      }
      return set_cutoff(cutoff);
    }
    const Tensor& centres = reader_.at(names_.centres);
    if (are_evenly_spaced(centres)) {
      if (!(weights_.radial_centre.back() > 0)) {
        reader_.file().refuse(centres, "ends with " + std::to_string(weights_.radial_centre.back()) +
                                           ": expected the cutoff, greater than 0");
      }
      return set_cutoff(weights_.radial_centre.back());
    }
    if (!wanted_cutoff_) {
      reader_.file().refuse(centres,
                            "has centres that are not evenly spaced: they were trained, and the last one is not the "
                            "cutoff; give it: --cutoff 5, or {'cutoff': '5'} as the file's metadata");
    }
    set_cutoff(static_cast<float>(*wanted_cutoff_));
  }

  /// Whether the centres are as at the beginning of a training: the last one is the cutoff.
  bool are_evenly_spaced(const Tensor& stored) const {
    const float rounding = stored.dtype == "BF16" ? 0x1p-7f : stored.dtype == "F16" ? 0x1p-10f : 1e-5f;
    const std::vector<float>& centres = weights_.radial_centre;
    const float first = centres.front(), last = centres.back();
    for (std::size_t i = 1; i + 1 < centres.size(); ++i) {
      const float even = first + (last - first) * static_cast<float>(i) / static_cast<float>(centres.size() - 1);
      if (!(std::fabs(centres[i] - even) <= rounding * std::fabs(last))) return false;
    }
    return true;
  }

  void set_cutoff(float cutoff) {
    if (wanted_cutoff_ && static_cast<float>(*wanted_cutoff_) != cutoff) {
      reader_.file().refuse("has the cutoff " + std::to_string(cutoff) + "; it cannot be changed to " +
                            std::to_string(*wanted_cutoff_));
    }
    shape_.cutoff = cutoff;
  }

  /// Adds up the offsets of all postprocessors: of an atom, and of each atomic number.
  void read_offsets() {
    double mean = 0;
    std::vector<double>& offsets = checkpoint_.energy_offsets;
    for (const Tensor& tensor : reader_.file().tensors()) {
      const bool is_mean = is_offset(tensor.name, "mean");
      if (!is_mean && !is_offset(tensor.name, "atomref")) continue;
      const std::vector<double> values = reader_.doubles(tensor);
      if (is_mean) {
        if (!has_one_element(tensor)) reader_.require_shape(tensor, {}, "one number");
        mean += values[0];
        checkpoint_.has_mean = checkpoint_.has_mean || values[0] != 0;
        continue;
      }
      if (!(tensor.shape.size() == 2 && tensor.shape[1] == 1))
        reader_.require_axes(tensor, {1}, "one axis, (atomic numbers)");
      if (values.empty()) reader_.require_axes(tensor, {1}, "one axis, (atomic numbers)");
      if (offsets.empty()) offsets.resize(values.size());
      if (values.size() < offsets.size()) offsets.resize(values.size());
      for (std::size_t z = 0; z < offsets.size(); ++z) offsets[z] += values[z];
      checkpoint_.has_atom_references =
          checkpoint_.has_atom_references || std::any_of(values.begin(), values.end(), [](double e) { return e != 0; });
    }
    if (!checkpoint_.has_atom_references) offsets.assign(static_cast<std::size_t>(shape_.elements), 0.);
    if (!checkpoint_.has_mean && !checkpoint_.has_atom_references) offsets.clear();
    for (double& offset : offsets) offset += mean;
  }

  safetensors::ModelReader reader_;
  std::optional<double> wanted_cutoff_;
  ForceFieldCheckpoint checkpoint_{};
  ForceFieldWeights& weights_ = checkpoint_.weights;
  ForceFieldShape& shape_ = weights_.shape;
  ExtentNames names_ = student_names;
};

}  // namespace

ForceFieldCheckpoint read_forcefield_checkpoint(const std::string& path, std::optional<double> cutoff) {
  return core::in_op("read_forcefield_checkpoint", "path",
                     [&] { return ForceFieldReader(safetensors::File(std::filesystem::path(path)), cutoff).read(); });
}

}  // namespace forcefield_ladder

using forcefield_ladder::ForceFieldReader;

ForceFieldWeights v1::read_forcefield_weights(const std::string& path) {
  return core::in_op("read_forcefield_weights", "path",
                     [&] { return ForceFieldReader(safetensors::File(std::filesystem::path(path))).read_weights(); });
}

ForceFieldWeights v1::parse_forcefield_weights(std::span<const std::byte> file, const std::string& name) {
  return core::in_op("parse_forcefield_weights", "file",
                     [&] { return ForceFieldReader(safetensors::File(file, name)).read_weights(); });
}

void v1::write_forcefield_weights(const std::string& path, const ForceFieldWeights& weights) {
  forcefield_ladder::require_forcefield_weights("write_forcefield_weights", weights);
  const auto listed = forcefield_ladder::weight_tensors(weights);
  std::vector<std::vector<float>> joined(listed.size());  // outlives the tensors
  std::vector<safetensors::Tensor> tensors;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    for (const std::vector<float>* part : listed[i].parts)
      joined[i].insert(joined[i].end(), part->begin(), part->end());
    if (!joined[i].empty())
      tensors.push_back({listed[i].name, "F32", listed[i].extents(), std::as_bytes(std::span(joined[i]))});
  }
  const float cutoff[]{static_cast<float>(weights.shape.cutoff)};
  if (weights.shape.model == ForceFieldModel::painn)
    tensors.push_back({forcefield_ladder::painn_cutoff, "F32", {1}, std::as_bytes(std::span(cutoff))});
  std::map<std::string, std::string> metadata;
  if (weights.shape.model == ForceFieldModel::student && weights.radial_centre.back() != cutoff[0])
    metadata["cutoff"] = forcefield_ladder::shortest_text(cutoff[0]);
  core::in_op("write_forcefield_weights", "path", [&] { safetensors::write_file(path, std::move(tensors), metadata); });
}

}  // namespace rafter
