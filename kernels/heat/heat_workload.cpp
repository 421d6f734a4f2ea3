// heat: the workload's contract and its ladder.
#include <algorithm>
#include <utility>

#include "heat/heat_answers.hpp"
#include "heat/heat_rung.hpp"
#include "workbench/lab/cases/family.hpp"
#include "workbench/lab/cases/pitched.hpp"

#define HEAT_LADDER(RUNG, OP, PEER)                                                                                  \
  RUNG(cpu, textbook, "Classical RK4: four slopes and their sum, plain loops.")                                      \
  RUNG(cpu, horner, "L is linear: the stages nest, four sweeps without slopes.")                                     \
  RUNG(cpu, blocked, "Vectors along x, a few rows at a time, in blocks that stay in the cache.")                     \
  OP(cpu, wavefront, "All four stages move through the planes together: the grid is read and written once.")         \
  RUNG(cuda, textbook, "Classical RK4: four slopes and their sum, one thread per cell, weights in an array.")        \
  RUNG(cuda, constant_weights, "The weights as kernel parameters: multiply-adds read them from constant memory.")    \
  RUNG(cuda, horner, "L is linear: the stages nest, four sweeps without slopes.")                                    \
  RUNG(cuda, tiled_sweep, "A stage moves tiles through the planes: shared memory along x and y, registers along z.") \
  RUNG(cuda, two_stages, "RK4 as two quadratic factors of the same form: two stages in one sweep.")                  \
  RUNG(cuda, fused_sweeps, "Order 2: all four stages in one sweep; else two and two.")                               \
  RUNG(cuda, one_launch, "For small grids: one stage at a time, all in one launch; blocks wait for adjacent slabs.") \
  OP(cuda, by_size, "One launch for small grids, fused sweeps for large ones.")

