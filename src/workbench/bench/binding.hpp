// The assignment of arguments to the parameters of a function.
#pragma once

#include <vector>

#include "workbench/bench/arguments.hpp"
#include "workbench/bench/arrays.hpp"
#include "workbench/bench/library.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// Returns the argument of each parameter: the one of its name, or the size of its name. A parameter with another name
/// takes the next unused size if it is an integer, or else the next unused argument of its type. Throws Error
/// (bad_argument) with the function's parameters.
std::vector<Argument> bind_arguments(const TableFunction& function, const KernelPlan& plan);

/// Returns the use that the functions make of an array. Throws Error (bad_argument) for an array without a fill that
/// no function may write.
Use use_of(const Argument& argument, const std::vector<TableFunction>& functions, const KernelPlan& plan);

/// Throws Error (bad_argument) if the function cannot take the array for the parameter.
void require_fit(const Array& array, const TableParameter& parameter, const TableFunction& function);

}  // namespace rafter::bench
