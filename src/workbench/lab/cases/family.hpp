// The headers that a family's contract, NAME_workload.cpp, needs; docs/own-family.md explains one line by line.
//
// clang-format off
//   Workload                               name, parameters, cases, cost, ladder        lab/workload/workload.hpp
//   Parameter                              an option such as `rafter run NAME --n 1e6`  lab/workload/params.hpp
//   dtype_parameter                        the parameter that selects an element type   lab/workload/dtypes.hpp
//   Cost                                   least bytes and operations: the floor        lab/workload/cost.hpp
//   CaseFor<Args>                          a case: arrays, a rung's arguments, answers  lab/cases/array_case.hpp
//   Input, Weights, Output, InOut, Work    arrays: poisoned, guarded, restored          lab/cases/case_arrays.hpp
//   KeptAnswers                            slow answers, once per input set             lab/cases/kept_answers.hpp
//   Expectation                            an answer and its largest error              lab/data/comparator.hpp
//   RUNG, OP, PEER                         the lines of a ladder                        lab/cases/ladder.hpp
// clang-format on
//
// Rungs use none of these. They include library/core/rung.hpp, which defines their form, and kernels also
// library/core/cuda/launch.cuh.

#include "workbench/lab/cases/case_arrays.hpp"   // IWYU pragma: export
#include "workbench/lab/cases/kept_answers.hpp"  // IWYU pragma: export
#include "workbench/lab/cases/ladder.hpp"        // IWYU pragma: export
#include "workbench/lab/workload/dtypes.hpp"     // IWYU pragma: export
