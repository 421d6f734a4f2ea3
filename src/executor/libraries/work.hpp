// Work of a library's call on a stream, made of two functions.
#pragma once

#include <cstddef>
#include <utility>

#include "rafter_simt/library_abi.hpp"

namespace rafter::simt {

/// The call of a library's function: its name, its place in the program, and its stream.
struct WorkCall {
  const char* name;
  const void* place;
  CUstream_st* stream;
  bool host_waits;
};

/// Performs work on the call's stream. `list()` lists its operands, `run()` performs it; both may be called again later
/// if the stream is being captured, so they hold copies of the parameters. Returns a cudaError_t.
template <class List, class Run>
int perform_work(const WorkCall& call, List list, Run run) {
  struct Work {
    List list;
    Run run;
  };
  const Work work{std::move(list), std::move(run)};
  const ::rafter_simt::LibraryCall library_call{
      .name = call.name,
      .stream = call.stream,
      .place = call.place,
      .host_waits = call.host_waits,
      .work = &work,
      .list = [](const void* at) { static_cast<const Work*>(at)->list(); },
      .run = [](const void* at) { static_cast<const Work*>(at)->run(); },
      .copy = [](const void* at) -> void* { return new Work(*static_cast<const Work*>(at)); },
      .destroy = [](void* at) { delete static_cast<Work*>(at); }};
  return rafter_simt_library_call(&library_call);
}

}  // namespace rafter::simt
