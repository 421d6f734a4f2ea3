// The operations of both models one by one, as a framework runs them: each is a function of an element's index, and
// every result is stored in memory. For any extents and number types. Bound by DRAM.
#pragma once

#include "forcefield/cuda/forcefield_lists.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int each_threads = 256;

template <class Operation>
__global__ void __launch_bounds__(each_threads) run_each(std::int64_t n, Operation operation) {
  const std::int64_t i = std::int64_t{blockIdx.x} * each_threads + threadIdx.x;
  if (i < n) operation(i);
}

/// Enqueues operation(i) for all i < n.
template <class Operation>
void launch_each(const Stream& stream, std::int64_t n, const Operation& operation) {
  core::launch(run_each<Operation>, ceil_div(n, each_threads), each_threads, 0, stream, n, operation);
}

template <class T>
struct SiluAt {
  T value;
  T slope;
  __device__ explicit SiluAt(T x) {
    const T share = 1 / (1 + exp(-x));
    value = x * share;
    slope = share * (1 + x * (1 - share));
  }
};

template <class T>
struct Activate {
  const T* in;
  T* out;
  __device__ void operator()(std::int64_t i) const { out[i] = SiluAt<T>(in[i]).value; }
};

/// Multiplies g by the derivative of SiLU.
template <class T>
struct ActivateBackward {
  const T* in;
  T* g;
  __device__ void operator()(std::int64_t i) const { g[i] *= SiluAt<T>(in[i]).slope; }
};

template <class T>
struct Add {
  const T* in;
  T* sum;
  __device__ void operator()(std::int64_t i) const { sum[i] += in[i]; }
};

template <class T>
struct Set {
  T value;
  T* out;
  __device__ void operator()(std::int64_t i) const { out[i] = value; }
};

/// Copies rows of the embedding.
template <class T>
struct Embed {
  ModelView model;
  AtomRange range;
  T* s;
  __device__ void operator()(std::int64_t i) const {
    const auto atom = static_cast<int>(i / model.features);
    const AtomRange::Place place = range.place_of(atom);
    const std::int64_t element = range.batch.elements[place.source + atom - place.first];
    s[i] = static_cast<T>(model.tensors[model.at.embedding + element * model.features + i % model.features]);
  }
};

/// Computes the receiver of each edge, and the index of its reverse edge.
template <class T>
struct PairEdges {
  const std::int64_t* first;
  const ListedEdge<T>* edges;
  int* receiver;
  std::int64_t* reverse;
  __device__ void operator()(std::int64_t atom) const {
    for (std::int64_t e = first[atom]; e < first[atom + 1]; ++e) {
      receiver[e] = static_cast<int>(atom);
      const ListedEdge<T> edge = edges[e];
      for (std::int64_t r = first[edge.sender]; r < first[edge.sender + 1]; ++r) {
        const ListedEdge<T> other = edges[r];
        if (other.sender == atom && other.x == -edge.x && other.y == -edge.y && other.z == -edge.z) reverse[e] = r;
      }
    }
  }
};

template <class T>
__device__ T unit_epsilon_of(const ModelView& model) {
  return model.is_painn() ? T{0} : static_cast<T>(1e-8);
}

/// Computes lengths and unit vectors.
template <class T>
struct EdgeVectors {
  ModelView model;
  const ListedEdge<T>* edges;
  T* distance;
  T* unit;  // [edges][3]
  __device__ void operator()(std::int64_t e) const {
    const ListedEdge<T> edge = edges[e];
    const T d = sqrt(squared_length(edge.x, edge.y, edge.z)), divisor = d + unit_epsilon_of<T>(model);
    distance[e] = d;
    unit[3 * e] = edge.x / divisor;
    unit[3 * e + 1] = edge.y / divisor;
    unit[3 * e + 2] = edge.z / divisor;
  }
};

/// A value and its derivative with respect to the distance.
template <class T>
struct Slope {
  T value;
  T slope;
};

template <class T>
__device__ Slope<T> cutoff_at(const ModelView& model, T d) {
  const T cutoff = static_cast<T>(model.cutoff), frequency = static_cast<T>(3.14159265358979323846) / cutoff;
  if (!(d < cutoff)) return {0, 0};
  return {(cos(frequency * d) + 1) / 2, -sin(frequency * d) * frequency / 2};
}

template <class T>
__device__ Slope<T> radial_at(const ModelView& model, std::int64_t k, T d) {
  const T centre = static_cast<T>(model.tensors[model.at.radial_centre + k]);
  if (model.basis == RadialBasis::bessel) {
    const T value = sin(centre * d) / d;
    return {value, (centre * cos(centre * d) - value) / d};
  }
  const T width = static_cast<T>(model.tensors[model.at.radial_width + k]);
  const T sharpness = (model.is_painn() ? static_cast<T>(0.5) : T{1}) / (width * width);
  const T value = exp(-sharpness * (d - centre) * (d - centre));
  return {value, -2 * sharpness * (d - centre) * value};
}

template <class T>
struct Cutoffs {
  ModelView model;
  const T* distance;
  T* cutoff;
  __device__ void operator()(std::int64_t e) const { cutoff[e] = cutoff_at(model, distance[e]).value; }
};

