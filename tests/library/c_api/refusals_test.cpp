// Every function of rafter.h that takes tensors refuses each invalid one by name, and writes nothing.
#include <algorithm>
#include <functional>

#include "c_tensors.hpp"

namespace rafter::c_api {
namespace {

using Pointers = std::vector<const rafter_tensor*>;

/// A valid call: its tensors with their names, of which the last `n_outputs` are written.
struct Call {
  const char* function;
  std::vector<std::pair<const char*, Owned>> tensors;
  std::function<rafter_status(const rafter_stream*, const Pointers&)> run;
  std::vector<std::string> optional{};    // may be null
  std::vector<std::string> any_length{};  // may be longer than here
};

template <class... Named>
std::vector<std::pair<const char*, Owned>> named(Named&&... all) {
  std::vector<std::pair<const char*, Owned>> tensors;
  (tensors.emplace_back(std::move(all)), ...);
  return tensors;
}

using F = float;
using I = std::int64_t;

template <class T>
std::pair<const char*, Owned> t(const char* name, std::vector<std::int64_t> shape) {
  return {name, zeros<T>(std::move(shape))};
}

rafter_scatter_plan* plan_of_three(const rafter_stream* stream) {
  static rafter_scatter_plan* plan = nullptr;
  const Owned keys = tensor<std::int32_t>({0, 1, 0});
  if (plan == nullptr) rafter_scatter_plan_create(stream, keys.get(), 2, &plan);
  return plan;
}

rafter_edge_plan* plan_of_edges(const rafter_stream* stream) {
  static rafter_edge_plan* plan = nullptr;
  const Owned index = tensor<I>({0, 1, 1, 0}, {2, 2});
  if (plan == nullptr) rafter_edge_plan_create(stream, index.get(), 2, &plan);
  return plan;
}

constexpr rafter_heat_problem cube = RAFTER_HEAT_PROBLEM_INIT;

std::vector<Call> array_calls() {
  std::vector<Call> calls;
  calls.push_back({"rafter_fill",
                   named(t<F>("out", {5})),
                   [](auto* s, auto& x) {
                     return rafter_fill(s, {1, 0}, x[0]);
                   },
                   {},
                   {"out"}});
  calls.push_back({"rafter_mul_add", named(t<F>("a", {5}), t<F>("b", {5}), t<F>("c", {5}), t<F>("out", {5})),
                   [](auto* s, auto& x) { return rafter_mul_add(s, x[0], x[1], x[2], x[3]); }});
  calls.push_back({"rafter_multiply", named(t<F>("a", {5}), t<F>("b", {5}), t<F>("out", {5})),
                   [](auto* s, auto& x) { return rafter_multiply(s, x[0], x[1], x[2]); }});
  calls.push_back({"rafter_scale", named(t<F>("a", {5}), t<F>("out", {5})), [](auto* s, auto& x) {
                     return rafter_scale(s, x[0], {2, 0}, x[1]);
                   }});
  calls.push_back({"rafter_convert", named(t<F>("in", {5}), t<I>("out", {5})),
                   [](auto* s, auto& x) { return rafter_convert(s, x[0], x[1]); }});
  calls.push_back({"rafter_iota",
                   named(t<F>("out", {5})),
                   [](auto* s, auto& x) {
                     return rafter_iota(s, {1, 0}, {2, 0}, x[0]);
                   },
                   {},
                   {"out"}});
  using Find = rafter_status (*)(const rafter_stream*, const rafter_tensor*, const rafter_tensor*);
  const auto add_search = [&](const char* name, Find find, auto result) {
    calls.push_back({name,
                     named(t<F>("in", {5}), std::move(result)),
                     [find](auto* s, auto& x) { return find(s, x[0], x[1]); },
                     {},
                     {"in"}});
  };
  add_search("rafter_minimum", rafter_minimum, t<F>("out", {1}));
  add_search("rafter_maximum", rafter_maximum, t<F>("out", {1}));
  add_search("rafter_argmin", rafter_argmin, t<I>("index", {1}));
  add_search("rafter_argmax", rafter_argmax, t<I>("index", {1}));
  calls.push_back({"rafter_sum",
                   named(t<F>("in", {5}), t<F>("out", {1})),
                   [](auto* s, auto& x) { return rafter_sum(s, x[0], x[1]); },
                   {},
                   {"in"}});
  calls.push_back({"rafter_inclusive_sum", named(t<F>("in", {5}), t<F>("out", {5})),
                   [](auto* s, auto& x) { return rafter_inclusive_sum(s, x[0], x[1]); }});
  calls.push_back({"rafter_exclusive_sum", named(t<F>("in", {5}), t<F>("out", {5})),
                   [](auto* s, auto& x) { return rafter_exclusive_sum(s, x[0], x[1]); }});
  calls.push_back({"rafter_filter",
                   named(t<F>("in", {5}), t<F>("out", {5}), t<I>("count", {1})),
                   [](auto* s, auto& x) {
                     const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_LESS_EQUAL, RAFTER_VALUE, {1, 0}};
                     return rafter_filter(s, x[0], &keep, RAFTER_ORDER_PRESERVED, x[1], x[2]);
                   },
                   {},
                   {"in", "out"}});
  calls.push_back({"rafter_filter_indices",
                   named(t<F>("in", {5}), t<I>("indices", {5}), t<I>("count", {1})),
                   [](auto* s, auto& x) {
                     const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_LESS_EQUAL, RAFTER_VALUE, {1, 0}};
                     return rafter_filter_indices(s, x[0], &keep, RAFTER_ORDER_PRESERVED, x[1], x[2]);
                   },
                   {},
                   {"in", "indices"}});
  calls.push_back({"rafter_filter_columns",
                   named(t<F>("key", {5}), t<F>("columns[0].in", {5}), t<I>("columns[1].in", {5}),
                         t<F>("columns[0].out", {5}), t<I>("columns[1].out", {5}), t<I>("count", {1})),
                   [](auto* s, auto& x) {
                     const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_LESS_EQUAL, RAFTER_VALUE, {1, 0}};
                     const rafter_filter_column columns[] = {{x[1], x[3]}, {x[2], x[4]}};
                     return rafter_filter_columns(s, x[0], &keep, RAFTER_ORDER_PRESERVED, columns, 2, x[5]);
                   }});
  calls.push_back({"rafter_gather",
                   named(t<F>("table", {5}), t<I>("indices", {3}), t<F>("out", {3}), t<I>("bad", {2})),
                   [](auto* s, auto& x) { return rafter_gather(s, x[0], x[1], RAFTER_INDEX_REPORT, x[2], x[3]); },
                   {},
                   {"table"}});
  calls.push_back({"rafter_row_sums", named(t<F>("in", {3, 5}), t<F>("out", {3})),
                   [](auto* s, auto& x) { return rafter_row_sums(s, x[0], x[1]); }});
  calls.push_back({"rafter_transpose", named(t<F>("in", {3, 5}), t<F>("out", {5, 3})),
                   [](auto* s, auto& x) { return rafter_transpose(s, x[0], x[1]); }});
  calls.push_back({"rafter_conv",
                   named(t<F>("in", {1, 2, 6, 5}), t<F>("kernels", {3, 2, 3, 2}), t<F>("out", {1, 3, 4, 4})),
                   [](auto* s, auto& x) { return rafter_conv(s, x[0], x[1], nullptr, x[2]); }});
  return calls;
}

