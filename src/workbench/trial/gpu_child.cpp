// rafter try-child JOB: runs a user's kernel on the GPU. A crash or a hang affects only this process; the parent reads
// the results written until then.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/data/guarded_array.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results.hpp"
#include "workbench/lab/report/table.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/trial/executor.hpp"
#include "workbench/trial/gpu.hpp"
#include "workbench/trial/gpu_driver.hpp"

namespace rafter::trial {

namespace {

using lab::ArgumentRole;
using nlohmann::json;

using DeviceArray = lab::GuardedArray<std::byte>;

std::unique_ptr<DeviceArray> array_of(const Stream& stream, const std::vector<std::byte>& bytes) {
  auto array = std::make_unique<DeviceArray>(stream, std::ssize(bytes));
  array->write([&](std::int64_t first, std::span<std::byte> part) {
    std::copy_n(bytes.begin() + first, part.size(), part.begin());
  });
  return array;
}

lab::KernelValue number_of(const lab::ExerciseArgument& argument) {
  const auto read = [&](auto value) {
    std::memcpy(&value, argument.bytes.data(), sizeof value);
    return value;
  };
  if (argument.type == "f32") return static_cast<double>(read(0.F));
  return argument.type == "i32" ? std::int64_t{read(std::int32_t{})} : read(std::int64_t{});
}

/// Runs a case and returns a sentence on the error, or "".
std::string run_case(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::LearnerKernel& kernel,
                     const Stream& stream) {
  std::vector<std::unique_ptr<DeviceArray>> arrays;
  std::vector<lab::KernelValue> values;
  for (const lab::ExerciseArgument& argument : one.arguments) {
    const bool is_array = argument.role != ArgumentRole::scalar;
    arrays.push_back(is_array ? array_of(stream, argument.bytes) : nullptr);
    values.push_back(is_array ? lab::KernelValue(static_cast<const void*>(arrays.back()->data()))
                              : number_of(argument));
  }
  kernel.launch(stream, one.grid, one.block, values);
  stream.synchronize();
  lab::ArraysAfter after;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    after.emplace_back();
    if (arrays[i] == nullptr) continue;
    if (const auto damage = arrays[i]->damage()) return fmt::format("{}: {}", exercise.parameters[i].name, *damage);
    const std::span<const std::byte> bytes = arrays[i]->on_host();
    after.back().assign(bytes.begin(), bytes.end());
  }
  return judge(exercise, one, after);
}

/// Returns the place on the ladder: "Yours (500 us) is between atomic (1.20 ms) and block_tree (310 us)."
std::string place_of(const lab::CaseReport& report, const lab::Measurement& own) {
  const lab::Measurement* slower = nullptr;
  const lab::Measurement* faster = nullptr;
  for (const lab::Measurement& m : report.rungs) {
    if (&m == &own || m.status != lab::Status::verified) continue;
    if (m.summary.median >= own.summary.median) {
      if (slower == nullptr || m.summary.median < slower->summary.median) slower = &m;
    } else if (faster == nullptr || m.summary.median > faster->summary.median) {
      faster = &m;
    }
  }
  const auto shown = [](const lab::Measurement& m) {
    return fmt::format("{} ({})", m.rung->name, base::show_time(m.summary.median));
  };
  const std::string yours = fmt::format("Yours ({})", base::show_time(own.summary.median));
  if (slower != nullptr && faster != nullptr)
    return fmt::format("{} is between {} and {}.", yours, shown(*slower), shown(*faster));
  if (faster != nullptr)
    return fmt::format("{} is slower than every rung; the nearest one is {}.", yours, shown(*faster));
  return slower != nullptr ? fmt::format("{} is faster than every rung; the nearest one is {}.", yours, shown(*slower))
                           : "";
}

class Child {
 public:
  Child(const json& job, const std::vector<const lab::Workload*>& workloads) : job_(job), workloads_(workloads) {
    for (const lab::Exercise& exercise : lab::built_exercises()) {
      if (exercise.kernel == job["exercise"].get<std::string>()) exercise_ = exercise;
    }
    const auto& block = job["block"];
    block_ = {block[0], block[1], block[2]};
    kernel_ = load_kernel(base::read_file(job["cubin"].get<std::string>()).value_or(""), job["kernel"],
                          {job["types"], job["order"]}, block_);
  }

  void verify() {
    const Stream stream = Stream::on(Device::cuda);
    for (const lab::ExerciseCase& one : exercise_.cases({block_, job_["seed"]})) {
      result_["now"] = describe_launch(one);
      write();
      const std::string sentence = run_case(exercise_, one, *kernel_, stream);
      if (!sentence.empty()) {
        result_["wrong"] = sentence;
        break;
      }
      result_["right_with"].push_back(one.text);
    }
    result_["done"] = true;
    write();
  }

  void measure() {
    lab::Workload workload = lab::workload_called(workloads_, exercise_.workload);
    const lab::Params params = complete(workload, *exercise_.timed_case);
    result_["now"] = params.text();
    write();
    workload.rungs.insert(workload.rungs.begin(), {.name = "yours",
                                                   .device = Device::cuda,
                                                   .kind = lab::RungKind::rung,
                                                   .idea = "Your kernel.",
                                                   .source_path = "",
                                                   .run = workload.adopt(exercise_.as_rung(kernel_)),
                                                   .trust = lab::Trust::unproved});
    const Stream stream = Stream::on(Device::cuda);
    lab::RunRoofs roofs(lab::make_roof_meter(stream));
    roofs.begin();
    constexpr double seconds_per_rung = 0.3;
    const lab::MeasureOptions options{.seed = lab::fresh_seed(), .rounds = {.cap_s = seconds_per_rung}};
    const lab::CaseReport report =
        lab::measure_case(workload, params, stream, roofs, options, [](const std::string&, double) {});
    const lab::Measurement& own = report.rungs.front();
    result_["table"] = lab::ladder_table(report, roofs.now(), base::Style::plain);
    result_["status"] = name(own.status);
    result_["results"] = lab::results_json(lab::fingerprint(Device::cuda, 0), lab::to_json(roofs), {&report, 1});
    if (own.status == lab::Status::verified) {
      result_["median_ns"] = own.summary.median;
      result_["floor_ns"] = report.floor.ns;
      result_["place"] = place_of(report, own);
    } else {
      result_["wrong"] = own.reason;
    }
    result_["done"] = true;
    write();
  }

 private:
  void write() const { base::write_file(job_["result"].get<std::string>(), result_.dump()); }

  const json& job_;
  const std::vector<const lab::Workload*>& workloads_;
  lab::Exercise exercise_;
  lab::Extents block_;
  std::shared_ptr<const lab::LearnerKernel> kernel_;
  json result_ = json::object();
};

}  // namespace

bool run_gpu_job(const std::filesystem::path& path_of_job, const std::vector<const lab::Workload*>& workloads) {
  const json job = json::parse(base::read_file(path_of_job).value_or("{}"));
  try {
    Child child(job, workloads);
    job["action"] == "measure" ? child.measure() : child.verify();
    return true;
  } catch (const Error& error) {
    const std::string path = job["result"];
    json result = json::parse(base::read_file(path).value_or("{}"));
    result["failed"] = error.what();
    base::write_file(path, result.dump());
    return false;
  }
}

}  // namespace rafter::trial
