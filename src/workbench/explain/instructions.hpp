// Kinds and costs of PTX instructions.
#pragma once

#include <initializer_list>
#include <string>

#include "workbench/explain/code.hpp"

namespace rafter::explain {

/// Whether an instruction's name starts with one of these.
bool starts(const std::string& op, std::initializer_list<const char*> all);
/// Whether an instruction's name contains a part.
bool has(const std::string& op, const char* part);

bool is_wide_division(const std::string& op);
bool is_barrier(const std::string& op);
/// Whether a load, store or atomic is of global memory, or of a generic address, which the compiler knows no space of.
bool is_global(const std::string& op);
/// Whether it adds or multiplies numbers of type f32 or f64.
bool is_arithmetic(const std::string& op);
bool is_load(const std::string& op);

struct Price {
  double slots;    ///< scheduler slots: one for a full-rate instruction
  double latency;  ///< cycles until its result can be used
};

/// Returns the cost of an instruction, from the throughput table of the CUDA programming guide (9.0), and for
/// divisions, which are sequences of instructions, from the output of ptxas.
Price price(const std::string& op, const Latencies& latencies);

}  // namespace rafter::explain
