// cuRAND on the executor. The numbers that the tests expect are those of NVIDIA's own headers, compiled for the host,
// and of NVIDIA's host generators (CUDA 13.0).
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rafter::simt::test {
namespace {

/// The results of a sequence of calls after curand_init(seed, subsequence, offset).
struct DeviceAnswer {
  unsigned long long seed, subsequence, offset;
  unsigned first, second;
  float uniform;
  double uniform_double;
  float normal, next_normal;
  double normal_double;
  float log_normal;
  unsigned after_skips;
};

const std::vector<DeviceAnswer> xorwow{
    {0u, 0u, 0u, 0xbd7f03b6u, 0x703e556du, 0x1.08b5e2p-1F, 0x1.245255e833fecp-4, 0x1.3ac7f8p+0F, 0x1.641654p-3F,
     -0x1.fef49b921e78cp-1, 0x1.93e862p+0F, 0x325dd90fu},
    {1234u, 0u, 0u, 0x253d5e15u, 0x6f558604u, 0x1.bdcdb6p-1F, 0x1.b6d4d2425b394p-1, 0x1.fbbd9ap-1F, 0x1.40132cp-2F,
     -0x1.708bcfdccbbc1p-1, 0x1.a43224p+0F, 0x58533134u},
    {1234u, 5u, 0u, 0xde75663fu, 0x8051a417u, 0x1.b6708cp-3F, 0x1.4504342750155p-2, -0x1.c82998p-1F, -0x1.74a558p-2F,
     0x1.25eeb3bce58c1p-1, 0x1.8f3ed4p+0F, 0x9cfeaebbu},
    {81985529216486895u, 3u, 1000003u, 0x53a9d809u, 0xe2371dc9u, 0x1.40214ap-2F, 0x1.b060fb85aa026p-3, -0x1.b4bdcp+0F,
     -0x1.c1df3p-1F, 0x1.7e63309055ee7p-2, 0x1.bd11dcp+0F, 0x1f6f2c98u},
    {42u, 1000000u, 7u, 0xf643fdf5u, 0x8714b132u, 0x1.175156p-2F, 0x1.54477c1daa5c3p-2, -0x1.c45fc6p-1F,
     -0x1.205152p-3F, -0x1.3694dd936fd16p+0, 0x1.900dfap+0F, 0xc8498849u},
};
const std::vector<DeviceAnswer> philox{
    {0u, 0u, 0u, 0x6627e8d5u, 0xe169c58du, 0x1.78af58p-1F, 0x1.3601b7b2p-1, 0x1.7254ccp-3F, -0x1.3aa6a8p-3F,
     0x1.29c51d82c1f1bp+1, 0x1.589352p+1F, 0xd38fc0d0u},
    {1234u, 0u, 0u, 0x2090b348u, 0xda7cf0abu, 0x1.100642p-2F, 0x1.97948e1ep-1, 0x1.44237p-1F, 0x1.7c9a9cp-1F,
     -0x1.c00929d878d77p-3, 0x1.969ac8p+0F, 0xc2d08c5fu},
    {1234u, 5u, 0u, 0xf942741cu, 0xb7a11b7au, 0x1.164f42p-1F, 0x1.7b2b5992p-1, 0x1.6d8926p+0F, 0x1.1b7aa2p-7F,
     -0x1.0b2567530db99p+0, 0x1.d40682p-1F, 0x44107d67u},
    {81985529216486895u, 3u, 1000003u, 0x4149ce77u, 0x3be92733u, 0x1.8f36c8p-3F, 0x1.aa97cbf2p-1, -0x1.e13b2ep-2F,
     0x1.be63bcp-2F, 0x1.31c1a8f42e204p-1, 0x1.72b352p+0F, 0x6be12009u},
    {42u, 1000000u, 7u, 0xba9b1090u, 0x83aac917u, 0x1.073feap-1F, 0x1.7a19683cp-1, -0x1.4c19fep-3F, -0x1.da0a46p+0F,
     -0x1.3af36f215abbep-1, 0x1.243fd4p+0F, 0x3113b160u},
};
const std::vector<DeviceAnswer> mrg32k3a{
    {0u, 0u, 0u, 0x2083cd07u, 0x518b05c4u, 0x1.3c9b42p-2F, 0x1.a6d566693438ap-1, -0x1.724352p-2F, -0x1.b2a758p+0F,
     0x1.e847d52432344p-1, 0x1.003d9ep+0F, 0x6f839559u},
    {1234u, 0u, 0u, 0xc96891f0u, 0x9650c684u, 0x1.978f1p-5F, 0x1.7e84473449fe3p-2, -0x1.3fbedcp-3F, 0x1.200a42p+0F,
     -0x1.48ed5e2518dd3p+0, 0x1.8fd488p+0F, 0xf3661d0du},
    {1234u, 5u, 0u, 0x4df33f46u, 0xa9d0589eu, 0x1.0b276p-3F, 0x1.a4ca8fd3895f7p-2, -0x1.12a4fcp-1F, 0x1.833c82p+0F,
     0x1.4de62ee62476dp-3, 0x1.48509ap+1F, 0x54bad697u},
    {81985529216486895u, 3u, 1000003u, 0xb563c42cu, 0xb63b144eu, 0x1.8770d8p-2F, 0x1.de9ee3eabfb82p-2, 0x1.3990f4p-2F,
     -0x1.44c8e4p+0F, -0x1.cef9c099c0338p-1, 0x1.a30b78p+0F, 0xc761a7a2u},
    {42u, 1000000u, 7u, 0x9152b092u, 0xa8f8de93u, 0x1.c421b2p-2F, 0x1.3a58c884a27bcp-2, -0x1.25b328p-1F, 0x1.cf75fep-1F,
     0x1.76d09473f2513p+0, 0x1.588de6p+0F, 0xdb23abcfu},
};

// Logarithm, sine and cosine are the host's.
constexpr double float_error = 1e-6, double_error = 1e-14;

template <class State>
void expect(const std::vector<DeviceAnswer>& answers) {
  for (const DeviceAnswer& answer : answers) {
    State state;
    curand_init(answer.seed, answer.subsequence, answer.offset, &state);
    EXPECT_EQ(curand(&state), answer.first) << answer.seed;
    EXPECT_EQ(curand(&state), answer.second);
    EXPECT_EQ(curand_uniform(&state), answer.uniform);
    EXPECT_EQ(curand_uniform_double(&state), answer.uniform_double);
    EXPECT_NEAR(curand_normal(&state), answer.normal, float_error);
    EXPECT_NEAR(curand_normal(&state), answer.next_normal, float_error);
    EXPECT_NEAR(curand_normal_double(&state), answer.normal_double, double_error);
    EXPECT_NEAR(curand_log_normal(&state, 0.5f, 0.25f), answer.log_normal, float_error);
    skipahead(10, &state);
    skipahead_sequence(2, &state);
    EXPECT_EQ(curand(&state), answer.after_skips);
  }
}

TEST(CurandStates, XorwowIsNvidias) { expect<curandStateXORWOW_t>(xorwow); }
TEST(CurandStates, PhiloxIsNvidias) { expect<curandStatePhilox4_32_10_t>(philox); }
TEST(CurandStates, Mrg32k3aIsNvidias) { expect<curandStateMRG32k3a_t>(mrg32k3a); }

TEST(CurandStates, PhiloxReturnsFourNumbersFromAnyPosition) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, 1, 2, &state);
  const uint4 words = curand4(&state);
  EXPECT_EQ(words.x, 0x4fac3b2bu);
  EXPECT_EQ(words.y, 0x39acec6cu);
  EXPECT_EQ(words.z, 0xe32925efu);
  EXPECT_EQ(words.w, 0xd98f06c0u);
  const float4 normals = curand_normal4(&state);
  EXPECT_NEAR(normals.x, 0x1.311f34p-1, float_error);
  EXPECT_NEAR(normals.w, -0x1.a86966p-1, float_error);
}