std::vector<Call> key_calls() {
  std::vector<Call> calls;
  calls.push_back(
      {"rafter_scatter",
       named(t<I>("keys", {3}), t<F>("values", {3}), t<F>("out", {2}), t<I>("counts", {2}), t<I>("arguments", {2})),
       [](auto* s, auto& x) {
         return rafter_scatter(s, x[0], x[1], RAFTER_REDUCE_MAX, RAFTER_KEYS_UNSORTED, x[2], x[3], x[4]);
       },
       {"counts", "arguments"}});
  calls.push_back({"rafter_scatter_by_plan",
                   named(t<F>("values", {3}), t<F>("out", {2}), t<I>("counts", {2}), t<I>("arguments", {2})),
                   [](auto* s, auto& x) {
                     return rafter_scatter_by_plan(s, plan_of_three(s), x[0], RAFTER_REDUCE_MIN, x[1], x[2], x[3]);
                   },
                   {"counts", "arguments"}});
  calls.push_back({"rafter_scatter_gradient",
                   named(t<I>("keys", {3}), t<I>("counts", {2}), t<F>("out_gradient", {2}), t<F>("gradient", {3})),
                   [](auto* s, auto& x) {
                     return rafter_scatter_gradient(s, x[0], RAFTER_REDUCE_MEAN, x[1], nullptr, x[2], x[3]);
                   }});
  calls.push_back(
      {"rafter_scatter_gradient_by_plan",
       named(t<I>("arguments", {2}), t<F>("out_gradient", {2}), t<F>("gradient", {3})), [](auto* s, auto& x) {
         return rafter_scatter_gradient_by_plan(s, plan_of_three(s), RAFTER_REDUCE_MAX, nullptr, x[0], x[1], x[2]);
       }});
  calls.push_back({"rafter_scatter_plan_create",
                   named(t<I>("keys", {3})),
                   [](auto* s, auto& x) {
                     rafter_scatter_plan* plan = nullptr;
                     const rafter_status status = rafter_scatter_plan_create(s, x[0], 2, &plan);
                     EXPECT_EQ(plan != nullptr, status == RAFTER_OK);
                     rafter_scatter_plan_destroy(plan);
                     return status;
                   },
                   {},
                   {"keys"}});
  return calls;
}

