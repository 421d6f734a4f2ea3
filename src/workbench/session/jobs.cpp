#include "workbench/session/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::session {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1) {
    parts.push_back(text.substr(start, end - start));
  }
  parts.push_back(text.substr(start));
  return parts;
}

// ---- --size ----

std::vector<const lab::Parameter*> size_parameters(const lab::Workload& workload) {
  std::vector<const lab::Parameter*> sizes;
  for (const lab::Parameter& parameter : workload.parameters) {
    if (parameter.is_size) sizes.push_back(&parameter);
  }
  return sizes;
}

lab::Params parse_size(const lab::Workload& workload, const std::string& text) {
  const auto parameters = size_parameters(workload);
  const auto extents = split(text, 'x');
  if (extents.size() != parameters.size()) {
    std::string form;
    for (const lab::Parameter* parameter : parameters) form += (form.empty() ? "" : "x") + parameter->name;
    refuse("--size of {} is {}, as in --size {}; got '{}'", workload.name, form,
           parameters.size() == 1 ? "2^27" : "1000x300", text);
  }
  lab::Params params;
  for (std::size_t i = 0; i < extents.size(); ++i)
    params.set(parameters[i]->name, parse_value(*parameters[i], extents[i]));
  return params;
}

// ---- parameters by name ----

/// The parts of a setting: NAME=VALUES of --set, or --NAME=VALUES.
struct SettingWords {
  bool as_option;
  std::string name;
  std::optional<std::string> values;

  explicit SettingWords(const std::string& text) : as_option(text.starts_with("--")) {
    const auto equals = text.find('=');
    name = text.substr(as_option ? 2 : 0, equals - (as_option ? 2 : 0));
    if (equals != std::string::npos) values = text.substr(equals + 1);
    if (!as_option && !values) refuse("--set takes NAME=VALUE, got '{}'", text);
  }
};

bool has_parameter(const lab::Workload& workload, const std::string& name) {
  const auto& all = workload.parameters;
  return std::any_of(all.begin(), all.end(), [&](const lab::Parameter& p) { return p.name == name; });
}

