// Objects that hold memory take it from the memory resource of their stream, and return it there.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library/core/stream/backend.hpp"
#include "rafter/rafter.hpp"

namespace rafter {
namespace {

/// Counts the memory in use, and can be out of it.
class Counting final : public MemoryResource {
 public:
  enum class When { enough, none_left, broken };
  struct Broken {};

  explicit Counting(Device device) : device_(device) {}
  void* allocate(std::int64_t bytes, CUstream_st*) override {
    if (when == When::none_left) return nullptr;
    if (when == When::broken) throw Broken{};
    bytes_in_use += bytes;
    return core::backend(device_).allocate(bytes);
  }
  void deallocate(void* memory, std::int64_t bytes, CUstream_st*) noexcept override {
    bytes_in_use -= bytes;
    core::backend(device_).deallocate(memory);
  }

  std::atomic<std::int64_t> bytes_in_use = 0;
  When when = When::enough;

 private:
  Device device_;
};

/// An object that holds device memory, with its name.
struct Holder {
  const char* name;
  std::function<std::shared_ptr<void>(const Stream&)> make;
};

const SpectralWeights& spectral_weights() {
  static const SpectralWeights weights = [] {
    const auto ones = [](std::int64_t n) { return std::vector<float>(static_cast<std::size_t>(n), 1.0f); };
    SpectralWeights w{.shape = {.mels = 8, .frames = 2, .latent = 4, .slice = 8}};
    w.encoder_norm_weight = w.encoder_norm_bias = w.encoder_bias = w.decoder_bias = ones(8);
    w.encoder_weight = w.decoder_weight = w.basis = ones(64);
    w.latent_norm_weight = w.latent_norm_bias = w.latent_bias = ones(4);
    w.latent_weight = ones(16);
    return w;
  }();
  return weights;
}

const HeatProblem problem{.shape = {9, 9, 9}, .order = 2};

std::vector<Holder> holders() {
  return {
      {"Buffer", [](const Stream& stream) { return std::make_shared<Buffer<float>>(stream, 100); }},
      {"HeatSolver", [](const Stream& stream) { return std::make_shared<HeatSolver<float>>(stream, problem); }},
      {"ConductionSolver",
       [](const Stream& stream) {
         return std::make_shared<ConductionSolver<double>>(stream, problem, heat_faces(HeatBoundary::zero_flux));
       }},
      {"ScatterPlan",
       [](const Stream& stream) {
         const Buffer<std::int32_t> keys(stream, std::vector<std::int32_t>{2, 0, 1, 0});
         return std::make_shared<ScatterPlan>(stream, keys, 3);
       }},
      {"EdgePlan",
       [](const Stream& stream) {
         const Buffer<std::int64_t> index(stream, std::vector<std::int64_t>{0, 1, 1, 0});
         return std::make_shared<EdgePlan>(stream, index, 2);
       }},
      {"SpectralAutoencoder",
       [](const Stream& stream) { return std::make_shared<SpectralAutoencoder>(stream, spectral_weights()); }},
      {"ForceField",
       [](const Stream& stream) {
         const ForceFieldShape shape{.features = 8, .layers = 1, .radial = 4, .elements = 4, .readout = {8, 4}};
         return std::make_shared<ForceField>(stream, random_forcefield_weights(shape, 1));
       }},
      {"MoleculeBatch",
       [](const Stream& stream) {
         return std::make_shared<MoleculeBatch>(stream, std::vector<std::int64_t>{2}, std::vector<std::int32_t>{1, 1});
       }},
  };
}

class Memory : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    resource_ = std::make_shared<Counting>(GetParam());
  }
  Stream stream_with_resource() const {
    Stream stream = Stream::on(GetParam());
    stream.set_memory_resource(resource_);
    return stream;
  }
  std::shared_ptr<Counting> resource_;
};

TEST_P(Memory, ComesFromTheStreamsResourceAndReturns) {
  for (const Holder& holder : holders()) {
    std::optional<Stream> stream = stream_with_resource();
    std::shared_ptr<void> object = holder.make(*stream);
    stream->release();  // returns the scratch; what is left is the object's
    EXPECT_GT(resource_->bytes_in_use, 0) << holder.name;
    stream.reset();
    object.reset();
    EXPECT_EQ(resource_->bytes_in_use, 0) << holder.name;
    EXPECT_EQ(resource_.use_count(), 1) << holder.name << " keeps the resource";
  }
}

