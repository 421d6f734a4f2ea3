// Strangers' kernels run in processes of their own: this program, started again with the same words and a job.
#pragma once

#include <optional>

#include "rafter/device.hpp"
#include "workbench/bench/verify.hpp"

namespace rafter::cli {

/// The job this process was started for; nothing where a person started it.
std::optional<bench::Job> job_of_this_process();

enum class Voice { silent, ours };

struct JobEnd {
  int code = 0;
  bool was_stopped = false;  ///< what it ran had no end
};

/// Starts this program for a job, and waits. Silent ones say nothing; what they throw is in their results.
JobEnd run_job(const bench::Job& job, Device device, double time_limit_s, Voice voice);

}  // namespace rafter::cli
