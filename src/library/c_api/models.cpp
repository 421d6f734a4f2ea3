// Models from files: the autoencoder of spectra and LeNet.
#include "library/c_api/model_files.hpp"
#include "library/c_api/tensors.hpp"
#include "rafter/lenet.hpp"
#include "rafter/spectral.hpp"

struct rafter_spectral {
  rafter::SpectralAutoencoder model;
};

struct rafter_lenet {
  rafter::Lenet model;
};

namespace rafter::c_api {

namespace {

SpectralPrecision spectral_precision(const Function& function, std::int32_t precision) {
  return enumerator(function, "precision", precision, SpectralPrecision::bf16);
}

LenetOptions lenet_options(const Function& function, const rafter_lenet_options* options) {
  if (options == nullptr) return {};
  const auto given = read_struct(function, "options", options, sizeof(rafter_lenet_options));
  require_reserved(function, "options.reserved", given.reserved);
  return {.precision = enumerator(function, "options.precision", given.precision, ConvPrecision::split_fp16),
          .batch = given.batch};
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_spectral_load(const rafter_stream* stream, const char* path, int32_t precision,
                                   rafter_spectral** model) noexcept {
  return c::created(c::Function("rafter_spectral_load"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::SpectralOptions options{c::spectral_precision(function, precision)};
    return rafter::SpectralAutoencoder(on, rafter::read_spectral_weights(&c::required(function, "path", path)),
                                       options);
  });
}

rafter_status rafter_spectral_parse(const rafter_stream* stream, const void* file, int64_t bytes, const char* name,
                                    int32_t precision, rafter_spectral** model) noexcept {
  return c::created(c::Function("rafter_spectral_parse"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::SpectralOptions options{c::spectral_precision(function, precision)};
    const auto weights =
        rafter::parse_spectral_weights(c::file_in_memory(function, file, bytes), &c::required(function, "name", name));
    return rafter::SpectralAutoencoder(on, weights, options);
  });
}

void rafter_spectral_destroy(rafter_spectral* model) noexcept { delete model; }

rafter_status rafter_spectral_get_shape(const rafter_spectral* model, rafter_spectral_shape* shape) noexcept {
  return c::guarded(c::Function("rafter_spectral_get_shape"), [&](const c::Function& function) {
    const rafter::SpectralShape& of = c::required(function, "model", model).model.shape();
    c::write_struct(function, "shape", shape, sizeof(rafter_spectral_shape),
                    rafter_spectral_shape{0, of.mels, of.frames, of.latent, of.slice});
  });
}

rafter_status rafter_spectral_forward(const rafter_stream* stream, const rafter_spectral* model, const rafter_tensor* x,
                                      const rafter_tensor* y) noexcept {
  return c::guarded(c::Function("rafter_spectral_forward", "SpectralAutoencoder::forward"),
                    [&](const c::Function& function) {
                      const c::Tensors given(function, stream);
                      const auto& autoencoder = c::required(function, "model", model).model;
                      const auto& [mels, frames, latent, slice] = autoencoder.shape();
                      const auto windows = given.array<const float>("x", x, {c::any, frames, mels});
                      given.require_same_shape("y", y, *x);
                      autoencoder.forward(given.stream(), windows, given.array<float>("y", y));
                    });
}

rafter_status rafter_spectral_score(const rafter_stream* stream, const rafter_spectral* model, const rafter_tensor* x,
                                    const rafter_tensor* scores) noexcept {
  return c::guarded(c::Function("rafter_spectral_score", "SpectralAutoencoder::score"),
                    [&](const c::Function& function) {
                      const c::Tensors given(function, stream);
                      const auto& autoencoder = c::required(function, "model", model).model;
                      const auto& [mels, frames, latent, slice] = autoencoder.shape();
                      const auto windows = given.array<const float>("x", x, {c::any, frames, mels});
                      autoencoder.score(given.stream(), windows, given.array<float>("scores", scores, {x->shape[0]}));
                    });
}

rafter_status rafter_lenet_load(const rafter_stream* stream, const char* path, const rafter_lenet_options* options,
                                rafter_lenet** model) noexcept {
  return c::created(c::Function("rafter_lenet_load", "Lenet"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::LenetOptions wanted = c::lenet_options(function, options);
    return rafter::Lenet(on, rafter::read_lenet_weights(&c::required(function, "path", path)), wanted);
  });
}

rafter_status rafter_lenet_parse(const rafter_stream* stream, const void* file, int64_t bytes, const char* name,
                                 const rafter_lenet_options* options, rafter_lenet** model) noexcept {
  return c::created(c::Function("rafter_lenet_parse", "Lenet"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::LenetOptions wanted = c::lenet_options(function, options);
    const auto weights =
        rafter::parse_lenet_weights(c::file_in_memory(function, file, bytes), &c::required(function, "name", name));
    return rafter::Lenet(on, weights, wanted);
  });
}

void rafter_lenet_destroy(rafter_lenet* model) noexcept { delete model; }

rafter_status rafter_lenet_run(rafter_lenet* model, const rafter_tensor* images,
                               const rafter_tensor* results) noexcept {
  return c::guarded(c::Function("rafter_lenet_run", "Lenet::run"), [&](const c::Function& function) {
    rafter::Lenet& lenet = c::required(function, "model", model).model;
    const c::Tensors given(function, lenet.stream());
    given.for_type(rafter::Types<float, std::uint8_t>{}, "images", images, [&]<class Pixel>() {
      static_assert(sizeof(rafter_lenet_result) == sizeof(rafter::LenetResult));
      constexpr auto side = rafter::Lenet::image_side;
      const auto pixels = given.array<const Pixel>("images", images, {c::any, side, side});
      const std::int64_t n = images->shape[0];
      const auto bytes = given.array<std::uint8_t>("results", results, {n, sizeof(rafter::LenetResult)});
      lenet.run(pixels, rafter::DeviceSpan<rafter::LenetResult>::unchecked(
                            reinterpret_cast<rafter::LenetResult*>(bytes.data()), n));
    });
  });
}
