// cuBLAS's products of small floats and integers, and cuBLASLt's with their epilogues.
#include "blas_types.hpp"

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>

namespace rafter::simt::test {
namespace {

using Products = BlasTest;

template <class To>
std::vector<To> converted(const std::vector<float>& values) {
  std::vector<To> result;
  for (const float value : values) result.push_back(To(value));
  return result;
}

const std::vector<float> a_values{1, 2, 3, 4}, b_values{-1, 0.5, 2, 1};  // 2 x 2
const std::vector<float> ab_values{0.5, 0, 5, 8};

TEST_F(Products, OfHalvesAreRoundedOnce) {
  const DeviceArray<__half> a(converted<__half>(a_values)), b(converted<__half>(b_values)),
      c(std::vector<__half>(4, __half(NAN)));
  const DeviceArray<float> wide(std::vector<float>(4, 1.0f));
  const float one = 1, zero = 0;
  const __half half_one(1.0f), half_zero(0.0f);
  const auto gemm = [&](void* to, cudaDataType type, cublasComputeType_t compute, const void* alpha, const void* beta) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, alpha, a.get(), CUDA_R_16F, 2, b.get(), CUDA_R_16F,
                        2, beta, to, type, 2, compute, CUBLAS_GEMM_DEFAULT);
  };
  EXPECT_EQ(gemm(wide.get(), CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &one), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(wide.values(), (std::vector<float>{1.5, 1, 6, 9}));
  EXPECT_EQ(gemm(c.get(), CUDA_R_16F, CUBLAS_COMPUTE_32F, &one, &zero), CUBLAS_STATUS_SUCCESS);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(float(c.values()[i]), ab_values[i]);
  EXPECT_EQ(gemm(c.get(), CUDA_R_16F, CUBLAS_COMPUTE_16F, &half_one, &half_zero), CUBLAS_STATUS_SUCCESS);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(float(c.values()[i]), ab_values[i]);
  EXPECT_EQ(gemm(c.get(), CUDA_R_64F, CUBLAS_COMPUTE_32F, &one, &zero), CUBLAS_STATUS_NOT_SUPPORTED);
  // The older form names the compute type by a data type.
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.get(), CUDA_R_16F, 2, b.get(), CUDA_R_16F,
                         2, &zero, wide.get(), CUDA_R_32F, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(wide.values(), ab_values);

  // 2049 is no half: a sum in halves would stay at 2048.
  const DeviceArray<__half> ones(std::vector<__half>(4096, __half(1.0f)));
  const DeviceArray<__half> sum(std::vector<__half>(1));
  EXPECT_EQ(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 4096, &half_one, ones.get(), 4096, ones.get(), 4096,
                        &half_zero, sum.get(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(float(sum.values()[0]), 4096);
}

TEST_F(Products, OfIntegersAreExact) {
  const int n = 3, k = 70000;  // 127 * 127 * 70000 is no float
  const DeviceArray<std::int8_t> a(std::vector<std::int8_t>(static_cast<std::size_t>(n * k), 127));
  const DeviceArray<std::int32_t> c(std::vector<std::int32_t>(9, -1));
  const DeviceArray<float> f(std::vector<float>(9));
  const std::int32_t one = 1, two = 2;
  const float single = 1, zero = 0;
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, k, &one, a.get(), CUDA_R_8I, k, a.get(), CUDA_R_8I, k,
                         &two, c.get(), CUDA_R_32I, n, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), std::vector<std::int32_t>(9, 127 * 127 * 70000 - 2));
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, k, &single, a.get(), CUDA_R_8I, k, a.get(), CUDA_R_8I,
                         k, &zero, f.get(), CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(f.values(), std::vector<float>(9, 127.0f * 127 * 70000));
}

TEST_F(Products, OfBatchesOfBfloats) {
  const DeviceArray<__nv_bfloat16> a(converted<__nv_bfloat16>({1, 2, 3, 4, 1, 0, 0, 1})),
      b(converted<__nv_bfloat16>(b_values));
  const DeviceArray<float> c(std::vector<float>(8, 0.0f));
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.get(), CUDA_R_16BF, 2, 4,
                                       b.get(), CUDA_R_16BF, 2, 0, &zero, c.get(), CUDA_R_32F, 2, 4, 2,
                                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<float>{0.5, 0, 5, 8, -1, 0.5, 2, 1}));
}

