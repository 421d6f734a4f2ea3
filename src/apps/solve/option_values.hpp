// Parsers of the option values of `rafter solve`. Each throws Error (bad_argument) with the option and what it takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/solve/heat_plan.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

[[noreturn]] inline void refuse(const std::string& message) { throw Error(ErrorCode::bad_argument, message); }

double parse_real(const char* option, std::string_view text);
double parse_positive(const char* option, const std::string& text, double standard);  ///< `standard` for an empty text
std::int64_t parse_count(const char* option, const std::string& text, std::int64_t least);

GridShape parse_grid(const std::string& text);       ///< N, NY,NX or NZ,NY,NX, also separated by x
GridSpacing parse_spacing(const std::string& text);  ///< H, HY,HX or HZ,HY,HX
int parse_order(const std::string& text);
Precision parse_precision(const std::string& text);
FieldFormat parse_format(const std::string& text);
Cut parse_slice(const std::string& text);                         ///< z or z=12
std::optional<draw::Range> parse_range(const std::string& text);  ///< LOW,HIGH

/// Parses how often a checkpoint is written: "500" steps, or "90s", "10m", "2h".
CheckpointPlan parse_checkpoint(const std::string& path, const std::string& every);

}  // namespace rafter::solve
