// The parts of the extension module rafter._core.
#pragma once

#include <nanobind/nanobind.h>

namespace rafter::python {

void add_array_ops(nanobind::module_& module);
void add_filters(nanobind::module_& module);
void add_scatter(nanobind::module_& module);
void add_matrix_ops(nanobind::module_& module);
void add_heat(nanobind::module_& module);
void add_models(nanobind::module_& module);

}  // namespace rafter::python
