// Which argument is for which parameter of a function.
#pragma once

#include <vector>

#include "workbench/bench/arguments.hpp"
#include "workbench/bench/arrays.hpp"
#include "workbench/bench/library.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// For each parameter its argument: by name; a size of that name where there is none; and where the function has other
/// names for them, the sizes that are left for whole numbers, and the arguments that are left, each in order. Throws
/// Error (bad_argument) with the function's parameters.
std::vector<Argument> arguments_for(const TableFunction& function, const Plan& plan, const base::Names& names);

/// What the functions do with an array. Throws Error (bad_argument) for one that all only read and nobody filled.
Use use_of(const Argument& argument, const std::vector<TableFunction>& functions, const Plan& plan);

/// Throws Error (bad_argument) unless the function can take the array for the parameter.
void require_fit(const Array& array, const TableParameter& parameter, const TableFunction& function);

}  // namespace rafter::bench
