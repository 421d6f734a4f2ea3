#include "executor/libraries/blas/lt_matmul.hpp"

#include <cmath>

namespace rafter::simt::blas {
namespace {

// Bits of an epilogue.
constexpr int relu_bit = 2, bias_bit = 4, relu_gradient_bit = 8, bias_gradient_bit = 16, gelu_bit = 32,
              gelu_gradient_bit = 64, aux_bit = 128, a_gradient_bit = 256, b_gradient_bit = 512;

bool has(cublasLtEpilogue_t epilogue, int bit) { return (epilogue & bit) != 0; }

bool is_fp8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

/// One matrix of a batch. A row-major matrix is stored as the transpose of a column-major one.
struct LtMatrix {
  AnyMatrix stored;
  bool is_row_major;

  LtMatrix(const void* start, const LtLayout& layout, Int batch) : is_row_major(layout.order == CUBLASLT_ORDER_ROW) {
    auto* const first = static_cast<std::byte*>(const_cast<void*>(start));
    const auto rows = static_cast<Int>(layout.rows), columns = static_cast<Int>(layout.columns);
    stored = {first + batch * layout.batch_stride * bytes_of(layout.type), layout.type, is_row_major ? columns : rows,
              is_row_major ? rows : columns, layout.ld};
  }
  Int rows() const { return is_row_major ? stored.columns : stored.rows; }
  Int columns() const { return is_row_major ? stored.rows : stored.columns; }
  void* at(Int i, Int j) const { return is_row_major ? stored.at(j, i) : stored.at(i, j); }
  template <class T>
  T get(Int i, Int j) const {
    return load<T>(stored.type, at(i, j));
  }
  /// The operation that makes op(this) of the stored matrix.
  cublasOperation_t stored_op(cublasOperation_t op) const {
    if (!is_row_major) return op;
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  }
};

/// The matrix or bit mask of an epilogue, and the bias: of one batch.
struct Epilogue {
  const LtDescription& description;
  cudaDataType bias_type, aux_type;
  std::byte *bias, *aux;
  Int rows, columns;

  Epilogue(const LtMatmul& matmul, Int batch)
      : description(matmul.description),
        bias_type(type_of_bias(matmul)),
        aux_type(description.aux_type >= 0 ? static_cast<cudaDataType>(description.aux_type) : matmul.d_layout.type),
        rows(static_cast<Int>(matmul.d_layout.rows)),
        columns(static_cast<Int>(matmul.d_layout.columns)) {
    bias = static_cast<std::byte*>(description.bias) + batch * description.bias_stride * bytes_of(bias_type);
    const Int aux_bits = is_mask() ? 1 : bytes_of(aux_type) * 8;
    aux = static_cast<std::byte*>(description.aux) + batch * description.aux_stride * aux_bits / 8;
  }
  static cudaDataType type_of_bias(const LtMatmul& matmul) {
    const LtDescription& description = matmul.description;
    if (description.bias_type >= 0) return static_cast<cudaDataType>(description.bias_type);
    if (is_fp8(matmul.a_layout.type)) return matmul.d_layout.type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
    return matmul.d_layout.type == CUDA_R_8I ? description.scale_type : matmul.d_layout.type;
  }

  bool is(int bit) const { return has(description.epilogue, bit); }
  /// ReLU keeps one bit per element, GELU its input.
  bool is_mask() const { return is(relu_bit) || is(relu_gradient_bit); }
  bool is_gradient() const { return is(relu_gradient_bit) || is(gelu_gradient_bit); }
  bool writes_bias() const { return is(bias_gradient_bit) || is(a_gradient_bit) || is(b_gradient_bit); }
  Int bias_length() const { return is(b_gradient_bit) ? columns : rows; }

  void list() const {
    const auto bytes = bytes_of(bias_type);
    if (is(bias_bit) || writes_bias()) {
      list_rows("the bias", bias, static_cast<std::size_t>(bias_length() * bytes), 1, 0,
                writes_bias() ? Use::writes : Use::reads);
    }
    if (!is(aux_bit)) return;
    const Use use = is_gradient() ? Use::reads : Use::writes;
    if (is_mask()) {
      list_rows("the epilogue's mask", aux, static_cast<std::size_t>((rows + 7) / 8), columns, description.aux_ld / 8,
                use);
    } else {
      AnyMatrix{aux, aux_type, rows, columns, description.aux_ld}.list("the epilogue's matrix", use);
    }
  }

  float bias_at(Int i) const { return load<float>(bias_type, bias + i * bytes_of(bias_type)); }
  void set_bias(Int i, float value) const { store(bias_type, bias + i * bytes_of(bias_type), value); }
  std::byte& mask_at(Int i, Int j) const { return aux[(j * description.aux_ld + i) / 8]; }
  static std::byte bit_of(Int i) { return std::byte{1} << static_cast<int>(i % 8); }
  void* aux_at(Int i, Int j) const { return aux + (i + j * description.aux_ld) * bytes_of(aux_type); }

