// What a family's contract, NAME_workload.cpp, is written with; docs/own-family.md goes through one line by line.
//
//   Workload        name, parameters, cases, cost, and the ladder of rungs       workbench/lab/workload/workload.hpp
//   Parameter       n, dtype, ...: what `rafter run NAME --n 1e6` sets           workbench/lab/workload/params.hpp,
//   dtypes.hpp Cost            the least bytes and operations that any rung needs: the floor
//   workbench/lab/workload/cost.hpp CaseFor<Args>   one case on one device: its arrays, the arguments of a rung, the
//   answers   workbench/lab/cases/array_case.hpp Input, Weights, Output, InOut, Work   its arrays: poisoned, guarded,
//   restored   workbench/lab/cases/case_arrays.hpp KeptAnswers     answers that take long, once for each input set
//   workbench/lab/cases/kept_answers.hpp Expectation     an answer and how far from it a result may be
//   workbench/lab/data/comparator.hpp RUNG, OP, PEER  the lines of a ladder workbench/lab/cases/ladder.hpp
//
// Rungs know none of it. They include library/core/rung.hpp, which has their form; kernels
// library/core/cuda/launch.cuh, too.
#pragma once

#include "workbench/lab/cases/case_arrays.hpp"   // IWYU pragma: export
#include "workbench/lab/cases/kept_answers.hpp"  // IWYU pragma: export
#include "workbench/lab/cases/ladder.hpp"        // IWYU pragma: export
#include "workbench/lab/workload/dtypes.hpp"     // IWYU pragma: export
