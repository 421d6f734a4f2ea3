// Composite workloads name their stages, on the CPU and, through the same CUDA source, on the executor; with a clock
// between them, too, the answers are right and no checker complains.
#include <gtest/gtest.h>

#include "executor/device/simt_device.hpp"
#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/stage_names.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::lab {
namespace {

/// Returns the stages that a rung names in a verified call.
StageNames stages_of(std::string_view workload_name, const Params& params, Device device, const std::string& rung) {
  const auto workloads = built_workloads();
  const Workload& workload = workload_called(workloads, workload_name);
  const Stream stream = Stream::on(device);
  const auto work = workload.make_case(complete(workload, params), stream, {.n_input_sets = 1});
  const auto recorder = make_stage_recorder(stream);
  work->stages = core::Stages(*recorder);
  recorder->start();
  const Measurement m = verify_rung(*rungs_on(workload, device, {rung}).front(), *work, stream);
  recorder->stop();
  EXPECT_EQ(m.status, Status::verified) << m.reason;
  const auto times = recorder->times();
  for (const StageTime& stage : times) EXPECT_GT(stage.ns, 0) << stage.name;
  return stage_names(times);
}

TEST(Stages, SpectralNamesItsStagesOnTheCpu) {
  const StageNames layers{"encoder norm", "encoder",     "encoder gelu", "basis", "latent norm",
                          "latent",       "latent gelu", "decoder",      "output"};
  EXPECT_EQ(stages_of("spectral", {{"batch", std::int64_t{100}}}, Device::cpu, "vectorised"), layers);
  EXPECT_EQ(stages_of("spectral", {{"batch", std::int64_t{100}}}, Device::cpu, "batched"), layers);
}

TEST(Stages, SpectralsKernelsNameTheirStages) {
  simt::provide_device();
  if (const auto reason = why_unavailable(Device::simt)) GTEST_SKIP() << *reason;
  const Params scores{{"batch", std::int64_t{3}}, {"output", "scores"}, {"mels", std::int64_t{40}}};
  EXPECT_EQ(stages_of("spectral", scores, Device::simt, "per_op"),
            (StageNames{"encoder norm", "encoder", "encoder gelu", "basis norm", "basis", "latent norm", "latent",
                        "latent gelu", "rebuild", "decoder", "scores"}));
  EXPECT_EQ(stages_of("spectral", scores, Device::simt, "one_kernel"),
            (StageNames{"encoder norm", "encoder", "basis", "latent norm", "latent", "rebuild", "decoder"}));
  EXPECT_EQ(stages_of("spectral", scores, Device::simt, "by_shape"),
            (StageNames{"encoder norm", "encoder", "basis", "latent norm", "latent", "decoder", "scores"}));
}

TEST(Stages, PerOpRungNamesEveryOperation) {
  simt::provide_device();
  if (const auto reason = why_unavailable(Device::simt)) GTEST_SKIP() << *reason;
  EXPECT_EQ(stages_of("radial", {{"edges", std::int64_t{40}}}, Device::simt, "per_op"),
            (StageNames{"difference", "square", "scale", "exponential", "cutoff", "product"}));
  EXPECT_EQ(stages_of("edges", {{"edges", std::int64_t{140}}}, Device::simt, "per_op"),
            (StageNames{"gather", "difference", "square", "sum", "root", "divisor", "quotient"}));
}

}  // namespace
}  // namespace rafter::lab
