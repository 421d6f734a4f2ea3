// What instructions of PTX are, and what they cost.
#pragma once

#include <initializer_list>
#include <string>

#include "workbench/explain/code.hpp"

namespace rafter::explain {

/// Whether an instruction's name starts with one of these, or has a part.
bool starts(const std::string& op, std::initializer_list<const char*> all);
bool has(const std::string& op, const char* part);

bool is_wide_division(const std::string& op);
bool is_barrier(const std::string& op);
bool is_load(const std::string& op);

struct Price {
  double slots;    ///< of the scheduler: an instruction of full rate is one
  double latency;  ///< until its result can be used
};

/// Of throughputs in the CUDA programming guide's table (9.0), and for divisions, which are many instructions, of what
/// ptxas makes of them.
Price price(const std::string& op, const Latencies& latencies);

}  // namespace rafter::explain
