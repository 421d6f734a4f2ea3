// Work that nodes are made of by hand, given by the files that do it: to a stream, or into a draft.
#pragma once

#include "executor/api/graphs/graph.hpp"

namespace rafter::simt {

cudaError_t give_copy(const cudaMemcpy3DParms& copy, const char* name, const void* site);
cudaError_t give_fill(const cudaMemsetParams& fill, const void* site);
cudaError_t give_host_function(const cudaHostNodeParams& function, cudaStream_t stream, const void* site);

}  // namespace rafter::simt
