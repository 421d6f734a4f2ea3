// Models through the C API: the same results as in C++, from a file and from its bytes.
#include <fstream>
#include <iterator>

#include "c_tensors.hpp"
#include "kernels/spectral/spectral_models.hpp"
#include "rafter/forcefield.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::c_api {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class CApiModels : public testing::Test {
 protected:
  const rafter_stream* stream() const { return stream_.get(); }
  std::string file(const char* name) const { return (folder_.path() / name).string(); }

 private:
  StreamHandle stream_ = cpu_stream();
  lab::TemporaryFolder folder_;
};

TEST_F(CApiModels, SpectralScoresFromFileAndMemoryAgree) {
  const SpectralShape extents{.mels = 8, .frames = 2, .latent = 4, .slice = 8};
  write_spectral_weights(file("model"), random_spectral_weights(extents, 1));
  const std::string bytes = content_of(file("model"));
  rafter_spectral *loaded = nullptr, *parsed = nullptr;
  ASSERT_EQ(rafter_spectral_load(stream(), file("model").c_str(), RAFTER_SPECTRAL_FP32, &loaded), RAFTER_OK)
      << last_message();
  ASSERT_EQ(rafter_spectral_parse(stream(), bytes.data(), static_cast<std::int64_t>(bytes.size()), "a model",
                                  RAFTER_SPECTRAL_FP32, &parsed),
            RAFTER_OK)
      << last_message();
  rafter_spectral_shape shape{};
  shape.struct_size = sizeof shape;
  ASSERT_EQ(rafter_spectral_get_shape(loaded, &shape), RAFTER_OK);
  EXPECT_EQ(shape.mels, 8);
  EXPECT_EQ(shape.slice, 8);

  const Owned x = tensor<float>(std::vector<float>(3 * 16, 0.25F), {3, 2, 8});
  const Owned scores = zeros<float>({3}), again = zeros<float>({3}), y = zeros<float>({3, 2, 8}),
              flat = zeros<float>({48});
  ASSERT_EQ(rafter_spectral_score(stream(), loaded, x.get(), scores.get()), RAFTER_OK) << last_message();
  ASSERT_EQ(rafter_spectral_score(stream(), parsed, x.get(), again.get()), RAFTER_OK);
  EXPECT_EQ(scores.bytes(), again.bytes());
  EXPECT_GT(scores.values<float>()[0], 0);
  ASSERT_EQ(rafter_spectral_forward(stream(), loaded, x.get(), y.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(rafter_spectral_forward(stream(), loaded, flat.get(), y.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_spectral_forward: x should have the shape [any, 2, 8], has [48]");
  EXPECT_EQ(rafter_spectral_score(stream(), nullptr, x.get(), scores.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "model");
  rafter_spectral_destroy(loaded);
  rafter_spectral_destroy(parsed);
}

TEST_F(CApiModels, FilesThatAreNoModelsAreRefused) {
  rafter_spectral* model = reinterpret_cast<rafter_spectral*>(this);
  EXPECT_EQ(rafter_spectral_load(stream(), file("missing").c_str(), 0, &model), RAFTER_IO);
  EXPECT_EQ(model, nullptr);
  EXPECT_NE(last_message().find("missing"), std::string::npos) << last_message();
  EXPECT_EQ(rafter_spectral_parse(stream(), "{}", 2, "a model", 0, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message().rfind("rafter_spectral_parse: 'a model' is not", 0), 0U) << last_message();
  EXPECT_EQ(last_argument(), "");
  EXPECT_EQ(rafter_spectral_parse(stream(), nullptr, 2, "a model", 0, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "file");
  EXPECT_EQ(rafter_spectral_parse(stream(), "{}", -2, "a model", 0, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "bytes");
  EXPECT_EQ(rafter_spectral_parse(stream(), "{}", 2, nullptr, 0, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "name");
  EXPECT_EQ(rafter_spectral_load(stream(), nullptr, 0, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "path");
  EXPECT_EQ(rafter_spectral_load(stream(), "", 9, &model), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "precision");
  EXPECT_EQ(rafter_spectral_load(stream(), "", 0, nullptr), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "model");
  rafter_forcefield* field = nullptr;
  EXPECT_EQ(rafter_forcefield_load(stream(), file("missing").c_str(), 0, &field), RAFTER_IO);
}

TEST_F(CApiModels, ForceFieldComputesABatch) {
  ForceFieldShape shape;
  shape.features = 8;
  shape.layers = 1;
  shape.readout = {4, 4};
  const ForceFieldWeights weights = random_forcefield_weights(shape, 1);
  write_forcefield_weights(file("field"), weights);
  rafter_forcefield* model = nullptr;
  ASSERT_EQ(rafter_forcefield_load(stream(), file("field").c_str(), RAFTER_FILTERS_EXACT, &model), RAFTER_OK)
      << last_message();
  rafter_forcefield_properties properties{};
  properties.struct_size = sizeof properties;
  ASSERT_EQ(rafter_forcefield_get_properties(model, &properties), RAFTER_OK);
  EXPECT_EQ(properties.n_elements, shape.elements);
  EXPECT_EQ(properties.filters, RAFTER_FILTERS_EXACT);
  for (std::int32_t i = 0; i < properties.n_warnings; ++i) EXPECT_NE(rafter_forcefield_warning(model, i), nullptr);
  EXPECT_EQ(rafter_forcefield_warning(model, properties.n_warnings), nullptr);
  EXPECT_EQ(rafter_forcefield_warning(model, -1), nullptr);

  const std::int64_t sizes[] = {2, 1};
  const std::int32_t elements[] = {1, 8, 6};
  rafter_molecules* molecules = nullptr;
  ASSERT_EQ(rafter_molecules_create(stream(), 2, sizes, 3, elements, nullptr, &molecules), RAFTER_OK) << last_message();
  const Owned positions = tensor<double>({0, 0, 0, 1, 0, 0, 0, 0, 0}, {3, 3});
  const Owned energies = zeros<double>({2}), forces = zeros<double>({3, 3}), virials = zeros<double>({2, 3, 3});
  ASSERT_EQ(rafter_forcefield_compute(stream(), model, molecules, positions.get(), energies.get(), forces.get(),
                                      virials.get()),
            RAFTER_OK)
      << last_message();
  EXPECT_NEAR(forces.values<double>()[0], -forces.values<double>()[3], 1e-9);
  const Owned alone = zeros<double>({2});
  ASSERT_EQ(rafter_forcefield_compute(stream(), model, molecules, positions.get(), alone.get(), nullptr, nullptr),
            RAFTER_OK)
      << last_message();
  EXPECT_EQ(alone.bytes(), energies.bytes());
  EXPECT_EQ(rafter_forcefield_compute(stream(), model, molecules, virials.get(), energies.get(), nullptr, nullptr),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "positions");
  EXPECT_EQ(rafter_forcefield_compute(stream(), model, nullptr, positions.get(), energies.get(), nullptr, nullptr),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "molecules");
  rafter_molecules_destroy(molecules);
  EXPECT_EQ(rafter_molecules_create(stream(), 2, sizes, -1, elements, nullptr, &molecules), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(molecules, nullptr);
  EXPECT_EQ(last_argument(), "n_atoms");
  EXPECT_EQ(rafter_molecules_create(stream(), 2, sizes, 4, elements, nullptr, &molecules), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_molecules_create(stream(), 2, nullptr, 3, elements, nullptr, &molecules), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "sizes");
  rafter_forcefield_destroy(model);
}

}  // namespace
}  // namespace rafter::c_api
