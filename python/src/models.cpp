// Models with weights: SpectralAutoencoder and ForceField.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

/// A stream on which a model is made; a GPU's lives as long as the model.
class ModelStream {
 public:
  ModelStream(const char* op, const std::string& device) {
    if (choice(op, "device", device, {"cpu", "cuda"}) == 1) require(rafter_stream_new_cuda(-1, &gpu_), op);
  }
  ~ModelStream() { rafter_stream_destroy(gpu_); }
  ModelStream(const ModelStream&) = delete;
  ModelStream& operator=(const ModelStream&) = delete;
  operator rafter_stream*() const { return gpu_ != nullptr ? gpu_ : cpu_stream(); }

 private:
  rafter_stream* gpu_ = nullptr;
};

/// Calls `load` with a path, or `parse` with the bytes of a file.
template <class Load, class Parse>
void read_model(const char* op, nb::handle file, Load&& load, Parse&& parse) {
  if (nb::isinstance<nb::bytes>(file)) {
    const auto bytes = nb::borrow<nb::bytes>(file);
    require(parse(bytes.c_str(), static_cast<std::int64_t>(bytes.size())), op);
    return;
  }
  const nb::object path = nb::module_::import_("os").attr("fspath")(file);
  require(load(nb::cast<std::string>(path).c_str()), op);
}

class SpectralAutoencoder {
 public:
  SpectralAutoencoder(nb::handle file, const std::string& precision, const std::string& device)
      : stream_("SpectralAutoencoder", device) {
    const char* const op = "SpectralAutoencoder";
    const int kind = choice(op, "precision", precision, {"fp32", "tf32", "bf16"});
    read_model(
        op, file, [&](const char* path) { return rafter_spectral_load(stream_, path, kind, &model_); },
        [&](const void* data, std::int64_t bytes) {
          return rafter_spectral_parse(stream_, data, bytes, "the weights", kind, &model_);
        });
    shape_.struct_size = sizeof shape_;
    require(rafter_spectral_get_shape(model_, &shape_), op);
  }
  ~SpectralAutoencoder() { rafter_spectral_destroy(model_); }
  SpectralAutoencoder(const SpectralAutoencoder&) = delete;
  SpectralAutoencoder& operator=(const SpectralAutoencoder&) = delete;

  nb::object forward(nb::handle x, nb::handle out) const {
    Call call("SpectralAutoencoder");
    const Array& from = call.in("x", x);
    const auto to = call.result("out", out, from.tensor()->dtype, from.shape());
    call.run(
        [&](rafter_stream* stream) { return rafter_spectral_forward(stream, model_, from.tensor(), to.tensor()); });
    return to.object;
  }
  nb::object score(nb::handle x, nb::handle out) const {
    Call call("SpectralAutoencoder.score");
    const Array& from = call.in("x", x);
    const std::int64_t n = from.tensor()->ndim > 0 ? from.tensor()->shape[0] : 0;
    const auto to = call.result("out", out, from.tensor()->dtype, {n});
    call.run([&](rafter_stream* stream) { return rafter_spectral_score(stream, model_, from.tensor(), to.tensor()); });
    return to.object;
  }
  const rafter_spectral_shape& shape() const { return shape_; }

 private:
  ModelStream stream_;
  rafter_spectral* model_ = nullptr;
  rafter_spectral_shape shape_{};
};

/// Returns the numbers of a sequence or an array as a vector.
template <class T>
std::vector<T> numbers(const char* op, const char* argument, nb::handle given) {
  try {
    const nb::object array = nb::module_::import_("numpy").attr("asarray")(given);
    return nb::cast<std::vector<T>>(array.attr("tolist")());
  } catch (const std::exception&) {  // cast_error, or python_error of NumPy
    throw nb::type_error((std::string(op) + ": " + argument + " should be a sequence of numbers").c_str());
  }
}

