// Integer arithmetic that host and device code share.
#pragma once

#include <cstdint>

namespace rafter {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace rafter
