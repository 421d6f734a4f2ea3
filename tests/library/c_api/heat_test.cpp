// Diffusion through the C API.
#include "c_tensors.hpp"

namespace rafter::c_api {
namespace {

struct DestroySolver {
  void operator()(rafter_heat_solver* solver) const noexcept { rafter_heat_solver_destroy(solver); }
};
using SolverHandle = std::unique_ptr<rafter_heat_solver, DestroySolver>;

constexpr rafter_heat_problem problem = RAFTER_HEAT_PROBLEM_INIT;
constexpr std::int64_t shape[] = {9, 10, 11};

std::vector<float> peak() {
  std::vector<float> field(9 * 10 * 11);
  field[4 * 110 + 5 * 11 + 5] = 1;
  return field;
}

SolverHandle frozen_solver(const rafter_stream* stream) {
  rafter_heat_solver* solver = nullptr;
  EXPECT_EQ(rafter_heat_solver_create(stream, rafter_make_dtype(RAFTER_TYPE_FLOAT, 32), shape, &problem,
                                      RAFTER_BOUNDARY_FROZEN, &solver),
            RAFTER_OK)
      << last_message();
  return SolverHandle(solver);
}

TEST(CApiHeat, SolverAgreesWithAdvance) {
  StreamHandle stream = cpu_stream();
  const std::vector<std::int64_t> extents{9, 10, 11};
  const Owned in = tensor<float>(peak(), extents), out = zeros<float>(extents), work = zeros<float>(extents),
              result = zeros<float>(extents);
  ASSERT_EQ(rafter_heat_advance(stream.get(), in.get(), &problem, 3, out.get(), work.get()), RAFTER_OK);
  const SolverHandle solver = frozen_solver(stream.get());
  stream.reset();  // the solver keeps what it needs
  ASSERT_EQ(rafter_heat_solver_set_field(solver.get(), in.get(), 0), RAFTER_OK) << last_message();
  ASSERT_EQ(rafter_heat_solver_advance(solver.get(), 3), RAFTER_OK);
  ASSERT_EQ(rafter_heat_solver_field(solver.get(), result.get()), RAFTER_OK);
  EXPECT_EQ(result.bytes(), out.bytes());

  rafter_heat_state state{};
  state.struct_size = sizeof state;
  double dt = 0;
  ASSERT_EQ(rafter_heat_default_dt(&problem, &dt), RAFTER_OK);
  ASSERT_EQ(rafter_heat_solver_state(solver.get(), &state), RAFTER_OK);
  EXPECT_EQ(state.struct_size, sizeof state);
  EXPECT_EQ(state.n_steps, 3);
  EXPECT_DOUBLE_EQ(state.time, 3 * dt);
  double total = 0;
  for (const float cell : result.values<float>()) total += cell;
  EXPECT_NEAR(state.total, total, 1e-5);
}

TEST(CApiHeat, StridedFieldsAreAdvanced) {
  const StreamHandle stream = cpu_stream();
  Owned in = tensor<float>(peak(), {9, 10, 11}), out = zeros<float>({9, 10, 11});
  const Owned work = zeros<float>({9, 10, 9});
  for (Owned* field : {&in, &out}) field->shape()[2] = 9;  // the last two columns do not belong to it
  ASSERT_EQ(rafter_heat_advance(stream.get(), in.get(), &problem, 0, out.get(), work.get()), RAFTER_OK)
      << last_message();
  EXPECT_EQ(out.values<float>()[4 * 110 + 5 * 11 + 5], 1);
}

TEST(CApiHeat, BoxesAgreeWithAdvance) {
  const StreamHandle stream = cpu_stream();
  const std::int64_t whole[] = {9, 10, 11}, first[] = {0, 0, 0}, inside[] = {1, 0, 0};
  const Owned in = tensor<float>(peak(), {9, 10, 11}), out = zeros<float>({9, 10, 11}), box = zeros<float>({9, 10, 11}),
              work = zeros<float>({9, 10, 11});
  std::int64_t n = 0;
  ASSERT_EQ(rafter_heat_box_work_size(&problem, whole, first, whole, &n), RAFTER_OK) << last_message();
  EXPECT_EQ(n, 2 * 9 * 10 * 12);
  const Owned box_work = zeros<float>({n}), too_small = zeros<float>({n - 1});
  ASSERT_EQ(rafter_heat_advance(stream.get(), in.get(), &problem, 1, out.get(), work.get()), RAFTER_OK);
  ASSERT_EQ(rafter_heat_advance_box(stream.get(), in.get(), &problem, first, box.get(), box_work.get()), RAFTER_OK)
      << last_message();
  EXPECT_EQ(box.bytes(), out.bytes());

  EXPECT_EQ(rafter_heat_advance_box(stream.get(), in.get(), &problem, first, box.get(), too_small.get()),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "work");
  EXPECT_EQ(rafter_heat_advance_box(stream.get(), in.get(), &problem, inside, box.get(), box_work.get()),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "out");
  EXPECT_EQ(rafter_heat_advance_box(stream.get(), in.get(), &problem, nullptr, box.get(), box_work.get()),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "first");
  EXPECT_EQ(rafter_heat_box_work_size(&problem, whole, inside, whole, &n), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "box_shape");
  EXPECT_EQ(rafter_heat_box_work_size(&problem, whole, first, whole, nullptr), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "n_elements");
}

TEST(CApiHeat, ConductionHasFacesAndSources) {
  const StreamHandle stream = cpu_stream();
  const rafter_heat_face closed{0, RAFTER_FACE_FLUX, 0};
  const rafter_heat_face low[] = {closed, closed, closed}, high[] = {closed, closed, closed};
  rafter_heat_solver* made = nullptr;
  ASSERT_EQ(rafter_conduction_solver_create(stream.get(), rafter_make_dtype(RAFTER_TYPE_FLOAT, 64), shape, &problem,
                                            low, high, &made),
            RAFTER_OK)
      << last_message();
  const SolverHandle solver(made);
  const Owned source = tensor<double>(std::vector<double>(9 * 10 * 11, 2.), {9, 10, 11});
  ASSERT_EQ(rafter_heat_solver_set_source(solver.get(), source.get()), RAFTER_OK) << last_message();
  ASSERT_EQ(rafter_heat_solver_advance(solver.get(), 4), RAFTER_OK);
  rafter_heat_state state{};
  state.struct_size = sizeof state;
  ASSERT_EQ(rafter_heat_solver_state(solver.get(), &state), RAFTER_OK);
  EXPECT_NEAR(state.total, 2 * state.time * 990, 1e-9);
}

/// A host program's function: `rate` times the time, in every cell.
struct Rising {
  double rate = 1;
  int n_calls = 0, n_releases = 0;
  std::int64_t n_values = 0;
  rafter_status status = RAFTER_OK;

