// What a process found and counted.
#pragma once

#include <string>

namespace rafter::simt {

std::string process_report();
/// To the file that the options name, if any: whole or not at all.
void write_process_report();

}  // namespace rafter::simt
