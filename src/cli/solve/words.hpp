// The words of `rafter solve`, one by one. Each throws Error (bad_argument) that names its option and what it takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/solve/heat_plan.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

[[noreturn]] inline void refuse(const std::string& complaint) { throw Error(ErrorCode::bad_argument, complaint); }

double real(const char* option, std::string_view text);
double positive(const char* option, const std::string& text, double standard);  ///< `standard` when there is no text
std::int64_t count(const char* option, const std::string& text, std::int64_t least);

GridShape parse_grid(const std::string& text);       ///< N, NY,NX or NZ,NY,NX, also with x between
GridSpacing parse_spacing(const std::string& text);  ///< H, HY,HX or HZ,HY,HX
int parse_order(const std::string& text);
solve::Precision parse_precision(const std::string& text);
solve::FieldFormat parse_format(const std::string& text);
solve::Cut parse_slice(const std::string& text);                  ///< z or z=12
std::optional<draw::Range> parse_range(const std::string& text);  ///< LOW,HIGH

/// How often is "500" (steps), or "90s", "10m", "2h".
solve::CheckpointPlan parse_checkpoint(const std::string& path, const std::string& every);

}  // namespace rafter::cli
