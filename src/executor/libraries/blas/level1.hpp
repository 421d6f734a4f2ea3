// Level 1: vectors. Each function is a template over the element type and takes 64-bit sizes.
#pragma once

#include <cmath>

#include "executor/libraries/blas/call.hpp"

namespace rafter::simt::blas {

/// Performs work on two vectors, without scalars.
template <class T, class U, class Run>
cublasStatus_t on_vectors(const Call& call, Vector<T> x, Use use_x, Vector<U> y, Use use_y, Run run) {
  if (x.n <= 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        x.list("x", use_x);
        y.list("y", use_y);
      },
      [=] { run(x, y); });
}

template <class T>
cublasStatus_t axpy(const Call& call, Int n, const T* alpha, const T* x, Int incx, T* y, Int incy) {
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> from{x, n, incx};
  const Vector<T> to{y, n, incy};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        from.list("x", Use::reads);
        to.list("y", Use::updates);
      },
      [=] {
        const T a = factor->get();
        for (Int i = 0; i < n; ++i) to[i] += mul(a, from[i]);
      });
}

template <class T>
cublasStatus_t copy(const Call& call, Int n, const T* x, Int incx, T* y, Int incy) {
  return on_vectors(call, Vector<const T>{x, n, incx}, Use::reads, Vector<T>{y, n, incy}, Use::writes,
                    [n](auto from, auto to) {
                      for (Int i = 0; i < n; ++i) to[i] = from[i];
                    });
}

template <class T>
cublasStatus_t swap(const Call& call, Int n, T* x, Int incx, T* y, Int incy) {
  return on_vectors(call, Vector<T>{x, n, incx}, Use::updates, Vector<T>{y, n, incy}, Use::updates,
                    [n](auto one, auto other) {
                      for (Int i = 0; i < n; ++i) std::swap(one[i], other[i]);
                    });
}

/// x = alpha * x, with alpha of the element type or of its real type.
template <class T, class Factor>
cublasStatus_t scal(const Call& call, Int n, const Factor* alpha, T* x, Int incx) {
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> v{x, n, incx};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        v.list("x", Use::updates);
      },
      [=] {
        const Factor a = factor->get();
        for (Int i = 0; i < n; ++i) {
          if constexpr (std::is_same_v<T, Factor>)
            v[i] = mul(a, v[i]);
          else
            v[i] *= a;
        }
      });
}

/// A result from one or two vectors: `compute()` returns it.
template <class Value, class List, class Compute>
cublasStatus_t reduce(const Call& call, Value* result, List list, Compute compute) {
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Result<Value> to(call, result);
  return enqueue(
      call,
      [=] {
        list();
        to.list();
      },
      [=] { *to.at = compute(); }, to.host_waits());
}

template <class T>
cublasStatus_t dot(const Call& call, bool conjugate, Int n, const T* x, Int incx, const T* y, Int incy, T* result) {
  const Vector<const T> a{x, n, incx}, b{y, n, incy};
  return reduce(
      call, result,
      [=] {
        a.list("x", Use::reads);
        b.list("y", Use::reads);
      },
      [=] {
        T sum(0);
        for (Int i = 0; i < n; ++i) sum += mul(conj_if(conjugate, a[i]), b[i]);
        return sum;
      });
}

/// A result from the elements of one vector; 0 if it is empty or its increment is not positive.
template <class Value, class T, class Compute>
cublasStatus_t reduce_one(const Call& call, Int n, const T* x, Int incx, Value* result, Compute compute) {
  const Vector<const T> v{x, incx > 0 ? n : 0, incx};
  return reduce(
      call, result, [=] { v.list("x", Use::reads); }, [=] { return v.n > 0 ? compute(v) : Value(0); });
}

/// The sum is scaled by the largest element, so that no square overflows.
template <class T>
cublasStatus_t nrm2(const Call& call, Int n, const T* x, Int incx, Real<T>* result) {
  return reduce_one(call, n, x, incx, result, [](auto v) {
    double largest = 0, sum = 0;
    const auto add = [&](double value) {
      value = std::abs(value);
      if (!(value > largest)) {
        sum += largest == 0 ? value : value / largest * (value / largest);
      } else {
        sum = std::isinf(value) ? 1 : sum * (largest / value) * (largest / value) + 1;
        largest = value;
      }
    };
    for (Int i = 0; i < v.n; ++i) {
      add(static_cast<double>(real_of(v[i])));
      if constexpr (is_complex<T>) add(static_cast<double>(v[i].imag()));
    }
    return static_cast<Real<T>>(largest == 0 ? sum : largest * std::sqrt(sum));
  });
}

