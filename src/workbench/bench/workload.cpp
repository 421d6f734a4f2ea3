#include "workbench/bench/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

/// The bytes of the arrays that match a condition.
template <class Matches>
double bytes_where(const KernelPlan& plan, const lab::Params& params, const Matches& matches) {
  double bytes = 0;
  for (const Argument& argument : plan.arguments) {
    if (argument.is_array() && matches(argument))
      bytes += static_cast<double>(evaluate_array(argument, names_of(params)).bytes());
  }
  return bytes;
}

double output_bytes(const KernelPlan& plan, const lab::Params& params) {
  return bytes_where(plan, params, [](const Argument& argument) { return argument.fill.kind == FillRule::Kind::none; });
}

std::string idea_of(const KernelPlan& plan, const Variant& variant) {
  if (plan.is_reference(variant.kernel)) return "The reference.";
  if (plan.may_keep.empty()) return "A user kernel.";
  return fmt::format("A user kernel, which may keep values of {} between calls.", fmt::join(plan.may_keep, ", "));
}

lab::Rung rung_of(const KernelPlan& plan, const Variant& variant, Device device, const Rejected& rejected) {
  lab::Rung rung{.name = variant.name,
                 .device = device,
                 .idea = idea_of(plan, variant),
                 .source_path = plan.file.string(),
                 .allowed = plan.allowed};
  const auto found = rejected.find(variant.name);
  if (found != rejected.end()) {
    rung.known = found->second;
  } else {
    rung.trust = device == Device::cuda ? lab::Trust::unproved : lab::Trust::own;
    rung.run = [name = variant.name](lab::Case& work, const Stream& stream, int set) {
      static_cast<KernelCase&>(work).launch(name, stream, set);
    };
  }
  return rung;
}

}  // namespace

double array_bytes(const KernelPlan& plan, const lab::Params& params) {
  return bytes_where(plan, params, [](const Argument&) { return true; });
}

lab::Workload make_workload(const KernelPlan& plan, const std::vector<Variant>& variants, Device device,
                            const Rejected& rejected, const Guard& guard) {
  lab::Workload workload;
  workload.name = plan.file.stem().string();
  workload.summary = fmt::format("kernels of {}", plan.file.string());
  for (const Size& size : plan.sizes)
    workload.parameters.push_back(
        {.name = size.name, .meaning = "a size of yours", .standard = size.values.front(), .is_size = true});
  for (const Variant& variant : variants) workload.rungs.push_back(rung_of(plan, variant, device, rejected));
  workload.rungs.back().role = lab::Role::op;
  const auto usual = [&plan] { return std::vector<lab::Params>{plan.first_case()}; };
  workload.standard_cases = [usual](Device, lab::Effort) { return usual(); };
  workload.awkward_cases = usual;
  workload.huge_cases = [] { return std::vector<lab::Params>{}; };
  workload.bytes_per_input_set = [&plan, device](const lab::Params& params) {
    return array_bytes(plan, params) + (device == Device::cuda ? output_bytes(plan, params) : 0);  // sealed answers
  };
  workload.make_case = [&plan, variants, guard](const lab::Params& params, const Stream& stream,
                                                const lab::CaseOptions& options) -> std::unique_ptr<lab::Case> {
    return std::make_unique<KernelCase>(plan, variants, params, stream, options, guard);
  };
  return workload;
}

}  // namespace rafter::bench