  /// Returns the element after bias and activation, or times the activation's derivative.
  float apply(float value, Int i, Int j) const {
    if (is(bias_bit)) value += bias_at(i);
    if (is(relu_gradient_bit)) return (mask_at(i, j) & bit_of(i)) != std::byte{0} ? value : 0;
    if (is(gelu_gradient_bit)) return value * gelu_slope(load<float>(aux_type, aux_at(i, j)));
    if (is(aux_bit)) keep(value, i, j);
    if (is(relu_bit)) return value > 0 || value != value ? value : 0;
    return is(gelu_bit) ? gelu(value) : value;
  }
  void keep(float value, Int i, Int j) const {
    if (!is_mask()) return store(aux_type, aux_at(i, j), value);
    std::byte& byte = mask_at(i, j);
    byte = value > 0 ? byte | bit_of(i) : byte & ~bit_of(i);
  }

  // GELU by its tanh form, as cuBLASLt computes it.
  static constexpr float root = 0.7978845608028654f, cubic = 0.044715f;  // sqrt(2 / pi)
  static float gelu(float x) { return 0.5f * x * (1 + std::tanh(root * (x + cubic * x * x * x))); }
  static float gelu_slope(float x) {
    const float t = std::tanh(root * (x + cubic * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * root * (1 + 3 * cubic * x * x);
  }
};

float factor_of(const float* scale) { return scale != nullptr ? *scale : 1; }

/// Sums the elements of op(A) or op(B) over k, for their bias gradient.
void sum_operand(const Epilogue& epilogue, const LtMatrix& of, cublasOperation_t op, bool is_a) {
  const bool along_rows = is_a == transposes(op);  // k is the index of rows
  const Int length = along_rows ? of.columns() : of.rows(), k = along_rows ? of.rows() : of.columns();
  for (Int i = 0; i < length; ++i) {
    float sum = 0;
    for (Int l = 0; l < k; ++l) sum += along_rows ? of.get<float>(l, i) : of.get<float>(i, l);
    epilogue.set_bias(i, sum);
  }
}

/// One matrix of the batch. Sums have type T; S is the type of alpha and beta.
template <class T, class S>
void run_one(const LtMatmul& matmul, Int batch, float& largest) {
  const LtDescription& how = matmul.description;
  const LtMatrix a(matmul.a, matmul.a_layout, batch), b(matmul.b, matmul.b_layout, batch),
      c(matmul.c, matmul.c_layout, batch), d(matmul.d, matmul.d_layout, batch);
  const Int m = d.rows(), n = d.columns(), k = transposes(how.op_a) ? a.rows() : a.columns();
  const std::vector<T> sums = product_of<T>(a.stored_op(how.op_a), a.stored, b.stored_op(how.op_b), b.stored, m, n, k);
  const S alpha = matmul.alpha.get<S>(), beta = matmul.beta.get<S>();
  const Epilogue epilogue(matmul, batch);
  std::vector<float> bias_gradient(static_cast<std::size_t>(epilogue.is(bias_gradient_bit) ? m : 0), 0.0f);
  for (Int j = 0; j < n; ++j) {
    for (Int i = 0; i < m; ++i) {
      const auto index = static_cast<std::size_t>(i + j * m);
      S value = mul(alpha, static_cast<S>(sums[index]));
      if constexpr (std::is_same_v<S, float>) {
        value *= factor_of(how.a_scale) * factor_of(how.b_scale);
        if (beta != 0) value += beta * factor_of(how.c_scale) * c.get<float>(i, j);
        value = epilogue.apply(value, i, j);
        if (!bias_gradient.empty()) bias_gradient[static_cast<std::size_t>(i)] += value;
        largest = std::fmax(largest, std::abs(value));
        value *= factor_of(how.d_scale);
      } else if (beta != S(0)) {
        value += mul(beta, c.get<S>(i, j));
      }
      store(matmul.d_layout.type, d.at(i, j), value);
    }
  }
  for (std::size_t i = 0; i < bias_gradient.size(); ++i) epilogue.set_bias(static_cast<Int>(i), bias_gradient[i]);
  if (epilogue.is(a_gradient_bit)) sum_operand(epilogue, a, how.op_a, true);
  if (epilogue.is(b_gradient_bit)) sum_operand(epilogue, b, how.op_b, false);
}

bool is_small_float(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_32F || is_fp8(type);
}

/// Types that cuBLASLt multiplies and cublasGemmEx does not: 8-bit floats, and results of other types.
Arithmetic lt_arithmetic(const LtMatmul& p) {
  const cudaDataType a = p.a_layout.type, b = p.b_layout.type, c = p.c_layout.type, d = p.d_layout.type;
  const cublasComputeType_t compute = p.description.compute;
  const bool is_single = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC;
  if (is_fp8(a) || is_fp8(b)) {
    const bool has_types = is_fp8(a) && is_fp8(b) && !(a == CUDA_R_8F_E5M2 && b == a) && is_small_float(d) &&
                           is_small_float(c) && !is_fp8(c);
    const bool is_transposed = p.description.op_a == CUBLAS_OP_T && p.description.op_b == CUBLAS_OP_N;
    return is_single && has_types && is_transposed ? Arithmetic::single : Arithmetic::unsupported;
  }
  if (compute == CUBLAS_COMPUTE_32I && a == CUDA_R_8I && b == a && c == d) {
    const bool to_bytes = d == CUDA_R_8I && p.description.scale_type == CUDA_R_32F;
    return to_bytes || (d == CUDA_R_32I && p.description.scale_type == CUDA_R_32I) ? Arithmetic::integer
                                                                                   : Arithmetic::unsupported;
  }
  return c == d ? arithmetic_of(compute, a, b, c) : Arithmetic::unsupported;
}

/// The conjugate transpose of a row-major matrix would be the conjugate of the stored one.
bool conjugates_rows(const LtLayout& layout, cublasOperation_t op) {
  return layout.order == CUBLASLT_ORDER_ROW && conjugates(op) && is_complex_type(layout.type);
}

bool is_plain_order(const LtLayout& layout) {
  return layout.order == CUBLASLT_ORDER_COL || layout.order == CUBLASLT_ORDER_ROW;
}

bool has_room(const LtLayout& layout) {
  const std::uint64_t length = layout.order == CUBLASLT_ORDER_ROW ? layout.columns : layout.rows;
  return layout.ld >= static_cast<std::int64_t>(length);
}

}  // namespace

cublasStatus_t LtMatmul::validate() {
  const LtDescription& how = description;
  for (const LtLayout* layout : {&a_layout, &b_layout, &c_layout, &d_layout}) {
    if (!is_plain_order(*layout)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!has_room(*layout) || layout->n_batches != d_layout.n_batches) return CUBLAS_STATUS_INVALID_VALUE;
  }
  const bool ta = transposes(how.op_a), tb = transposes(how.op_b);
  const std::uint64_t m = ta ? a_layout.columns : a_layout.rows, k = ta ? a_layout.rows : a_layout.columns;
  const std::uint64_t n = tb ? b_layout.rows : b_layout.columns, k_of_b = tb ? b_layout.columns : b_layout.rows;
  if (k != k_of_b || d_layout.rows != m || d_layout.columns != n || c_layout.rows != m || c_layout.columns != n)
    return CUBLAS_STATUS_INVALID_VALUE;
  arithmetic = lt_arithmetic(*this);
  if (arithmetic == Arithmetic::unsupported || how.op_c != CUBLAS_OP_N || how.fill != CUBLAS_FILL_MODE_FULL ||
      conjugates_rows(a_layout, how.op_a) || conjugates_rows(b_layout, how.op_b) ||
      how.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const cublasLtEpilogue_t epilogue = how.epilogue;
  const bool is_plain = epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  if (!is_plain && (arithmetic != Arithmetic::single || d_layout.order != CUBLASLT_ORDER_COL))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool has_bias = has(epilogue, bias_bit | bias_gradient_bit | a_gradient_bit | b_gradient_bit);
  if ((has_bias && how.bias == nullptr) || (has(epilogue, aux_bit) && how.aux == nullptr))
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

void LtMatmul::list() const {
  alpha.list("alpha");
  const bool has_beta = beta.list("beta");
  for (const auto& [name, scale] : {std::pair{"the scale of A", description.a_scale},
                                    {"the scale of B", description.b_scale},
                                    {"the scale of C", description.c_scale},
                                    {"the scale of D", description.d_scale}}) {
    if (scale != nullptr) list_rows(name, scale, sizeof(float), 1, sizeof(float), Use::reads);
  }
  for (Int i = 0; i < d_layout.n_batches; ++i) {
    LtMatrix(a, a_layout, i).stored.list("A", Use::reads);
    LtMatrix(b, b_layout, i).stored.list("B", Use::reads);
    if (has_beta && !beta.is_zero()) LtMatrix(c, c_layout, i).stored.list("C", Use::reads);
    Epilogue(*this, i).list();
    LtMatrix(d, d_layout, i).stored.list("D", Use::writes);
  }
  if (description.d_amax != nullptr)
    list_rows("the maximum of D", description.d_amax, sizeof(float), 1, sizeof(float), Use::writes);
}

void LtMatmul::run() const {
  float largest = 0;
  for (Int i = 0; i < d_layout.n_batches; ++i) {
    if (arithmetic == Arithmetic::integer && description.scale_type == CUDA_R_32F) {
      run_one<std::int32_t, float>(*this, i, largest);
    } else {
      with_type(arithmetic, [&](auto zero) { run_one<decltype(zero), decltype(zero)>(*this, i, largest); });
    }
  }
  if (description.d_amax != nullptr) *description.d_amax = largest;
}

}  // namespace rafter::simt::blas