/// The vector of Random123 for a counter and a key of zeros.
TEST(CurandStates, PhiloxBlockIsThePublishedOne) {
  const uint4 block = ::rafter_simt::rand::philox_block({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(block.x, 0x6627e8d5u);
  EXPECT_EQ(block.y, 0xe169c58du);
  EXPECT_EQ(block.z, 0xbc57ac4cu);
  EXPECT_EQ(block.w, 0x9b00dbd8u);
}

TEST(CurandStates, SkippingEqualsDrawing) {
  for (const unsigned long long n : {1ull, 3ull, 4ull, 129ull}) {
    curandStateXORWOW_t drawn, skipped;
    curandStateMRG32k3a_t mrg_drawn, mrg_skipped;
    curandStatePhilox4_32_10_t philox_drawn, philox_skipped;
    curand_init(9, 0, 0, &drawn);
    curand_init(9, 0, 0, &mrg_drawn);
    curand_init(9, 0, 0, &philox_drawn);
    skipped = drawn;
    mrg_skipped = mrg_drawn;
    philox_skipped = philox_drawn;
    for (unsigned long long i = 0; i < n; ++i) curand(&drawn), curand(&mrg_drawn), curand(&philox_drawn);
    skipahead(n, &skipped);
    skipahead(n, &mrg_skipped);
    skipahead(n, &philox_skipped);
    EXPECT_EQ(curand(&drawn), curand(&skipped));
    EXPECT_EQ(curand(&mrg_drawn), curand(&mrg_skipped));
    EXPECT_EQ(curand(&philox_drawn), curand(&philox_skipped));
  }
}

/// The results of one generator: seed 1234, offset 5, and calls in a row, also in the middle of turns.
struct HostAnswer {
  curandRngType_t type;
  unsigned first, checksum;  // of 100002 words
  float uniform, last_uniform;
  double second_double, last_double;
  float normal, last_normal;
  double fourth_normal, last_normal_double;
  float log_normal;
  unsigned ninth;
};

const std::vector<HostAnswer> generators{
    {CURAND_RNG_PSEUDO_XORWOW, 0xde75663fu, 0xfd32d4e5u, 0x1.18b1d8p-1F, 0x1.1d035ap-1F, 0x1.cba530232ee92p-1,
     0x1.ca69bb7395c42p-3, -0x1.546734p+0F, 0x1.e3082cp-1F, 0x1.069fbdfd75fd1p-2, 0x1.a0ddf3c3ac4acp-2, 0x1.2b8feap-1F,
     0xb9580e65u},
    {CURAND_RNG_PSEUDO_MRG32K3A, 0x4df33f46u, 0x9f5900a8u, 0x1.aa2a54p-4F, 0x1.91107p-6F, 0x1.8db122f8ad9d9p-2,
     0x1.7c3b50d66c6dp-5, 0x1.b6a98cp+1F, 0x1.745b3cp+1F, -0x1.b1ad2d2d2fa09p+0, -0x1.d74980db15f0ap-2, 0x1.99cd4cp-3F,
     0x1cbd9af1u},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, 0x52fc7c75u, 0x3650ba4bu, 0x1.9cf78ap-1F, 0x1.6061b4p-1F, 0x1.c69b2cc64e13ap-1,
     0x1.d02fa00c8a5c4p-4, -0x1.12226ep+1F, -0x1.3566cp-3F, -0x1.926c613c549c5p-2, -0x1.11c2d85c0c35cp-2,
     0x1.4c8f92p-2F, 0xc1314898u},
};

template <class T>
class Output {
 public:
  explicit Output(std::size_t n) : n_(n) { cudaMalloc(reinterpret_cast<void**>(&start_), n * sizeof(T)); }
  ~Output() { cudaFree(start_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  T* get() const { return start_; }
  std::vector<T> values() const {
    std::vector<T> all(n_);
    cudaMemcpy(all.data(), start_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
    return all;
  }

 private:
  std::size_t n_;
  T* start_ = nullptr;
};

TEST(CurandGenerators, ProduceNvidiasNumbersInItsOrder) {
  for (const HostAnswer& answer : generators) {
    const std::size_t n = 100002;
    const Output<unsigned> words(n);
    const Output<float> floats(n);
    const Output<double> doubles(n);
    curandGenerator_t generator;
    ASSERT_EQ(curandCreateGenerator(&generator, answer.type), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 1234), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandSetGeneratorOffset(generator, 5), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandGenerate(generator, words.get(), n), CURAND_STATUS_SUCCESS);
    unsigned checksum = 0;
    for (const unsigned word : words.values()) checksum = checksum * 31 + word;
    EXPECT_EQ(words.values()[0], answer.first) << answer.type;
    EXPECT_EQ(checksum, answer.checksum) << answer.type;
    curandGenerateUniform(generator, floats.get(), 10001);
    EXPECT_EQ(floats.values()[0], answer.uniform) << answer.type;
    EXPECT_EQ(floats.values()[10000], answer.last_uniform);
    curandGenerateUniformDouble(generator, doubles.get(), 20000);
    EXPECT_EQ(doubles.values()[1], answer.second_double) << answer.type;
    EXPECT_EQ(doubles.values()[19999], answer.last_double);
    curandGenerateNormal(generator, floats.get(), 100000, 1, 2);
    EXPECT_NEAR(floats.values()[0], answer.normal, 4 * float_error) << answer.type;
    EXPECT_NEAR(floats.values()[99999], answer.last_normal, 4 * float_error);
    curandGenerateNormalDouble(generator, doubles.get(), 30000, 0, 1);
    EXPECT_NEAR(doubles.values()[3], answer.fourth_normal, double_error) << answer.type;
    EXPECT_NEAR(doubles.values()[29999], answer.last_normal_double, double_error);
    curandGenerateLogNormal(generator, floats.get(), 2, 0, 1);
    EXPECT_NEAR(floats.values()[1], answer.log_normal, float_error);
    curandGenerate(generator, words.get(), 9);
    EXPECT_EQ(words.values()[8], answer.ninth) << answer.type;
    EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
  }
}

TEST(CurandGenerators, ReturnTheDocumentedStatuses) {
  curandGenerator_t generator;
  float numbers[3];
  EXPECT_EQ(curandCreateGenerator(&generator, static_cast<curandRngType_t>(7)), CURAND_STATUS_TYPE_ERROR);
  ASSERT_EQ(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(curandGenerateNormal(generator, numbers, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(curandGenerateUniform(generator, numbers, 3), CURAND_STATUS_SUCCESS) << "into memory of the host";
  EXPECT_EQ(numbers[0], ::rafter_simt::rand::uniform(0xbd7f03b6u)) << "the default seed is 0";
  EXPECT_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandGenerateUniform(nullptr, numbers, 3), CURAND_STATUS_NOT_INITIALIZED);
}

}  // namespace
}  // namespace rafter::simt::test