namespace rafter::heat_ladder {

RAFTER_DECLARE_LADDER(HeatRung, HEAT_LADDER)

namespace {

using namespace lab;
const std::string family = "heat";

GridShape shape_of(const Params& params) {
  const auto or_n = [&](const char* name) {
    return params.integer(name) > 0 ? params.integer(name) : params.integer("n");
  };
  return {or_n("nz"), or_n("ny"), params.integer("n")};
}

void require_extents(const HeatProblem& problem) {
  const auto [nz, ny, nx] = problem.shape;
  const std::int64_t least = 2 * problem.radius() + 1;
  if (std::min({nz, ny, nx}) < least) {
    throw Error(ErrorCode::bad_argument, "heat of order " + std::to_string(problem.order) +
                                             " needs extents of at least " + std::to_string(least) +
                                             ", got n=" + std::to_string(nx) + " ny=" + std::to_string(ny) +
                                             " nz=" + std::to_string(nz));
  }
}

/// Returns a problem with a diffusivity between 0.1 and 5, spacings between 0.5 and 2, and the default time step.
HeatProblem problem_of(const Params& params, std::uint64_t seed) {
  const auto between = [&](std::int64_t i, double low, double high) {
    return low + (high - low) * static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-53;
  };
  HeatProblem problem{.shape = shape_of(params),
                      .spacing = {between(0, 0.5, 2), between(1, 0.5, 2), between(2, 0.5, 2)},
                      .alpha = between(3, 0.1, 5),
                      .order = static_cast<int>(parse_integer(params.word("order")))};
  require_extents(problem);
  problem.dt = heat_default_dt(problem);
  return problem;
}

/// Returns the answer in R, computed by the textbook rung. Large ones are computed on the GPU; conformance compares the
/// textbook there with the CPU's in small cases.
template <class R, class T>
Buffer<R> textbook_answer(const Stream& stream, const HeatGrid& grid, std::int64_t n_steps, const Generator& input) {
  constexpr std::int64_t many_updates = std::int64_t{1} << 26;
  const std::int64_t n = grid.shape.n_cells();
  const bool on_gpu = stream.device() == Device::cuda && n * n_steps > many_updates;
  const Stream where = on_gpu ? stream : Stream::cpu();
  Buffer<R> field(where, n);
  Buffer<R> work(where, n * HeatArgs<R>::n_work_fields);
  for_indices(where, n, MakeRounded<R, T>{field.data(), input});
  const GridView<R> both = contiguous_field(field.span(), grid.shape);
  const HeatArgs<R> args{grid, n_steps, both, both, contiguous_field(work.span(), grid.shape)};
  if (on_gpu) {
    RAFTER_IF_cuda(cuda::constant_weights(where, args);)
  } else {
    cpu::textbook(where, args);
  }
  return field;
}

/// Returns the answer in float64, on the device where results are compared.
template <class T>
Buffer<double> heat_answer(const Stream& stream, const HeatGrid& grid, std::int64_t n_steps, const Generator& input) {
  const auto where_compared = [&](Buffer<double> answer) {
    if (answer.stream().device() == stream.device()) return answer;
    Buffer<double> copy(stream, answer.size());
    copy.copy_from(answer.span().elements());  // the answer is on the CPU
    return copy;
  };
  // Above 2^30 cells, six fields of doubles do not fit in memory next to the case.
  const std::int64_t n = grid.shape.n_cells();
  if (n <= std::int64_t{1} << 30) return where_compared(textbook_answer<double, T>(stream, grid, n_steps, input));
  const Buffer<T> rounded = textbook_answer<T, T>(stream, grid, n_steps, input);
  Buffer<double> answer(rounded.stream(), n);
  for_indices(rounded.stream(), n, Widen<T>{rounded.data(), answer.data()});
  return where_compared(std::move(answer));
}

template <class T>
class HeatCase final : public CaseFor<HeatArgs<T>> {
 public:
  HeatCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<HeatArgs<T>>(stream, options),
        problem_(problem_of(params, options.seed)),
        n_steps_(params.integer("steps")),
        row_stride_(row_stride_of(params, problem_.shape.nx)),
        answers_(options) {
    for (int set = 0; set < options.n_input_sets; ++set) forbid_gaps(stream, rows_of(in_.span(set).data()));
    forbid_gaps(stream, rows_of(out_.data()));
    for (int i = 0; i < HeatArgs<T>::n_work_fields; ++i) forbid_gaps(stream, rows_of(args(0).work_field(i).data));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  /// Returns the cost: each step reads the grid once and writes it once, and computes four stencils of 6 * radius + 1
  /// multiply-adds.
  Cost cost() const override {
    const double updates = static_cast<double>(n_cells_) * static_cast<double>(n_steps_);
    const double operations = updates * 4 * 2 * (6 * problem_.radius() + 1);
    return {.bytes_read = updates * sizeof(T),
            .bytes_written = updates * sizeof(T),
            .operations = operations_in<T>(operations),
            .footprint_bytes = 2 * static_cast<double>(n_cells_) * sizeof(T)};
  }

  HeatArgs<T> args(int set) override {
    const auto field = [&](auto* data) { return field_of_rows(data, problem_.shape, row_stride_); };
    return {grid_of(problem_), n_steps_, field(in_.span(set).data()), field(out_.data()), field(work_.data())};
  }

 private:
  static constexpr double bound_per_ten_steps() { return sizeof(T) == 8 ? 4e-15 : 1e-6; }
  using Elements = PitchedGenerator<>;

  Elements elements(std::uint64_t seed) const {
    return {{Generator::Kind::bell, seed}, problem_.shape.nx, row_stride_};
  }

  /// The number of rows: planes are contiguous, so a field is a matrix of all its rows.
  std::int64_t n_rows() const { return problem_.shape.nz * problem_.shape.ny; }
  template <class U>
  MatrixView<U> rows_of(U* field) const {
    return MatrixView<U>::unchecked(field, {n_rows(), problem_.shape.nx}, row_stride_);
  }

  Comparison compare_results(int set) const override {
    const double scale = bound_per_ten_steps() * std::max(1., static_cast<double>(n_steps_) / 10);
    return out_.compare_with(NearAnswer{answer_of(set).data(), scale, problem_.shape.nx, row_stride_});
  }

  const Buffer<double>& answer_of(int set) const {
    return answers_.of(set, [&] {
      return heat_answer<T>(loop_stream(this->stream()), grid_of(problem_), n_steps_, in_.generator(set).elements);
    });
  }

  HeatProblem problem_;
  std::int64_t n_steps_;
  std::int64_t row_stride_;
  std::int64_t n_cells_ = problem_.shape.n_cells();
  std::int64_t extent_ = rows_of<T>(nullptr).extent();
  Input<T, Elements> in_{*this, "in", extent_, [this](int, std::uint64_t seed) { return elements(seed); }};
  Output<T> out_{*this, "out", extent_};
  Work<T> work_{*this, "work", n_rows() * row_stride_* HeatArgs<T>::n_work_fields};
  KeptAnswers<Buffer<double>> answers_;
};

Params case_of(GridShape shape, int order, std::int64_t steps, const std::string& dtype = "float32") {
  const auto [nz, ny, nx] = shape;
  return {{"n", nx},
          {"ny", ny == nx ? std::int64_t{0} : ny},
          {"nz", nz == nx ? std::int64_t{0} : nz},
          {"order", std::to_string(order)},
          {"steps", steps},
          {"dtype", dtype}};
}

Params cube(std::int64_t n, int order, std::int64_t steps) { return case_of({n, n, n}, order, steps); }

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda) {
    if (effort == Effort::quick) return {cube(256, 8, 2), cube(256, 2, 2)};
    return {cube(600, 8, 10), cube(600, 2, 1)};
  }
  return {effort == Effort::quick ? cube(128, 8, 1) : cube(192, 8, 1)};
}

/// Returns cases with gaps between rows: of whole 16-byte pieces, with a last vector that ends within the row or beyond
/// it, and of other sizes.
std::vector<Params> pitched_cases() {
  const auto pitched = [](Params params, std::int64_t pitch) {
    params.set("pitch", pitch);
    return params;
  };
  return {pitched(case_of({10, 11, 37}, 8, 1), 40), pitched(case_of({5, 7, 38}, 2, 2), 44),
          pitched(case_of({6, 7, 21}, 4, 2, "float64"), 24), pitched(case_of({9, 10, 36}, 8, 1), 39)};
}

/// Returns the smallest extents, odd and unequal ones, tiles that are just full and just not, several tiles and parts.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const int order : {2, 4, 6, 8}) {
    const std::int64_t least = order + 1;
    for (const std::string& dtype : dtype_names(HeatTypes{})) {
      cases.push_back(case_of({least, least, least}, order, 1, dtype));
      cases.push_back(case_of({least + 2, least + 1, least + 4}, order, 2, dtype));
    }
    cases.push_back(case_of({least + 1, 13, 36}, order, 1, "float64"));
    cases.push_back(case_of({least + 2, 12, 40}, order, 2));
  }
  cases.push_back(case_of({13, 34, 76}, 8, 1));
  cases.push_back(case_of({25, 11, 64}, 8, 1));
  cases.push_back(case_of({60, 3, 100}, 2, 1, "float64"));
  cases.push_back(case_of({8, 3, 196}, 2, 1, "float64"));
  cases.push_back(case_of({10, 43, 61}, 8, 1));
  cases.push_back(case_of({6, 27, 129}, 2, 1));
  cases.push_back(case_of({19, 41, 132}, 8, 3));
  cases.push_back(case_of({23, 95, 125}, 8, 2));
  cases.push_back(case_of({70, 60, 72}, 2, 2));
  cases.push_back(case_of({41, 100, 120}, 4, 1));
  cases.push_back(case_of({37, 99, 128}, 6, 1));
  cases.push_back(case_of({101, 113, 130}, 8, 1, "float64"));
  for (const Params& params : pitched_cases()) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "3-D diffusion: RK4 steps with a stencil of order 2 to 8, frozen faces",
      .parameters = {{"n", "cells along x", std::int64_t{256}, true},
                     {"ny", "cells along y; 0: as along x", std::int64_t{0}},
                     {"nz", "cells along z; 0: as along x", std::int64_t{0}},
                     {"order", "of accuracy in space", std::string("8"), false, {"2", "4", "6", "8"}},
                     {"steps", "time steps", std::int64_t{1}},
                     dtype_parameter(HeatTypes{}),
                     pitch_parameter("pitch", "a field")},
      .rungs = RAFTER_LIST_LADDER(HEAT_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return std::vector{case_of({40, 9001, 6001}, 8, 1), case_of({9, 20, 12000017}, 2, 1)};
          },
      .make_case = CasesOf<HeatCase, HeatTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            // Large answers are computed on the device, too.
            const GridShape shape = shape_of(params);
            const double n = static_cast<double>(shape.nz) * static_cast<double>(shape.ny) *
                             static_cast<double>(row_stride_of(params, shape.nx));
            return (n > 1e9 ? 12 : 3) * n * element_bytes(params);
          },
      .adopt = Adopt<HeatRung>{},
  };
  return contract;
}

}  // namespace rafter::heat_ladder
