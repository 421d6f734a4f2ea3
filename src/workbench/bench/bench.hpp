// `rafter bench` of kernels: verifies them in child processes and measures the right ones against the references.
#pragma once

#include "rafter/stream.hpp"
#include "workbench/bench/counts.hpp"
#include "workbench/bench/job.hpp"

namespace rafter::bench {

/// Returns the device called `name`; for an empty name a GPU, or the executor without one. Throws Error for an unknown
/// or missing device.
Device choose_device(const std::string& name);

/// The journal entry of user kernels: the sources among the compiler options, the kernel if there is only one, and the
/// user's message.
journal::Event journal_event(const KernelRequest& request, const journal::Words& words);

/// Performs a plan and returns the exit code.
int bench_kernels(const BenchPlan& plan);

/// Performs the job of a child process of bench_kernels() and returns the exit code.
int bench_child(const Job& job);

/// Launches a rung once on the executor and returns the counts of its accesses.
KernelCounts count_rung(const lab::Rung& rung, lab::Case& work);
/// Counts each rung that was not rejected.
std::vector<KernelCounts> count_rungs(const lab::Workload& workload, lab::Case& work);

}  // namespace rafter::bench
