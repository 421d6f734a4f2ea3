// Parameters of results as tables show them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rafter::plot {

std::string text_of(const nlohmann::json& value);                 ///< "2^20", "0.5", "float32"
std::vector<std::string> texts_of(const nlohmann::json& params);  ///< "n=2^20", ...

}  // namespace rafter::plot