  rafter_heat_function function() {
    return {sizeof(rafter_heat_function), this,
            [](void* context, double time, void* values, std::int64_t n) {
              auto& self = *static_cast<Rising*>(context);
              ++self.n_calls;
              self.n_values = n;
              for (std::int64_t i = 0; i < n; ++i) static_cast<double*>(values)[i] = self.rate * time;
              return self.status;
            },
            [](void* context) { ++static_cast<Rising*>(context)->n_releases; }};
  }
};

/// A rod along x with these ends; no heat passes its other faces.
SolverHandle rod(const rafter_stream* stream, const rafter_heat_problem& of, const rafter_heat_face& left,
                 const rafter_heat_face& right, double left_exchange, double right_exchange) {
  const rafter_heat_face closed{0, RAFTER_FACE_FLUX, 0};
  const rafter_heat_face low[] = {closed, closed, left}, high[] = {closed, closed, right};
  const double of_low[] = {0, 0, left_exchange}, of_high[] = {0, 0, right_exchange};
  const std::int64_t extents[] = {1, 1, 16};
  rafter_heat_solver* made = nullptr;
  EXPECT_EQ(rafter_conduction_solver_create_exchanging(stream, rafter_make_dtype(RAFTER_TYPE_FLOAT, 64), extents, &of,
                                                       low, high, of_low, of_high, &made),
            RAFTER_OK)
      << last_message();
  return SolverHandle(made);
}

std::vector<double> field_of(const SolverHandle& solver) {
  const Owned field = zeros<double>({1, 1, 16});
  EXPECT_EQ(rafter_heat_solver_field(solver.get(), field.get()), RAFTER_OK) << last_message();
  return field.values<double>();
}

// Steady state between surroundings of 0 and 1: the flow through the three resistances 1/2, 16 and 1/4 is equal.
TEST(CApiHeat, RobinFacesExchangeHeatWithTheirSurroundings) {
  const StreamHandle stream = cpu_stream();
  rafter_heat_problem of = problem;
  of.order = 2;
  of.dt = 0.4;
  const SolverHandle solver = rod(stream.get(), of, {0, RAFTER_FACE_ROBIN, 0}, {1, RAFTER_FACE_ROBIN, 0}, 2, 4);
  ASSERT_EQ(rafter_heat_solver_advance(solver.get(), 5000), RAFTER_OK) << last_message();
  const std::vector<double> field = field_of(solver);
  const double flow = 1 / (0.5 + 16 + 0.25);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(field[i], flow * (0.5 + static_cast<double>(i) + 0.5), 1e-9) << i;
}

// Without diffusion between cells of one value, capacity * du/dt = rate * t.
TEST(CApiHeat, SourcesAndCapacitiesChangeTheField) {
  const StreamHandle stream = cpu_stream();
  rafter_heat_problem of = problem;
  of.dt = 0.01;
  Rising source{.rate = 6};
  {
    const SolverHandle solver = rod(stream.get(), of, {0, RAFTER_FACE_FLUX, 0}, {0, RAFTER_FACE_FLUX, 0}, 0, 0);
    const Owned capacity = tensor<double>(std::vector<double>(16, 3.), {1, 1, 16});
    ASSERT_EQ(rafter_heat_solver_set_capacity(solver.get(), capacity.get()), RAFTER_OK) << last_message();
    const rafter_heat_function function = source.function();
    ASSERT_EQ(rafter_heat_solver_set_source_function(solver.get(), &function), RAFTER_OK) << last_message();
    ASSERT_EQ(rafter_heat_solver_advance(solver.get(), 50), RAFTER_OK) << last_message();
    for (const double cell : field_of(solver)) EXPECT_NEAR(cell, 0.25, 1e-12) << "t^2 at t = 0.5";
    EXPECT_EQ(source.n_values, 16);
    EXPECT_EQ(source.n_releases, 0);
    source.status = RAFTER_UNSUPPORTED;
    EXPECT_EQ(rafter_heat_solver_advance(solver.get(), 1), RAFTER_INTERNAL);
    EXPECT_NE(last_message().find("failed with status"), std::string::npos) << last_message();
  }
  EXPECT_EQ(source.n_releases, 1);
}

// Far from the other end, the field of a face that rises as t has the flux of the analytic solution; here only that the
// face takes part: its neighbour follows it, and a face without amounts is refused.
TEST(CApiHeat, FacesFollowTheirFunctions) {
  const StreamHandle stream = cpu_stream();
  rafter_heat_problem of = problem;
  of.order = 2;
  of.dt = 0.4;
  const SolverHandle solver = rod(stream.get(), of, {5, RAFTER_FACE_VALUE, 0}, {0, RAFTER_FACE_FLUX, 0}, 0, 0);
  Rising left{.rate = 0.001}, other{};
  const rafter_heat_function function = left.function();
  ASSERT_EQ(rafter_heat_solver_set_face_function(solver.get(), 2, 0, &function), RAFTER_OK) << last_message();
  ASSERT_EQ(rafter_heat_solver_advance(solver.get(), 5000), RAFTER_OK);
  EXPECT_EQ(left.n_values, 1);
  // Long after the beginning u = 0.001 (t + x^2 / 2 - 16 x), up to the error of the second order in space.
  const std::vector<double> field = field_of(solver);
  for (std::size_t i = 0; i < 16; ++i) {
    const double x = static_cast<double>(i) + 0.5;
    EXPECT_NEAR(field[i], 0.001 * (2000 + x * x / 2 - 16 * x), 2e-4) << i;
  }
  const rafter_heat_function refused = other.function();
  EXPECT_EQ(rafter_heat_solver_set_face_function(solver.get(), 3, 0, &refused), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "axis");
  rafter_heat_function without = refused;
  without.values = nullptr;
  EXPECT_EQ(rafter_heat_solver_set_face_function(solver.get(), 2, 0, &without), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "amounts");
  without.struct_size = 8;
  EXPECT_EQ(rafter_heat_solver_set_source_function(solver.get(), &without), RAFTER_BAD_ARGUMENT);
  const SolverHandle frozen = frozen_solver(stream.get());
  EXPECT_EQ(rafter_heat_solver_set_source_function(frozen.get(), &refused), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "solver");
  EXPECT_EQ(other.n_releases, 0) << "a refused function stays the host program's";
}

TEST(CApiHeat, FacesAndTimeStepsAreChecked) {
  const StreamHandle stream = cpu_stream();
  const rafter_heat_face closed{0, RAFTER_FACE_FLUX, 0}, robin{0, RAFTER_FACE_ROBIN, 0}, unknown{0, 5, 0};
  const rafter_heat_face all_closed[] = {closed, closed, closed}, with_robin[] = {closed, closed, robin},
                         with_unknown[] = {unknown, closed, closed};
  const double none[] = {0, 0, 0}, some[] = {0, 0, 2}, wrong[] = {1, 0, 2}, negative[] = {0, 0, -2};
  const rafter_dtype type = rafter_make_dtype(RAFTER_TYPE_FLOAT, 64);
  rafter_heat_solver* made = nullptr;
  EXPECT_EQ(rafter_conduction_solver_create(stream.get(), type, shape, &problem, all_closed, with_robin, &made),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "high");
  const auto create = [&](const rafter_heat_face* low, const double* low_exchange, const double* high_exchange) {
    return rafter_conduction_solver_create_exchanging(stream.get(), type, shape, &problem, low, all_closed,
                                                      low_exchange, high_exchange, &made);
  };
  EXPECT_EQ(create(with_robin, some, nullptr), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "high_exchange");
  EXPECT_EQ(create(with_robin, wrong, none), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "low_exchange");
  EXPECT_EQ(create(with_robin, negative, none), RAFTER_BAD_ARGUMENT) << "the solver refuses it";
  EXPECT_EQ(create(with_unknown, none, none), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "low");
  EXPECT_EQ(made, nullptr);

  double usual = 0, largest = 0, of_diffusivities = 0;
  const std::int64_t line[] = {1, 1, 11};
  ASSERT_EQ(rafter_conduction_default_dt(&problem, line, all_closed, with_robin, &usual), RAFTER_OK) << last_message();
  ASSERT_EQ(rafter_conduction_largest_dt(&problem, line, all_closed, with_robin, &largest), RAFTER_OK);
  ASSERT_EQ(rafter_conduction_largest_dt_of_diffusivities(&problem, line, all_closed, all_closed, &of_diffusivities),
            RAFTER_OK)
      << last_message();
  EXPECT_LT(usual, largest);
  EXPECT_LT(of_diffusivities, largest);
  EXPECT_EQ(rafter_conduction_largest_dt(&problem, line, nullptr, all_closed, &largest), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "low");
  EXPECT_EQ(rafter_conduction_largest_dt(&problem, nullptr, all_closed, all_closed, &largest), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "shape");
}

TEST(CApiHeat, InvalidArgumentsAreRefusedByName) {
  const StreamHandle stream = cpu_stream();
  const SolverHandle solver = frozen_solver(stream.get());
  const Owned other_type = zeros<double>({9, 10, 11}), other_shape = zeros<float>({9, 10, 12}),
              field = zeros<float>({9, 10, 11});
  Owned on_gpu = zeros<float>({9, 10, 11});
  on_gpu.tensor().device = {RAFTER_DEVICE_CUDA, 0};
  for (const rafter_tensor* wrong :
       {static_cast<const rafter_tensor*>(nullptr), other_type.get(), other_shape.get(), on_gpu.get()}) {
    EXPECT_EQ(rafter_heat_solver_set_field(solver.get(), wrong, 0), RAFTER_BAD_ARGUMENT);
    EXPECT_EQ(last_argument(), "host") << last_message();
    EXPECT_EQ(rafter_heat_solver_field(solver.get(), wrong), RAFTER_BAD_ARGUMENT);
  }
  EXPECT_EQ(rafter_heat_solver_set_source(solver.get(), field.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "solver");
  EXPECT_EQ(rafter_heat_solver_advance(solver.get(), -1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_heat_solver_advance(nullptr, 1), RAFTER_BAD_ARGUMENT);

  rafter_heat_problem wrong = problem;
  wrong.spacing[1] = -1;
  double dt = 0;
  EXPECT_EQ(rafter_heat_default_dt(&wrong, &dt), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "spacing.y") << last_message();
  wrong = problem;
  wrong.reserved = 1;
  EXPECT_EQ(rafter_heat_default_dt(&wrong, &dt), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "problem.reserved");
  EXPECT_EQ(rafter_heat_largest_dt(&problem, nullptr), RAFTER_BAD_ARGUMENT);

  rafter_heat_solver* made = solver.get();
  const std::int64_t huge[] = {1 << 30, 1 << 30, 1 << 30};
  EXPECT_EQ(rafter_heat_solver_create(stream.get(), rafter_make_dtype(RAFTER_TYPE_FLOAT, 32), huge, &problem, 0, &made),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "shape");
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(rafter_heat_solver_create(stream.get(), rafter_make_dtype(RAFTER_TYPE_INT, 32), shape, &problem, 0, &made),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_heat_solver_create: dtype should be float32 or float64, is int32");
  EXPECT_EQ(
      rafter_heat_solver_create(stream.get(), rafter_make_dtype(RAFTER_TYPE_FLOAT, 32), shape, &problem, 7, &made),
      RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "boundary");
}

}  // namespace
}  // namespace rafter::c_api
