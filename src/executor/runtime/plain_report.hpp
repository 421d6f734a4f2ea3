// The report of a plain run without the tool: a program that the stand-in nvcc built, started by itself.
#pragma once

#include <string>

namespace rafter::simt {

/// Returns the failed launches with their findings, and results that rely on lockstep, as text for a terminal; empty if
/// there are none.
std::string plain_report();

}  // namespace rafter::simt