template <class T>
cublasStatus_t asum(const Call& call, Int n, const T* x, Int incx, Real<T>* result) {
  return reduce_one(call, n, x, incx, result, [](auto v) {
    Real<T> sum = 0;
    for (Int i = 0; i < v.n; ++i) sum += magnitude(v[i]);
    return sum;
  });
}

/// The index, from 1, of the first element of largest or least magnitude.
template <class T, class Index>
cublasStatus_t extreme(const Call& call, bool largest, Int n, const T* x, Int incx, Index* result) {
  return reduce_one(call, n, x, incx, result, [largest](auto v) {
    Int at = 0;
    for (Int i = 1; i < v.n; ++i) {
      const auto now = magnitude(v[i]), best = magnitude(v[at]);
      if (largest ? now > best : now < best) at = i;
    }
    return static_cast<Index>(at + 1);
  });
}

/// Applies a Givens rotation. C is real; S is real or of the element type.
template <class T, class S>
cublasStatus_t rot(const Call& call, Int n, T* x, Int incx, T* y, Int incy, const Real<T>* c, const S* s) {
  const auto cosine = scalar(call, "c", c);
  const auto sine = scalar(call, "s", s);
  if (!cosine || !sine) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> a{x, n, incx}, b{y, n, incy};
  return enqueue(
      call,
      [=] {
        cosine->list("c");
        sine->list("s");
        a.list("x", Use::updates);
        b.list("y", Use::updates);
      },
      [=] {
        const T sin(sine->get()), cos(cosine->get());
        for (Int i = 0; i < n; ++i) {
          const T old = a[i];
          a[i] = mul(cos, old) + mul(sin, b[i]);
          b[i] = mul(cos, b[i]) - mul(conj_if(true, sin), old);
        }
      });
}

/// The 2 x 2 matrix of a modified rotation, from its five parameters.
template <class T>
struct ModifiedRotation {
  T h11, h21, h12, h22;

  explicit ModifiedRotation(const T* p) : h11(p[1]), h21(p[2]), h12(p[3]), h22(p[4]) {
    if (p[0] == T(-2)) *this = ModifiedRotation(1, 0, 0, 1);
    if (p[0] == T(0)) h11 = h22 = 1;
    if (p[0] == T(1)) h12 = 1, h21 = -1;
  }

 private:
  ModifiedRotation(T a, T b, T c, T d) : h11(a), h21(b), h12(c), h22(d) {}
};

template <class T>
struct RotationParameters {
  T values[5];
};

template <class T>
cublasStatus_t rotm(const Call& call, Int n, T* x, Int incx, T* y, Int incy, const T* param) {
  const auto given = scalar(call, "param", reinterpret_cast<const RotationParameters<T>*>(param));
  if (!given) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> a{x, n, incx}, b{y, n, incy};
  return enqueue(
      call,
      [=] {
        given->list("param");
        a.list("x", Use::updates);
        b.list("y", Use::updates);
      },
      [=] {
        const ModifiedRotation<T> h(given->get().values);
        for (Int i = 0; i < n; ++i) {
          const T old = a[i];
          a[i] = h.h11 * old + h.h12 * b[i];
          b[i] = h.h21 * old + h.h22 * b[i];
        }
      });
}

/// Performs work on scalars that the pointer mode places on the host or the device.
template <class List, class Run>
cublasStatus_t on_scalars(const Call& call, List list, Run run) {
  return enqueue(
      call,
      [=] {
        if (call.scalars_on_device) list();
      },
      run, !call.scalars_on_device);
}

template <class V>
void list_scalar(const char* name, const V* at, Use use) {
  list_rows(name, at, sizeof(V), 1, sizeof(V), use);
}

/// Returns false if a pointer is null. On the host, each must not be in device memory.
template <class... Pointers>
bool check_scalars(const Call& call, Pointers... at) {
  if ((... || (at == nullptr))) return false;
  if (!call.scalars_on_device) (rafter_simt_library_scalar(call.name, "a scalar", at, call.place), ...);
  return true;
}