TEST_P(Memory, ComesFromTheDevicesResourceByDefault) {
  set_memory_resource(GetParam(), resource_);
  std::optional<Buffer<double>> buffer(std::in_place, Stream::on(GetParam()), 5);
  set_memory_resource(GetParam(), nullptr);
  EXPECT_EQ(resource_->bytes_in_use, 40);
  const Buffer<double> other(Stream::on(GetParam()), 5);
  EXPECT_EQ(resource_->bytes_in_use, 40);
  buffer.reset();
  EXPECT_EQ(resource_->bytes_in_use, 0);
}

TEST_P(Memory, OfOtherStreamsIsTheDevices) {
  const Stream stream = stream_with_resource();
  const Buffer<double> other(Stream::on(GetParam()), 5);
  EXPECT_EQ(resource_->bytes_in_use, 0);
  const Buffer<double> mine(Stream(stream), 5);  // a copy is the same stream
  EXPECT_EQ(resource_->bytes_in_use, 40);
}

TEST_P(Memory, MovesWithItsResource) {
  const Stream stream = stream_with_resource();
  Buffer<double> mine(stream, 5);
  {
    Buffer<double> other(Stream::on(GetParam()), 7);
    std::swap(mine, other);
    EXPECT_EQ(mine.size(), 7);
    EXPECT_EQ(resource_->bytes_in_use, 40);
  }
  EXPECT_EQ(resource_->bytes_in_use, 0);
}

TEST_P(Memory, HoldsWhatIsCopied) {
  const Stream stream = stream_with_resource();
  const std::vector<double> host{1, 2, 3};
  const Buffer<double> buffer(stream, host);
  std::vector<double> back(3);
  buffer.copy_to(back);
  EXPECT_EQ(back, host);
}

TEST_P(Memory, IsReportedWhenTheResourceReturnsNull) {
  for (const Holder& holder : holders()) {
    const Stream stream = stream_with_resource();
    std::shared_ptr<void> first = holder.make(stream);
    resource_->when = Counting::When::none_left;
    try {
      holder.make(stream);
      ADD_FAILURE() << holder.name << ": null was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << holder.name;
      EXPECT_FALSE(error.op().empty()) << holder.name;
      EXPECT_NE(std::string(error.what()).find("returned null"), std::string::npos) << error.what();
    }
    resource_->when = Counting::When::enough;
    first.reset();
    stream.release();
    EXPECT_EQ(resource_->bytes_in_use, 0) << holder.name;
  }
}

TEST_P(Memory, ExceptionsOfTheResourceReachTheCaller) {
  resource_->when = Counting::When::broken;
  for (const Holder& holder : holders()) {
    EXPECT_THROW(holder.make(stream_with_resource()), Counting::Broken) << holder.name;
  }
  EXPECT_EQ(resource_.use_count(), 1);
}

TEST_P(Memory, FailureToTakeMoreLeavesASolverUnchanged) {
  const Stream stream = stream_with_resource();
  HeatProblem uniform = problem;
  uniform.alpha = 2;
  const auto cells = static_cast<std::size_t>(uniform.shape.n_cells());
  ConductionSolver<double> solver(stream, uniform, heat_faces(HeatBoundary::zero_flux));
  std::vector<double> field(cells), first(cells), second(cells);
  for (std::size_t i = 0; i < cells; ++i) field[i] = static_cast<double>(i % 7);
  solver.set_source(std::vector<double>(cells, 0.5));
  solver.set_field(field);
  solver.advance(3);
  solver.field(first);
  resource_->when = Counting::When::none_left;
  EXPECT_THROW(solver.set_source(field), Error);
  EXPECT_THROW(solver.set_diffusivity(std::vector<double>(cells, 1.0)), Error);
  solver.set_field(field);
  solver.advance(3);
  solver.field(second);
  EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(Devices, Memory, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

}  // namespace
}  // namespace rafter