/// Throws the Error for an option that neither `run` nor the workloads have.
[[noreturn]] void refuse_option(const std::string& name, std::vector<std::string> own, const Workloads& workloads) {
  for (const lab::Workload* workload : workloads) {
    for (const lab::Parameter& parameter : workload->parameters) own.push_back("--" + parameter.name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("option", "--" + name, own));
}

Setting parse_setting(const lab::Workload& workload, const std::string& text, const std::vector<std::string>& own) {
  const SettingWords words(text);
  if (words.as_option && !has_parameter(workload, words.name)) refuse_option(words.name, own, {&workload});
  if (!words.values) refuse("--{0} takes a value, or several: --{0} VALUE[,VALUE...]", words.name);
  Setting setting{&parameter_called(workload, words.name), {}};
  for (const std::string& value : split(*words.values, ',')) {
    const lab::Value parsed = parse_value(*setting.parameter, value);
    if (std::find(setting.values.begin(), setting.values.end(), parsed) == setting.values.end())
      setting.values.push_back(parsed);
  }
  return setting;
}

std::vector<Setting> parse_settings(const lab::Workload& workload, const RunRequest& request) {
  std::vector<Setting> settings;
  for (const std::string& text : request.settings) {
    const Setting setting = parse_setting(workload, text, request.own_options);
    for (const Setting& other : settings) {
      if (other.parameter == setting.parameter) refuse("{} is given twice", setting.parameter->name);
    }
    settings.push_back(setting);
  }
  return settings;
}

// ---- cases ----

/// The cases before the settings are applied.
std::vector<lab::Params> unset_cases(const lab::Workload& workload, Device device, const RunRequest& request) {
  if (!request.size.empty()) {
    std::vector<lab::Params> cases;
    for (const std::string& one : split(request.size, ',')) cases.push_back(parse_size(workload, one));
    return cases;
  }
  if ((device == Device::simt || request.check) && request.settings.empty()) {
    constexpr std::size_t n_quick = 12;
    std::vector<lab::Params> cases = device == Device::simt ? lab::executor_cases(workload) : workload.awkward_cases();
    if (request.quick) cases.resize(std::min(cases.size(), n_quick));
    return cases;
  }
  return workload.standard_cases(device,
                                 request.quick || device == Device::simt ? lab::Effort::quick : lab::Effort::normal);
}

/// Combines every case with every value of the setting.
std::vector<lab::Params> with_values(const std::vector<lab::Params>& cases, const Setting& setting) {
  std::vector<lab::Params> all;
  for (const lab::Value& value : setting.values) {
    for (lab::Params params : cases) {
      params.set(setting.parameter->name, value);
      all.push_back(std::move(params));
    }
  }
  return all;
}

/// Completes the cases with standard values and removes duplicates, which a setting can create.
std::vector<lab::Params> distinct(const lab::Workload& workload, const std::vector<lab::Params>& cases) {
  std::vector<lab::Params> result;
  for (const lab::Params& one : cases) {
    const lab::Params params = complete(workload, one);
    const bool seen =
        std::any_of(result.begin(), result.end(), [&](const lab::Params& d) { return d.text() == params.text(); });
    if (!seen) result.push_back(params);
  }
  return result;
}

/// Throws Error if the request sets parameters or rungs without naming a workload.
void require_workload(const RunRequest& request, const Workloads& workloads) {
  for (const std::string& text : request.settings) {
    const SettingWords words(text);
    const bool known =
        std::any_of(workloads.begin(), workloads.end(), [&](const auto* w) { return has_parameter(*w, words.name); });
    if (words.as_option && !known) refuse_option(words.name, request.own_options, {});
  }
  if (!request.size.empty() || !request.settings.empty() || !request.rungs.empty()) {
    refuse("--size, --set, --rungs and parameters need a workload: rafter run WORKLOAD ...");
  }
}

/// Throws Error if the workload has no rung for the device.
void require_rungs(const lab::Workload& workload, Device device) {
  if (!rungs_on(workload, device).empty()) return;
  std::string others;
  for (const Device other : {Device::cpu, Device::cuda, Device::simt}) {
    if (!rungs_on(workload, other).empty()) others += fmt::format("{}{}", others.empty() ? "" : ", ", name(other));
  }
  refuse("{} has no rung for {}; it has some for: {} (--device)", workload.name, name(device), others);
}

/// Returns the workload of that name. The Error for an unknown name mentions a folder of that name that --load takes.
const lab::Workload& workload_or_folder(const Workloads& workloads, const std::string& wanted) {
  try {
    return lab::workload_called(workloads, wanted);
  } catch (const Error& error) {
    if (!std::filesystem::exists(std::filesystem::path(wanted) / "CMakeLists.txt")) throw;
    refuse("{}\n        to load the workload in the folder of that name: rafter run --load {}", error.what(), wanted);
  }
}

}  // namespace

std::vector<Job> make_jobs(const lab::Workload& workload, std::vector<lab::Params> cases,
                           const std::vector<Setting>& settings) {
  const Setting* swept = nullptr;
  for (const Setting& setting : settings) {
    const bool is_list = setting.values.size() > 1;
    if (is_list && swept == nullptr) swept = &setting;
    cases =
        with_values(cases, is_list && swept == &setting ? Setting{setting.parameter, {setting.values[0]}} : setting);
  }
  std::vector<Job> jobs;
  for (const lab::Params& params : distinct(workload, cases)) {
    Job job{&workload, {params}};
    if (swept != nullptr) {
      job.cases = with_values({params}, *swept);  // each shows its value, also the standard one
      job.swept = swept->parameter;
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<Job> parse_jobs(const RunRequest& request, const Workloads& workloads, Device device) {
  Workloads chosen;
  for (const std::string& wanted : request.workloads) {
    const lab::Workload* workload = &workload_or_folder(workloads, wanted);
    if (std::find(chosen.begin(), chosen.end(), workload) == chosen.end()) chosen.push_back(workload);
  }
  if (chosen.empty()) {
    if (workloads.size() > 1) require_workload(request, workloads);
    chosen = workloads;
  }
  std::vector<Job> jobs;
  for (const lab::Workload* workload : chosen) {
    require_rungs(*workload, device);
    rungs_on(*workload, device, request.rungs);  // throws for unknown names
    const std::vector<lab::Params> cases = unset_cases(*workload, device, request);
    for (Job& job : make_jobs(*workload, cases, parse_settings(*workload, request))) {
      if (job.swept != nullptr && chosen.size() > 1) {
        refuse("{} is given as a list, which makes a sweep of one workload; there are {}", job.swept->name,
               chosen.size());
      }
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

}  // namespace rafter::session
