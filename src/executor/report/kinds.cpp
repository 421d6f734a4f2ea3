#include "executor/report/kinds.hpp"

namespace rafter::simt::report {

const std::map<std::string, std::string>& titles() {
  static const std::map<std::string, std::string> all{
      {"out_of_bounds", "access out of bounds"},
      {"misaligned", "misaligned access"},
      {"use_after_free", "use after free"},
      {"double_free", "freed twice"},
      {"invalid_free", "free of memory that was not allocated"},
      {"host_touches_device", "host code accesses device memory"},
      {"kernel_touches_host", "kernel accesses host memory"},
      {"write_to_constant", "write to constant memory"},
      {"leak", "memory never freed"},
      {"race", "race"},
      {"same_value_race", "race between writes of the same value"},
      {"lockstep", "result that relies on lanes in lockstep"},
      {"stream_race", "race between streams"},
      {"host_race", "host code does not wait for the device"},
      {"freed_in_use", "memory freed while in use"},
      {"event_not_recorded", "event that was never recorded"},
      {"missing_acquire", "missing acquire fence"},
      {"unordered_volatile", "unordered volatile accesses"},
      {"uninitialised", "uninitialised read"},
      {"unset_local", "variable used before it has a value"},
      {"reads_stale_output", "output read before it was written"},
      {"state_between_launches", "value kept from an earlier launch"},
      {"foreign_memory", "access to memory that is not an argument"},
      {"unwritten_copy", "uninitialised copy to the host"},
      {"ignored_error", "ignored error"},
      {"divergent_barrier", "barrier reached from different places"},
      {"exited_before_barrier", "threads returned before a barrier"},
      {"deadlock", "deadlock"},
      {"unstarted_block", "access to a block that may not have started"},
      {"exited_block", "access to a block that may have exited"},
      {"arrival_count", "wrong number of arrivals"},
      {"transaction_count", "wrong number of bytes for an mbarrier"},
      {"proxy_fence", "missing proxy fence"},
      {"copy_in_flight", "copy still in flight"},
      {"wgmma", "wrong use of wgmma"},
      {"bad_mask", "wrong mask"},
      {"bad_source_lane", "shuffle from a lane that does not participate"},
      {"bad_texture", "wrong use of a texture or surface"},
      {"stale_texture", "texture fetch of data that the same launch wrote"},
      {"stale_read_only", "read-only load of data that the same launch wrote"},
      {"overlapping_copy", "copy between overlapping ranges"},
      {"foreign_local", "access to another thread's local variable"},
      {"too_many_blocks", "wait for a block that cannot start"},
      {"refused_launch", "refused launch"},
      {"no_progress", "no progress"},
      {"assert", "device assert"},
      {"trap", "trap"},
      {"unsupported", "not supported by the executor"}};
  return all;
}

}  // namespace rafter::simt::report
