// From addresses in a program to lines of its source, with binutils' addr2line: it is there wherever a compiler is.
// libdw was tried and is neither simpler (inlined calls are walked by hand) nor faster where it counts: 40 places of a
// checked program of 0.9 MB take it 39 ms of processor time, addr2line 11 ms; 400 of the tool's 31 MB take both 0.3 s.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

/// Replaces every {"module", "offset"} in a process's report by {"file", "line", "text"}: the innermost line that is
/// not in `own_headers`. A place without debug information becomes {"module", "offset"} still.
void resolve_places(nlohmann::json& report, const std::string& own_headers);

/// A file as a person in this folder would name it.
std::string short_name(const std::string& file);

}  // namespace rafter::simt::report
