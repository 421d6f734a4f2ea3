// The CUDA error numbers of failed launches.
#pragma once

namespace rafter::simt {

constexpr int out_of_memory = 2;
constexpr int invalid_configuration = 9;
constexpr int illegal_address = 700;
constexpr int launch_timeout = 702;
constexpr int device_assert = 710;
constexpr int launch_failure = 719;
constexpr int too_many_cooperative_blocks = 720;
constexpr int invalid_cluster_size = 912;

}  // namespace rafter::simt
