// cuRAND's host API.
#include <cmath>
#include <mutex>
#include <set>
#include <string>

#include "executor/libraries/rand/generator.hpp"
#include "executor/libraries/work.hpp"
#include "rafter_simt/abi.hpp"

struct curandGenerator_st : rafter::simt::random::Generator {
  using Generator::Generator;
};

namespace rafter::simt::random {
namespace {

class Generators {
 public:
  void add(curandGenerator_t generator) {
    const std::lock_guard lock(mutex_);
    all_.insert(generator);
  }
  bool remove(curandGenerator_t generator) {
    const std::lock_guard lock(mutex_);
    return all_.erase(generator) == 1;
  }
  bool holds(curandGenerator_t generator) const {
    const std::lock_guard lock(mutex_);
    return all_.count(generator) == 1;
  }

 private:
  mutable std::mutex mutex_;
  std::set<curandGenerator_t> all_;
};

Generators& generators() {
  static Generators& all = *new Generators;  // never destroyed: destructors of the program may still use it
  return all;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool is_on_host) {
  if (generator == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  if (rafter_simt_library_error() != 0) return CURAND_STATUS_PREEXISTING_FAILURE;
  std::unique_ptr<Engine> engine = make_engine(type);
  switch (type) {
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      rafter_simt_unsupported("curandCreateGenerator of a Mersenne Twister or of a quasirandom generator");
    default: break;
  }
  if (engine == nullptr) return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st(std::move(engine), is_on_host);
  generators().add(*generator);
  return CURAND_STATUS_SUCCESS;
}

/// The call of a function that generates: its name, and its place in the program.
struct Site {
  const char* name;
  const void* place;
};

/// Writes n results, each passed through map().
template <class Result, class Map>
curandStatus_t generate(const Site& site, curandGenerator_t generator, Distribution distribution, Result* to,
                        std::size_t n, Map map) {
  if (!generators().holds(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const bool makes_pairs = distribution == Distribution::normal || distribution == Distribution::normal_double;
  if (makes_pairs && n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  const auto run = [=] {
    generator->generate(distribution, to, n);
    for (std::size_t i = 0; i < n; ++i) to[i] = map(to[i]);
  };
  if (generator->is_on_host()) {
    run();
    return CURAND_STATUS_SUCCESS;
  }
  if (rafter_simt_library_error() != 0) return CURAND_STATUS_PREEXISTING_FAILURE;
  const std::size_t bytes = n * sizeof(Result);
  const auto list = [=] {
    const ::rafter_simt::LibraryOperand output{"outputPtr", to, bytes, 1, static_cast<std::ptrdiff_t>(bytes), 0, 1};
    rafter_simt_library_operand(&output);
  };
  const int error = perform_work({site.name, site.place, generator->stream(), false}, list, run);
  return error == 0 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class Result>
Result unchanged(Result value) {
  return value;
}

/// Performs an action on a generator.
template <class Action>
curandStatus_t on(curandGenerator_t generator, Action&& action) {
  if (!generators().holds(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  action(*generator);
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace rafter::simt::random

using namespace rafter::simt::random;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generators().remove(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION ? CURAND_VER_MAJOR : type == MINOR_VERSION ? CURAND_VER_MINOR : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return on(generator, [&](auto& one) { one.set_stream(stream); });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return on(generator, [&](auto& one) { one.set_seed(seed); });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return on(generator, [&](auto& one) { one.set_offset(offset); });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (order == CURAND_ORDERING_PSEUDO_SEEDED || order == CURAND_ORDERING_PSEUDO_DYNAMIC)
    rafter_simt_unsupported("curandSetGeneratorOrdering with CURAND_ORDERING_PSEUDO_SEEDED or _DYNAMIC");
  if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_LEGACY) return CURAND_STATUS_OUT_OF_RANGE;
  return on(generator, [](auto&) {});
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return on(generator, [](auto&) {});
}

#define SITE(NAME) \
  Site { #NAME, __builtin_return_address(0) }

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t n) {
  return generate(SITE(curandGenerate), generator, Distribution::bits, output, n, unchanged<unsigned>);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t n) {
  return generate(SITE(curandGenerateUniform), generator, Distribution::uniform, output, n, unchanged<float>);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t n) {
  return generate(SITE(curandGenerateUniformDouble), generator, Distribution::uniform_double, output, n,
                  unchanged<double>);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t n, float mean, float stddev) {
  return generate(SITE(curandGenerateNormal), generator, Distribution::normal, output, n,
                  [=](float x) { return mean + stddev * x; });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t n, double mean,
                                          double stddev) {
  return generate(SITE(curandGenerateNormalDouble), generator, Distribution::normal_double, output, n,
                  [=](double x) { return mean + stddev * x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t n, float mean, float stddev) {
  return generate(SITE(curandGenerateLogNormal), generator, Distribution::normal, output, n,
                  [=](float x) { return std::exp(mean + stddev * x); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t n, double mean,
                                             double stddev) {
  return generate(SITE(curandGenerateLogNormalDouble), generator, Distribution::normal_double, output, n,
                  [=](double x) { return std::exp(mean + stddev * x); });
}
