// The gradients of the operations, one kernel each.
#pragma once

#include "forcefield/cuda/forcefield_operations.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Computes, from gs and gv after the update, the gradients with respect to the gates, and with respect to the vectors
/// where they are used directly.
template <class T>
struct UpdateStudentBackward {
  std::int64_t f;
  const float* mixing;
  const T *gates, *v_sum, *gs, *gv;
  T *g_gates, *gv_sum;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    const T* gate = gates + atom * 3 * f + c;
    T straight = 0, turned = 0;
    for (int x = 0; x < 3; ++x) {
      T mixed = 0, back = 0;
      for (int y = 0; y < 3; ++y) {
        mixed += static_cast<T>(mixing[3 * x + y]) * v_sum[(atom * 3 + y) * f + c];
        back += static_cast<T>(mixing[3 * y + x]) * gv[(atom * 3 + y) * f + c];
      }
      const std::int64_t at = (atom * 3 + x) * f + c;
      straight += gv[at] * v_sum[at];
      turned += gv[at] * mixed;
      gv_sum[at] = gv[at] * gate[f] + back * gate[2 * f];
    }
    g_gates[atom * 3 * f + c] = gs[i];
    g_gates[(atom * 3 + 1) * f + c] = straight;
    g_gates[(atom * 3 + 2) * f + c] = turned;
  }
};

template <class T>
struct UpdatePainnBackward {
  std::int64_t f;
  const T *gates, *mixed, *gs, *gv;
  T *g_gates, *g_mixed;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    const T* gate = gates + atom * 3 * f + c;
    T product = 0, along = 0;
    for (int x = 0; x < 3; ++x) {
      const std::int64_t row = (atom * 3 + x) * 2 * f + c;
      const T left = mixed[row], right = mixed[row + f], g = gv[(atom * 3 + x) * f + c];
      product += left * right;
      along += g * right;
      g_mixed[row] = gs[i] * gate[2 * f] * right;
      g_mixed[row + f] = gs[i] * gate[2 * f] * left + g * gate[f];
    }
    g_gates[atom * 3 * f + c] = gs[i];
    g_gates[(atom * 3 + 1) * f + c] = along;
    g_gates[(atom * 3 + 2) * f + c] = gs[i] * product;
  }
};

/// Adds the gradients with respect to [scalars, lengths] to gs and to those of the vectors.
template <class T>
struct JoinLengthsBackward {
  std::int64_t f, stride;
  T epsilon;
  const T *g_joined, *vectors;
  T *gs, *g_vectors;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t atom = i / f, c = i % f;
    gs[i] += g_joined[atom * 2 * f + c];
    T square = epsilon;
    for (int x = 0; x < 3; ++x) {
      const T v = vectors[(atom * 3 + x) * stride + c];
      square += v * v;
    }
    if (!(square > 0)) return;  // the gradient at 0 is 0, as in PyTorch
    const T share = g_joined[atom * 2 * f + f + c] / sqrt(square);
    for (int x = 0; x < 3; ++x) g_vectors[(atom * 3 + x) * stride + c] += share * vectors[(atom * 3 + x) * stride + c];
  }
};

/// Computes each edge's gradients with respect to its filters, the sender's factors, the sender's vectors and, per
/// channel, the unit vector.
template <class T>
struct MessagesBackward {
  SentBy<T> sent;
  const ListedEdge<T>* edges;
  const int* receiver;
  const T *unit, *filters, *v, *gs, *gv;
  T* g_filters;  // [edges][3][f]
  T* g_sent;     // [edges][3][f]
  T* g_v;        // [edges][3][f]
  T* g_unit;     // [edges][3][f]
  __device__ void operator()(std::int64_t i) const {
    const ModelView& model = sent.model;
    const std::int64_t f = model.features, e = i / f, c = i % f, j = edges[e].sender, r = receiver[e];
    const int along = model.edge_filter(), from = model.vector_filter();
    T by[n_filters] = {gs[r * f + c], 0, 0};
    for (int x = 0; x < 3; ++x) {
      const T g = gv[(r * 3 + x) * f + c];
      by[along] += g * unit[3 * e + x];
      by[from] += g * v[(j * 3 + x) * f + c];
    }
    for (int filter = 0; filter < n_filters; ++filter) {
      const std::int64_t at = (e * n_filters + filter) * f + c;
      g_filters[at] = by[filter] * sent(j, filter, c);
      g_sent[at] = by[filter] * filters[at];
    }
    const T to_edge = filters[(e * n_filters + along) * f + c] * sent(j, along, c);
    const T to_vector = filters[(e * n_filters + from) * f + c] * sent(j, from, c);
    for (int x = 0; x < 3; ++x) {
      const T g = gv[(r * 3 + x) * f + c];
      g_unit[(e * 3 + x) * f + c] = to_edge * g;
      g_v[(e * 3 + x) * f + c] = to_vector * g;
    }
  }
};

/// Computes the sums over the channels of rows: sum[i] = or sum[i] += ...
template <class T>
struct SumChannels {
  std::int64_t f;
  const T* rows;
  T* sum;
  __device__ void operator()(std::int64_t i) const {
    T total = 0;
    for (std::int64_t c = 0; c < f; ++c) total += rows[i * f + c];
    sum[i] += total;
  }
};