/// One product of cuBLASLt: D = epilogue(A * B), 2 x 2 floats.
class Lt : public BlasTest {
 protected:
  Lt() {
    EXPECT_EQ(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 2, 2, 2), CUBLAS_STATUS_SUCCESS);
  }
  ~Lt() override {
    cublasLtMatmulDescDestroy(desc);
    cublasLtMatrixLayoutDestroy(layout);
  }

  template <class T>
  void set(cublasLtMatmulDescAttributes_t which, T value) {
    EXPECT_EQ(cublasLtMatmulDescSetAttribute(desc, which, &value, sizeof value), CUBLAS_STATUS_SUCCESS);
  }
  cublasStatus_t multiply() {
    const float one = 1, zero = 0;
    // A handle of cuBLAS is one of cuBLASLt, too.
    return cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(handle), desc, &one, a.get(), layout, b.get(), layout,
                          &zero, d.get(), layout, d.get(), layout, nullptr, nullptr, 0, nullptr);
  }

  cublasLtMatmulDesc_t desc = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  const DeviceArray<float> a{{1, 2, 3, -4}}, b{{-1, 0.5, 2, 1}}, d{{NAN, NAN, NAN, NAN}};  // A * B: 0.5 -4 5 0
  const DeviceArray<float> bias{{10, 1}}, aux{{0, 0, 0, 0}};
};

float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))); }

TEST_F(Lt, AppliesEpilogues) {
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), (std::vector<float>{0.5, -4, 5, 0}));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_BIAS);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_INVALID_VALUE) << "no bias yet";
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.get());
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), (std::vector<float>{10.5, 0, 15, 1}));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.get());
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{2});
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(aux.values(), (std::vector<float>{10.5, -3, 15, 1}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(d.values()[i], gelu(aux.values()[i]));
}

TEST_F(Lt, ComputesGradients) {
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.get());
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(bias.values(), (std::vector<float>{-0.5, 3})) << "sums of B over k";
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADA);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(bias.values(), (std::vector<float>{4, -2})) << "sums of A over k";

  const DeviceArray<float> inputs({0.5, -1, 2, 0});
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DGELU_BGRAD);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, inputs.get());
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{2});
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  const std::vector<float> product{0.5, -4, 5, 0}, x = inputs.values(), result = d.values();
  for (std::size_t i = 0; i < 4; ++i) {
    const float slope = (gelu(x[i] + 1e-2f) - gelu(x[i] - 1e-2f)) / 2e-2f;
    EXPECT_NEAR(result[i], product[i] * slope, 1e-3);
  }
  EXPECT_FLOAT_EQ(bias.values()[0], result[0] + result[2]);
}

TEST_F(Lt, KeepsTheSignsOfReluAsBits) {
  const DeviceArray<std::uint8_t> mask(std::vector<std::uint8_t>(32, 0));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, mask.get());
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{128});
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), (std::vector<float>{0.5, 0, 5, 0}));
  EXPECT_EQ(mask.values()[0], 1);
  EXPECT_EQ(mask.values()[16], 1);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DRELU);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), (std::vector<float>{0.5, 0, 5, 0}));
}

TEST_F(Lt, MultipliesRowMajorMatrices) {
  const cublasLtOrder_t rows = CUBLASLT_ORDER_ROW;
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &rows, sizeof rows),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), (std::vector<float>{3, 2.5, -11, -2.5}));  // (1 2; 3 -4) * (-1 0.5; 2 1)
}

TEST_F(Lt, RefusesWhatDoesNotFit) {
  cublasLtMatrixLayout_t wide;
  int found = 7;
  cublasLtMatmulHeuristicResult_t result;
  cublasLtMatmulPreference_t preference;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&wide, CUDA_R_32F, 2, 3, 2), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
  const auto lt = reinterpret_cast<cublasLtHandle_t>(handle);
  EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(lt, desc, layout, layout, layout, layout, preference, 1, &result, &found),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(lt, desc, layout, wide, layout, layout, preference, 1, &result, &found),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(found, 0);
  const std::int32_t wrong = 1;
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(wide, CUBLASLT_MATRIX_LAYOUT_LD, &wrong, sizeof wrong),
            CUBLAS_STATUS_INVALID_VALUE);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(wide);
}

TEST_F(Lt, ScalesEightBitFloats) {
  const int n = 16;
  const std::vector<float> values(static_cast<std::size_t>(n * n), 1.5f);
  const DeviceArray<__nv_fp8_e4m3> x(converted<__nv_fp8_e4m3>(values));
  const DeviceArray<__nv_bfloat16> result(std::vector<__nv_bfloat16>(values.size()));
  const DeviceArray<float> scale({0.5f});
  cublasLtMatrixLayout_t bytes, wide;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&bytes, CUDA_R_8F_E4M3, n, n, n), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&wide, CUDA_R_16BF, n, n, n), CUBLAS_STATUS_SUCCESS);
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(scale.get()));
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(handle), desc, &one, x.get(), bytes, x.get(), bytes,
                           &zero, result.get(), wide, result.get(), wide, nullptr, nullptr, 0, nullptr),
            CUBLAS_STATUS_SUCCESS);
  for (const __nv_bfloat16& value : result.values()) EXPECT_EQ(float(value), 18);
  cublasLtMatrixLayoutDestroy(bytes);
  cublasLtMatrixLayoutDestroy(wide);
}

}  // namespace
}  // namespace rafter::simt::test