/// Computes radial functions; the student's are multiplied by the cutoff.
template <class T>
struct Radial {
  ModelView model;
  const T* distance;
  const T* cutoff;
  T* phi;  // [edges][radial]
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t e = i / model.radial;
    const T value = radial_at(model, i % model.radial, distance[e]).value;
    phi[i] = model.is_painn() ? value : value * cutoff[e];
  }
};

/// Computes lengths, unit vectors, cutoffs and radial functions in one operation.
template <class T>
struct EdgeFeatures {
  EdgeVectors<T> vectors;
  Cutoffs<T> cutoffs;
  Radial<T> radial;
  __device__ void operator()(std::int64_t e) const {
    vectors(e);
    cutoffs(e);
    for (std::int64_t k = 0; k < radial.model.radial; ++k) radial(e * radial.model.radial + k);
  }
};

/// Multiplies painn's filters by the cutoff.
template <class T>
struct CutOff {
  std::int64_t width;
  const T* raw;
  const T* cutoff;
  T* filters;
  __device__ void operator()(std::int64_t i) const { filters[i] = raw[i] * cutoff[i / width]; }
};

/// The factor of a filter in an atom's message.
template <class T>
struct SentBy {
  ModelView model;
  const T* s;        // student: [atoms][f]
  const T* context;  // painn: [atoms][3][f]
  __device__ T operator()(std::int64_t atom, int filter, std::int64_t c) const {
    if (model.is_painn()) return context[(atom * n_filters + filter) * model.features + c];
    return filter == scalar_filter ? s[atom * model.features + c] : T{1};
  }
};

template <class T>
struct Messages {
  SentBy<T> sent;
  const ListedEdge<T>* edges;
  const T* unit;
  const T* filters;  // [edges][3][f]
  const T* v;
  T* to_s;  // [edges][f]
  T* to_v;  // [edges][3][f]
  __device__ void operator()(std::int64_t i) const {
    const ModelView& model = sent.model;
    const std::int64_t f = model.features, e = i / f, c = i % f, j = edges[e].sender;
    const int along = model.edge_filter(), from = model.vector_filter();
    const auto passed = [&](int filter) { return filters[(e * n_filters + filter) * f + c] * sent(j, filter, c); };
    to_s[i] = passed(scalar_filter);
    const T to_edge = passed(along), to_vector = passed(from);
    for (int x = 0; x < 3; ++x)
      to_v[(e * 3 + x) * f + c] = to_edge * unit[3 * e + x] + to_vector * v[(j * 3 + x) * f + c];
  }
};

/// Computes sum[atom] = start[atom] + the rows of its edges in their order; by sender, those of the reverse edges.
template <class T>
struct SumEdges {
  const std::int64_t* first;
  const std::int64_t* reverse;  // null: by receiver
  std::int64_t width;
  const T* start;  // or null
  const T* rows;
  T* sum;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / width, c = i % width;
    T total = start == nullptr ? T{0} : start[i];
    for (std::int64_t e = first[atom]; e < first[atom + 1]; ++e)
      total += rows[(reverse == nullptr ? e : reverse[e]) * width + c];
    sum[i] = total;
  }
};

/// Computes the update's input, [atoms][2f]: scalars, and lengths of vectors ([atoms][3][stride]).
template <class T>
struct JoinLengths {
  std::int64_t f, stride;
  T epsilon;
  const T* s;
  const T* vectors;
  T* joined;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    T square = epsilon;
    for (int x = 0; x < 3; ++x) {
      const T v = vectors[(atom * 3 + x) * stride + c];
      square += v * v;
    }
    joined[atom * 2 * f + c] = s[i];
    joined[atom * 2 * f + f + c] = sqrt(square);
  }
};

template <class T>
struct UpdateStudent {
  std::int64_t f;
  const float* mixing;
  const T *gates, *s_sum, *v_sum;
  T *s, *v;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    const T* gate = gates + atom * 3 * f + c;
    s[i] = s_sum[i] + gate[0];
    for (int x = 0; x < 3; ++x) {
      T turned = 0;
      for (int y = 0; y < 3; ++y) turned += static_cast<T>(mixing[3 * x + y]) * v_sum[(atom * 3 + y) * f + c];
      v[(atom * 3 + x) * f + c] = v_sum[(atom * 3 + x) * f + c] * gate[f] + turned * gate[2 * f];
    }
  }
};

template <class T>
struct UpdatePainn {
  std::int64_t f;
  const T *gates, *mixed, *s_sum, *v_sum;
  T *s, *v;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    const T* gate = gates + atom * 3 * f + c;
    T product = 0;
    for (int x = 0; x < 3; ++x) {
      const T* row = mixed + (atom * 3 + x) * 2 * f + c;
      product += row[0] * row[f];
      v[(atom * 3 + x) * f + c] = v_sum[(atom * 3 + x) * f + c] + gate[f] * row[f];
    }
    s[i] = s_sum[i] + gate[0] + gate[2 * f] * product;
  }
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
