// Messages about names that do not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rafter::base {

/// "unknown workload 'smu': did you mean 'sum'?", or the list of what there is when nothing is near.
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> known);

}  // namespace rafter::base
