// Models from files: the autoencoder of spectra.
#include "library/c_api/model_files.hpp"
#include "library/c_api/tensors.hpp"
#include "rafter/spectral.hpp"

struct rafter_spectral {
  rafter::SpectralAutoencoder model;
};

namespace rafter::c_api {

namespace {

SpectralPrecision spectral_precision(const Function& function, std::int32_t precision) {
  return enumerator(function, "precision", precision, SpectralPrecision::bf16);
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
