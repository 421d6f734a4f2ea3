// From addresses in a program to lines of its source, with binutils' addr2line: it is there wherever a compiler is.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

/// Replaces every {"module", "offset"} in a process's report by {"file", "line", "text"}: the innermost line that is
/// not in `own_headers`. A place without debug information becomes {"module", "offset"} still.
void resolve_places(nlohmann::json& report, const std::string& own_headers);

}  // namespace rafter::simt::report
