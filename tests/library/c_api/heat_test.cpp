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
