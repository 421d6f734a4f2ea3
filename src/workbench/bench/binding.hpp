// The assignment of arguments to the parameters of a function.
#pragma once

#include <vector>

#include "workbench/bench/arguments.hpp"
#include "workbench/bench/arrays.hpp"
#include "workbench/bench/library.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// A call and its arguments, one for each parameter.
struct MatchedCall {
  const TableFunction* function;
  std::vector<Operand> operands{};
};

/// Returns the argument of each parameter: that of the call, or else the one of its name, or the size of its name. A
/// parameter with another name takes the next unused size if it is an integer, or else the next unused argument of its
/// type. Throws Error (bad_argument) with the function's parameters.
MatchedCall match_arguments(const TableFunction& function, const Call& call, const KernelPlan& plan);

/// Matches all calls of the plan: those of the subjects, and the reference functions.
std::vector<MatchedCall> match_all(const Library& library, const KernelPlan& plan);

/// Returns the use that the calls make of an array. Throws Error (bad_argument) for an array without a fill that no
/// function may write.
Use use_of(const Argument& argument, const std::vector<MatchedCall>& calls);

/// Whether a call takes the address of an array; the other arrays are values, structures that a file describes.
bool is_pointed_to(const Argument& argument, const std::vector<MatchedCall>& calls);

/// Throws Error (bad_argument) if the function cannot take the array for the parameter. A reference may take elements
/// of another floating-point type.
void require_fit(const Array& array, const TableParameter& parameter, const TableFunction& function, bool is_reference);

/// Whether a reference takes elements of another floating-point type than the array has.
bool is_converted(const Array& array, const TableParameter& parameter);

/// Evaluates an argument that is not an array to the bytes that the parameter takes. Throws Error (bad_argument).
Value evaluate_value(const Argument& argument, const TableParameter& parameter, const base::Names& sizes,
                     bool is_reference);

/// Evaluates the value of a variable. Throws Error (bad_argument).
HostBytes evaluate_symbol(const Argument& argument, const TableSymbol& symbol, const base::Names& sizes,
                          std::uint64_t seed);

}  // namespace rafter::bench
