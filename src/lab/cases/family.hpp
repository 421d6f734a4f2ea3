// What a family's contract, NAME_workload.cpp, is written with; docs/own-family.md goes through one line by line.
//
//   Workload        name, parameters, cases, cost, and the ladder of rungs       lab/workload/workload.hpp
//   Parameter       n, dtype, ...: what `rafter run NAME --n 1e6` sets           lab/workload/params.hpp, dtypes.hpp
//   Cost            the least bytes and operations that any rung needs: the floor  lab/workload/cost.hpp
//   CaseFor<Args>   one case on one device: its arrays, the arguments of a rung, the answers   lab/cases/array_case.hpp
//   Input, Weights, Output, InOut, Work   its arrays: poisoned, guarded, restored   lab/cases/case_arrays.hpp
//   KeptAnswers     answers that take long, once for each input set              lab/cases/kept_answers.hpp
//   Expectation     an answer and how far from it a result may be                lab/data/comparator.hpp
//   RUNG, OP, PEER  the lines of a ladder                                        lab/cases/ladder.hpp
//
// Rungs know none of it. They include core/rung.hpp, which has their form; kernels core/cuda/launch.cuh, too.
#pragma once

#include "lab/cases/case_arrays.hpp"   // IWYU pragma: export
#include "lab/cases/kept_answers.hpp"  // IWYU pragma: export
#include "lab/cases/ladder.hpp"        // IWYU pragma: export
#include "lab/workload/dtypes.hpp"     // IWYU pragma: export