std::vector<Call> space_calls() {
  std::vector<Call> calls;
  calls.push_back({"rafter_radial", named(t<F>("distances", {4}), t<F>("centres", {3}), t<F>("out", {4, 3})),
                   [](auto* s, auto& x) { return rafter_radial(s, x[0], x[1], 16, 5, x[2]); }});
  calls.push_back(
      {"rafter_radial_gradient",
       named(t<F>("distances", {4}), t<F>("centres", {3}), t<F>("out_gradient", {4, 3}), t<F>("gradient", {4})),
       [](auto* s, auto& x) { return rafter_radial_gradient(s, x[0], x[1], 16, 5, x[2], x[3]); }});
  calls.push_back({"rafter_edge_vectors",
                   named(t<F>("positions", {2, 3}), t<I>("index", {2, 4}), t<F>("vectors", {4, 3}),
                         t<F>("distances", {4}), t<F>("units", {4, 3})),
                   [](auto* s, auto& x) { return rafter_edge_vectors(s, x[0], x[1], x[2], x[3], x[4]); }});
  calls.push_back({"rafter_edge_plan_create", named(t<I>("index", {2, 4})), [](auto* s, auto& x) {
                     rafter_edge_plan* plan = nullptr;
                     const rafter_status status = rafter_edge_plan_create(s, x[0], 2, &plan);
                     EXPECT_EQ(plan != nullptr, status == RAFTER_OK);
                     rafter_edge_plan_destroy(plan);
                     return status;
                   }});
  calls.push_back(
      {"rafter_edge_gradient",
       named(t<F>("positions", {2, 3}), t<F>("vectors_gradient", {2, 3}), t<F>("distances_gradient", {2}),
             t<F>("units_gradient", {2, 3}), t<F>("gradient", {2, 3})),
       [](auto* s, auto& x) { return rafter_edge_gradient(s, x[0], plan_of_edges(s), x[1], x[2], x[3], x[4]); }});
  calls.push_back({"rafter_heat_advance", named(t<F>("in", {9, 9, 9}), t<F>("out", {9, 9, 9}), t<F>("work", {9, 9, 9})),
                   [](auto* s, auto& x) { return rafter_heat_advance(s, x[0], &cube, 1, x[1], x[2]); }});
  calls.push_back({"rafter_heat_advance_box",
                   named(t<F>("in", {9, 9, 9}), t<F>("out", {9, 9, 9}), t<F>("work", {2 * 9 * 9 * 12})),
                   [](auto* s, auto& x) {
                     const std::int64_t first[] = {0, 0, 0};
                     return rafter_heat_advance_box(s, x[0], &cube, first, x[1], x[2]);
                   },
                   {},
                   {"work"}});
  return calls;
}

std::vector<Call> all_calls() {
  std::vector<Call> calls = array_calls();
  for (auto&& more : {key_calls, space_calls})
    for (Call& call : more()) calls.push_back(std::move(call));
  return calls;
}

/// A way to pass an invalid tensor.
struct Mistake {
  const char* name;
  std::function<void(Owned&)> make;
};

