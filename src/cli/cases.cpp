#include "cli/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1) {
    parts.push_back(text.substr(start, end - start));
  }
  parts.push_back(text.substr(start));
  return parts;
}

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
    throw Error(ErrorCode::bad_argument, fmt::format("--size of {} is {}, as in --size {}; got '{}'", workload.name,
                                                     form, parameters.size() == 1 ? "2^27" : "1000x300", text));
  }
  lab::Params params;
  for (std::size_t i = 0; i < extents.size(); ++i)
    params.set(parameters[i]->name, parse_value(*parameters[i], extents[i]));
  return params;
}

void apply(const lab::Workload& workload, const std::string& setting, lab::Params& params) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos) {
    throw Error(ErrorCode::bad_argument, fmt::format("--set takes NAME=VALUE, got '{}'", setting));
  }
  const lab::Parameter& parameter = parameter_called(workload, setting.substr(0, equals));
  params.set(parameter.name, parse_value(parameter, setting.substr(equals + 1)));
}

}  // namespace

std::vector<lab::Params> cases_of(const lab::Workload& workload, Device device, lab::Effort effort,
                                  const std::string& size, const std::vector<std::string>& settings) {
  std::vector<lab::Params> cases;
  if (size.empty()) {
    cases = workload.standard_cases(device, effort);
  } else {
    for (const std::string& one : split(size, ',')) cases.push_back(parse_size(workload, one));
  }
  for (lab::Params& params : cases) {
    for (const std::string& setting : settings) apply(workload, setting, params);
    params = complete(workload, params);
  }
  std::vector<lab::Params> distinct;  // a setting can make standard cases equal
  for (const lab::Params& params : cases) {
    const bool seen =
        std::any_of(distinct.begin(), distinct.end(), [&](const auto& d) { return d.text() == params.text(); });
    if (!seen) distinct.push_back(params);
  }
  return distinct;
}

}  // namespace rafter::cli