class Molecules {
 public:
  Molecules(nb::handle sizes, nb::handle elements, nb::handle cells, nb::handle periodic, const std::string& device)
      : stream_("Molecules", device) {
    const auto counts = numbers<std::int64_t>("Molecules", "sizes", sizes);
    const auto atoms = numbers<std::int32_t>("Molecules", "elements", elements);
    sizes_ = counts;
    n_molecules_ = static_cast<std::int64_t>(counts.size());
    n_atoms_ = static_cast<std::int64_t>(atoms.size());
    std::vector<rafter_unit_cell> list;
    if (!cells.is_none()) {
      const auto vectors = numbers<std::vector<std::vector<double>>>("Molecules", "cells", cells);
      const auto repeats = periodic.is_none() ? std::vector<std::vector<bool>>(vectors.size(), {true, true, true})
                                              : numbers<std::vector<bool>>("Molecules", "periodic", periodic);
      if (vectors.size() != counts.size() || repeats.size() != counts.size())
        throw nb::value_error("Molecules: cells and periodic should have one entry for each molecule");
      for (std::size_t m = 0; m < vectors.size(); ++m) list.push_back(cell_of(vectors[m], repeats[m]));
    }
    require(rafter_molecules_create(stream_, n_molecules_, counts.data(), n_atoms_, atoms.data(),
                                    list.empty() ? nullptr : list.data(), &molecules_),
            "Molecules");
  }
  ~Molecules() { rafter_molecules_destroy(molecules_); }
  Molecules(const Molecules&) = delete;
  Molecules& operator=(const Molecules&) = delete;

  const rafter_molecules* get() const { return molecules_; }
  std::int64_t n_molecules() const { return n_molecules_; }
  std::int64_t n_atoms() const { return n_atoms_; }
  const std::vector<std::int64_t>& sizes() const { return sizes_; }

 private:
  static rafter_unit_cell cell_of(const std::vector<std::vector<double>>& vectors, const std::vector<bool>& repeats) {
    rafter_unit_cell cell{};
    if (vectors.size() != 3 || repeats.size() != 3)
      throw nb::value_error("Molecules: cells should have the shape [n_molecules, 3, 3], periodic [n_molecules, 3]");
    for (std::size_t i = 0; i < 3; ++i) {
      if (vectors[i].size() != 3) throw nb::value_error("Molecules: cells should have the shape [n_molecules, 3, 3]");
      for (std::size_t j = 0; j < 3; ++j) cell.vectors[i][j] = vectors[i][j];
      cell.is_periodic[i] = repeats[i];
    }
    return cell;
  }

  ModelStream stream_;
  rafter_molecules* molecules_ = nullptr;
  std::vector<std::int64_t> sizes_;
  std::int64_t n_molecules_ = 0, n_atoms_ = 0;
};

class ForceField {
 public:
  ForceField(nb::handle file, const std::string& filters, const std::string& device) : stream_("ForceField", device) {
    const int kind = choice("ForceField", "filters", filters, {"automatic", "exact", "tabulated"});
    read_model(
        "ForceField", file, [&](const char* path) { return rafter_forcefield_load(stream_, path, kind, &model_); },
        [&](const void* data, std::int64_t bytes) {
          return rafter_forcefield_parse(stream_, data, bytes, "the weights", kind, &model_);
        });
    properties_.struct_size = sizeof properties_;
    require(rafter_forcefield_get_properties(model_, &properties_), "ForceField");
  }
  ~ForceField() { rafter_forcefield_destroy(model_); }
  ForceField(const ForceField&) = delete;
  ForceField& operator=(const ForceField&) = delete;

  /// Returns energies, forces and virials; the latter two are None unless wanted.
  nb::object compute(const Molecules& molecules, nb::handle positions, bool forces, bool virials) const {
    Call call("ForceField.compute");
    const Array& at = call.in("positions", positions);
    const std::int64_t n = molecules.n_molecules();
    const rafter_dtype float64 = rafter_make_dtype(RAFTER_TYPE_FLOAT, 64);
    const auto energies = call.result("energies", nb::none(), float64, {n});
    nb::object force_array = nb::none(), virial_array = nb::none();
    const rafter_tensor *force_tensor = nullptr, *virial_tensor = nullptr;
    if (forces) {
      const auto made = call.result("forces", nb::none(), at.tensor()->dtype, {molecules.n_atoms(), 3});
      force_array = made.object;
      force_tensor = made.tensor();
    }
    if (virials) {
      const auto made = call.result("virials", nb::none(), float64, {n, 3, 3});
      virial_array = made.object;
      virial_tensor = made.tensor();
    }
    call.run([&](rafter_stream* stream) {
      return rafter_forcefield_compute(stream, model_, molecules.get(), at.tensor(), energies.tensor(), force_tensor,
                                       virial_tensor);
    });
    return nb::make_tuple(energies.object, force_array, virial_array);
  }