/// Makes the rotation that turns (a, b) into (r, 0).
template <class T>
cublasStatus_t rotg(const Call& call, T* a, T* b, Real<T>* c, T* s) {
  if (!check_scalars(call, a, b, c, s)) return CUBLAS_STATUS_INVALID_VALUE;
  return on_scalars(
      call,
      [=] {
        list_scalar("a", a, Use::updates);
        list_scalar("b", b, Use::updates);
        list_scalar("c", c, Use::writes);
        list_scalar("s", s, Use::writes);
      },
      [=] {
        if constexpr (is_complex<T>) {
          const Real<T> size = std::abs(*a);
          const Real<T> norm = std::hypot(size, std::abs(*b));
          const T phase = size == 0 ? T(1) : *a / size;
          *c = size == 0 ? 0 : size / norm;
          *s = size == 0 ? T(1) : mul(phase, std::conj(*b)) / norm;
          *a = size == 0 ? *b : phase * norm;
        } else {
          const T old_a = *a, old_b = *b;
          const T main = std::abs(old_a) > std::abs(old_b) ? old_a : old_b;
          const T r = std::copysign(std::hypot(old_a, old_b), main);
          *c = r == 0 ? 1 : old_a / r;
          *s = r == 0 ? 0 : old_b / r;
          T z = 0;
          if (r != 0) z = std::abs(old_a) > std::abs(old_b) ? *s : *c != 0 ? 1 / *c : 1;
          *a = r;
          *b = z;
        }
      });
}

/// Makes a modified rotation, as BLAS defines it: the rescaling keeps d1 and d2 between 4096^-2 and 4096^2.
template <class T>
void make_modified_rotation(T& d1, T& d2, T& x1, T y1, T* param) {
  constexpr T gam = 4096, upper = gam * gam, lower = 1 / upper;
  T flag = -1, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  const auto give_up = [&] { d1 = d2 = x1 = 0; };
  if (d1 < 0) {
    give_up();
  } else {
    const T p2 = d2 * y1;
    if (p2 == 0) {
      param[0] = -2;
      return;
    }
    const T p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    if (std::abs(q1) > std::abs(q2)) {
      h21 = -y1 / x1;
      h12 = p2 / p1;
      const T u = 1 - h12 * h21;
      if (u > 0) {
        flag = 0;
        d1 /= u;
        d2 /= u;
        x1 *= u;
      } else {
        give_up();
        h11 = h12 = h21 = h22 = 0;
      }
    } else if (q2 < 0) {
      give_up();
    } else {
      flag = 1;
      h11 = p1 / p2;
      h22 = x1 / y1;
      const T u = 1 + h11 * h22;
      const T old = d1;
      d1 = d2 / u;
      d2 = old / u;
      x1 = y1 * u;
    }
    const auto make_full = [&] {
      if (flag == 0) h11 = h22 = 1;
      if (flag == 1) h21 = -1, h12 = 1;
      flag = -1;
    };
    while (d1 != 0 && (d1 <= lower || d1 >= upper)) {
      make_full();
      const T by = d1 <= lower ? gam : 1 / gam;
      d1 *= by * by;
      x1 /= by;
      h11 /= by;
      h12 /= by;
    }
    while (d2 != 0 && (std::abs(d2) <= lower || std::abs(d2) >= upper)) {
      make_full();
      const T by = std::abs(d2) <= lower ? gam : 1 / gam;
      d2 *= by * by;
      h21 /= by;
      h22 /= by;
    }
  }
  if (flag < 0) param[1] = h11, param[2] = h21, param[3] = h12, param[4] = h22;
  if (flag == 0) param[2] = h21, param[3] = h12;
  if (flag == 1) param[1] = h11, param[4] = h22;
  param[0] = flag;
}

template <class T>
cublasStatus_t rotmg(const Call& call, T* d1, T* d2, T* x1, const T* y1, T* param) {
  if (!check_scalars(call, d1, d2, x1, y1, param)) return CUBLAS_STATUS_INVALID_VALUE;
  return on_scalars(
      call,
      [=] {
        list_scalar("d1", d1, Use::updates);
        list_scalar("d2", d2, Use::updates);
        list_scalar("x1", x1, Use::updates);
        list_scalar("y1", y1, Use::reads);
        list_scalar("param", reinterpret_cast<RotationParameters<T>*>(param), Use::writes);
      },
      [=] { make_modified_rotation(*d1, *d2, *x1, *y1, param); });
}

}  // namespace rafter::simt::blas
