// The report of this process: its findings and counts.
#pragma once

#include <string>

namespace rafter::simt {

/// Returns the report as JSON.
std::string process_report();
/// Writes the report, atomically, to the file that the options name, if any.
void write_process_report();

}  // namespace rafter::simt
