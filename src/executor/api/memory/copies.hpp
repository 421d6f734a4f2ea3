// A copy between boxes of memory as a call's work on its stream: captured, told to observers, done.
#pragma once

#include "executor/api/memory/boxes.hpp"
#include "executor/api/memory/copy_call.hpp"

namespace rafter::simt {

cudaError_t copy(Box to, ConstBox from, cudaExtent extent, cudaMemcpyKind kind, const CopyCall& call);

}  // namespace rafter::simt