  const rafter_forcefield_properties& properties() const { return properties_; }
  std::vector<std::string> warnings() const {
    std::vector<std::string> list;
    for (int i = 0; i < properties_.n_warnings; ++i) list.emplace_back(rafter_forcefield_warning(model_, i));
    return list;
  }

 private:
  ModelStream stream_;
  rafter_forcefield* model_ = nullptr;
  rafter_forcefield_properties properties_{};
};

}  // namespace

void add_models(nb::module_& module) {
  nb::class_<SpectralAutoencoder>(module, "SpectralAutoencoder",
                                  "Reconstructs windows of mel spectra [n, frames, mels]; the error of a window "
                                  "indicates an anomaly. `file` is a safetensors file: its path or its bytes.")
      .def(nb::init<nb::handle, const std::string&, const std::string&>(), "file"_a, nb::kw_only(),
           "precision"_a = "fp32", "device"_a = "cpu")
      .def("__call__", &SpectralAutoencoder::forward, "x"_a, nb::kw_only(), "out"_a = nb::none(),
           "Returns the reconstruction of x.")
      .def("score", &SpectralAutoencoder::score, "x"_a, nb::kw_only(), "out"_a = nb::none(),
           "Returns the mean squared error of each window's reconstruction.")
      .def_prop_ro("mels", [](const SpectralAutoencoder& model) { return model.shape().mels; })
      .def_prop_ro("frames", [](const SpectralAutoencoder& model) { return model.shape().frames; })
      .def_prop_ro("latent", [](const SpectralAutoencoder& model) { return model.shape().latent; });
  nb::class_<Molecules>(module, "Molecules",
                        "A batch of molecules with their atoms concatenated: sizes, atomic numbers, and optionally "
                        "cells [n_molecules, 3, 3], which repeat along the axes of periodic [n_molecules, 3].")
      .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, const std::string&>(), "sizes"_a, "elements"_a,
           "cells"_a = nb::none(), "periodic"_a = nb::none(), nb::kw_only(), "device"_a = "cpu")
      .def_prop_ro("sizes", &Molecules::sizes, "The number of atoms of each molecule.")
      .def_prop_ro("n_molecules", &Molecules::n_molecules)
      .def_prop_ro("n_atoms", &Molecules::n_atoms);
  nb::class_<ForceField>(module, "ForceField",
                         "A message-passing force field. `file` is a safetensors file: its path or its bytes. "
                         "Positions are in Angstrom, energies in eV.")
      .def(nb::init<nb::handle, const std::string&, const std::string&>(), "file"_a, nb::kw_only(),
           "filters"_a = "automatic", "device"_a = "cpu")
      .def("compute", &ForceField::compute, "molecules"_a, "positions"_a, nb::kw_only(), "forces"_a = true,
           "virials"_a = false,
           "Returns energies [n_molecules], forces [n_atoms, 3] and virials [n_molecules, 3, 3], None where not "
           "wanted. float64 positions are computed in float64, for reference.")
      .def_prop_ro("cutoff", [](const ForceField& model) { return model.properties().cutoff; })
      .def_prop_ro(
          "n_elements", [](const ForceField& model) { return model.properties().n_elements; },
          "Atomic numbers must be below this.")
      .def_prop_ro("n_parameters", [](const ForceField& model) { return model.properties().n_parameters; })
      .def_prop_ro("warnings", &ForceField::warnings, "What a user of the model should know.");
}

}  // namespace rafter::python