/// Extracts the gradient of the student's scalars, the factor of the first of three filters.
template <class T>
struct AddScalars {
  std::int64_t f;
  const T* g_sent;  // [atoms][3][f]
  T* gs;
  __device__ void operator()(std::int64_t i) const { gs[i] += g_sent[(i / f * n_filters + scalar_filter) * f + i % f]; }
};

/// Replaces painn's gradients with respect to filters by those before the cutoff; adds to the cutoff's gradient.
template <class T>
struct CutOffBackward {
  std::int64_t width;
  const T *raw, *cutoff;
  T *g_filters, *g_cutoff;
  __device__ void operator()(std::int64_t e) const {
    T total = 0;
    for (std::int64_t i = e * width; i < (e + 1) * width; ++i) {
      total += g_filters[i] * raw[i];
      g_filters[i] *= cutoff[e];
    }
    g_cutoff[e] += total;
  }
};

/// Adds the radial functions' contribution to the gradient with respect to the distance.
template <class T>
struct RadialBackward {
  ModelView model;
  const T *distance, *g_phi;
  T* g_distance;
  __device__ void operator()(std::int64_t e) const {
    const T d = distance[e];
    const Slope<T> cut = model.is_painn() ? Slope<T>{1, 0} : cutoff_at(model, d);
    T total = 0;
    for (std::int64_t k = 0; k < model.radial; ++k) {
      const Slope<T> phi = radial_at(model, k, d);
      total += g_phi[e * model.radial + k] * (phi.slope * cut.value + phi.value * cut.slope);
    }
    g_distance[e] += total;
  }
};

/// Replaces gradients with respect to unit vectors by those with respect to edges.
template <class T>
struct EdgeVectorsBackward {
  ModelView model;
  const ListedEdge<T>* edges;
  const T *distance, *unit, *g_distance, *g_cutoff;
  T* g_edge;  // [edges][3]: in, with respect to unit vectors; out, to edges
  __device__ void operator()(std::int64_t e) const {
    const T d = distance[e], divisor = d + unit_epsilon_of<T>(model);
    const ListedEdge<T> edge = edges[e];
    const T r[3] = {edge.x, edge.y, edge.z};
    T along = 0;
    for (int x = 0; x < 3; ++x) along += g_edge[3 * e + x] * unit[3 * e + x];
    const T by_length = g_distance[e] + (model.is_painn() ? g_cutoff[e] * cutoff_at(model, d).slope : T{0});
    for (int x = 0; x < 3; ++x)
      g_edge[3 * e + x] = r[x] / d * (by_length - along / divisor) + g_edge[3 * e + x] / divisor;
  }
};

/// Computes the gradients of radial functions and edges in one operation.
template <class T>
struct EdgeFeaturesBackward {
  RadialBackward<T> radial;
  EdgeVectorsBackward<T> vectors;
  __device__ void operator()(std::int64_t e) const {
    radial(e);
    vectors(e);
  }
};

/// Returns 0, or NaN if a position of the molecule is not finite.
template <class T>
__device__ T poison_of(const T* positions, int n) {
  T poison = 0;
  for (int i = 0; i < 3 * n; ++i) poison += 0 * positions[i];
  return poison;
}

/// Computes energies of molecules from those of atoms, [atoms], and virials from edges.
template <class T>
struct SumMolecules {
  AtomRange range;
  const std::int64_t* first;
  const ListedEdge<T>* edges;
  const T *positions, *atom_energies, *g_edge;
  double *energies, *virials;  // virials may be null
  __device__ void operator()(std::int64_t i) const {
    const AtomRange::Place place = range.place_of_slot(range.first_slot + i);
    const double poison = static_cast<double>(poison_of(positions + 3 * place.source, place.n));
    double energy = poison;
    for (int a = place.first; a < place.first + place.n; ++a) energy += static_cast<double>(atom_energies[a]);
    energies[place.molecule] = energy;
    if (virials == nullptr) return;
    double sum[9] = {};
    for (std::int64_t e = first[place.first]; e < first[place.first + place.n]; ++e) {
      const T r[3] = {edges[e].x, edges[e].y, edges[e].z};
      for (int k = 0; k < 9; ++k) sum[k] += static_cast<double>(g_edge[3 * e + k / 3]) * static_cast<double>(r[k % 3]);
    }
    for (int k = 0; k < 9; ++k) virials[9 * std::int64_t{place.molecule} + k] = poison - sum[k];
  }
};

/// Computes forces of atoms from the gradients with respect to their edges, in both directions.
template <class T>
struct SumForces {
  AtomRange range;
  const std::int64_t *first, *reverse;
  const T *positions, *g_edge;
  T* forces;
  __device__ void operator()(std::int64_t atom) const {
    const AtomRange::Place place = range.place_of(static_cast<int>(atom));
    const T poison = poison_of(positions + 3 * place.source, place.n);
    T sum[3] = {poison, poison, poison};
    for (std::int64_t e = first[atom]; e < first[atom + 1]; ++e) {
      for (int x = 0; x < 3; ++x) sum[x] += g_edge[3 * e + x] - g_edge[3 * reverse[e] + x];
    }
    for (int x = 0; x < 3; ++x) forces[3 * (place.source + atom - place.first) + x] = sum[x];
  }
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