const std::vector<Mistake>& mistakes() {
  static std::int64_t huge[] = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  static const std::vector<Mistake> all{
      {"type",
       [](Owned& x) {
         x.tensor().dtype = {RAFTER_TYPE_UINT, 32, 1};
       }},
      {"lanes", [](Owned& x) { x.tensor().dtype.lanes = 2; }},
      {"unknown type",
       [](Owned& x) {
         x.tensor().dtype = {77, 3, 1};
       }},
      {"GPU",
       [](Owned& x) {
         x.tensor().device = {RAFTER_DEVICE_CUDA, 0};
       }},
      {"unknown device",
       [](Owned& x) {
         x.tensor().device = {99, 0};
       }},
      {"negative extent", [](Owned& x) { x.shape()[0] = -1; }},
      {"longer", [](Owned& x) { x.shape().back() += 1; }},
      {"negative rank", [](Owned& x) { x.tensor().ndim = -1; }},
      {"huge rank", [](Owned& x) { x.tensor().ndim = 1000; }},
      {"no shape", [](Owned& x) { x.tensor().shape = nullptr; }},
      {"no data", [](Owned& x) { x.tensor().data = nullptr; }},
      {"huge", [](Owned& x) { x.tensor().ndim = 2, x.tensor().shape = huge, x.tensor().strides = nullptr; }},
      {"reversed", [](Owned& x) { x.strides().back() = -1; }},
      {"columns apart", [](Owned& x) { x.strides().back() = 2; }},
      {"rows overlap", [](Owned& x) { x.strides()[0] = 0; }},
      {"huge stride", [](Owned& x) { x.strides()[0] = INT64_MAX; }},
      {"huge stride of rows", [](Owned& x) { x.strides()[x.strides().size() / 2] = INT64_MAX / 8; }},
      {"misaligned", [](Owned& x) { x.tensor().byte_offset = 1; }},
  };
  return all;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a mistake makes this tensor invalid.
bool applies(const Mistake& mistake, const Call& call, const char* name, Owned& tensor) {
  const std::string kind = mistake.name;
  if (kind == "longer") return !contains(call.any_length, name);
  if (kind == "rows overlap" || kind == "huge stride") return tensor.shape().front() > 1;
  if (kind == "huge stride of rows") return tensor.shape()[tensor.shape().size() / 2] > 1;
  if (kind == "reversed" || kind == "columns apart") return tensor.shape().back() > 1;
  return true;
}

/// Returns pointers to a call's tensors, with one replaced.
Pointers pointers(const Call& call, std::size_t replaced, const rafter_tensor* by) {
  Pointers all;
  for (const auto& [name, tensor] : call.tensors) all.push_back(tensor.get());
  if (replaced < all.size()) all[replaced] = by;
  return all;
}

/// A mistake in the first tensor may show in another one, with which it then disagrees.
bool names_a_tensor(const Call& call) {
  for (const auto& [name, tensor] : call.tensors)
    if (last_argument() == name) return true;
  return false;
}

TEST(CApi, ValidCallsSucceed) {
  const StreamHandle stream = cpu_stream();
  for (const Call& call : all_calls())
    EXPECT_EQ(call.run(stream.get(), pointers(call, 99, nullptr)), RAFTER_OK)
        << call.function << ": " << last_message();
}

TEST(CApi, NullTensorsAreRefused) {
  const StreamHandle stream = cpu_stream();
  for (const Call& call : all_calls()) {
    for (std::size_t i = 0; i < call.tensors.size(); ++i) {
      const std::string name = call.tensors[i].first;
      const bool optional = contains(call.optional, name);
      const rafter_status status = call.run(stream.get(), pointers(call, i, nullptr));
      EXPECT_EQ(status, optional ? RAFTER_OK : RAFTER_BAD_ARGUMENT) << call.function << " without " << name;
      if (status == RAFTER_OK) continue;
      EXPECT_EQ(last_argument(), name) << last_message();
      EXPECT_STREQ(rafter_last_error()->function, call.function);
      EXPECT_EQ(last_message().rfind(call.function + (": " + name + " "), 0), 0U) << last_message();
    }
  }
}

TEST(CApi, NullStreamsAreRefused) {
  const StreamHandle stream = cpu_stream();
  plan_of_three(stream.get());
  plan_of_edges(stream.get());
  for (const Call& call : all_calls()) {
    EXPECT_EQ(call.run(nullptr, pointers(call, 99, nullptr)), RAFTER_BAD_ARGUMENT) << call.function;
    EXPECT_EQ(last_argument(), "stream");
  }
}

TEST(CApi, InvalidTensorsAreRefusedByNameAndNothingIsWritten) {
  const StreamHandle stream = cpu_stream();
  for (const Mistake& mistake : mistakes()) {
    for (Call& call : all_calls()) {
      for (std::size_t i = 0; i < call.tensors.size(); ++i) {
        auto& [name, tensor] = call.tensors[i];
        const std::string what = std::string(call.function) + ", " + name + ": " + mistake.name;
        if (!applies(mistake, call, name, tensor)) continue;
        std::vector<std::vector<std::byte>> before;
        for (const auto& other : call.tensors) before.push_back(other.second.bytes());
        mistake.make(tensor);
        EXPECT_EQ(call.run(stream.get(), pointers(call, 99, nullptr)), RAFTER_BAD_ARGUMENT) << what;
        EXPECT_STREQ(rafter_last_error()->function, call.function) << what;
        EXPECT_TRUE(names_a_tensor(call)) << what << ": " << last_message();
        for (std::size_t k = 0; k < before.size(); ++k)
          EXPECT_EQ(call.tensors[k].second.bytes(), before[k]) << what << " wrote " << call.tensors[k].first;
        tensor.restore();
      }
    }
  }
}

}  // namespace
}  // namespace rafter::c_api
