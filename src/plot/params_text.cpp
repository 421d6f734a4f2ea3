#include "plot/params_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/units.hpp"

namespace rafter::plot {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_number_integer()) return base::show_count(value.get<std::int64_t>());
  return value.is_number() ? fmt::format("{:g}", value.get<double>()) : value.get<std::string>();
}

std::vector<std::string> texts_of(const json& params) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : params.items()) texts.push_back(fmt::format("{}={}", name, text_of(value)));
  return texts;
}

}  // namespace rafter::plot
