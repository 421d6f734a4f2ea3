// A call that copies or fills, as its stream and the host see it: what it is called, where it stands, and when it
// returns. NVIDIA's "API synchronization behavior" says when.
#pragma once

#include "rafter_simt/api_types.hpp"
#include "simt/api/task.hpp"

namespace rafter::simt {

struct CopyCall {
  enum class Form : bool { synchronous, asynchronous };  // without or with "Async" in its name

  const char* name;
  Form form;
  cudaStream_t stream;
  const void* place;
};

/// What memory_type() says, when somebody wants to know.
cudaMemoryType observed_type(const void* address);

/// The task of a copy between these two. Which memory it is decides whether the host waits:
/// - the synchronous form returns when the copy is done, but for copies within the device, which nobody waits for. From
///   pageable memory it waits for the stream, and may then return when the bytes are staged; only with --strict it
///   does;
/// - the asynchronous form waits where it writes pageable memory (with --strict it does not), and between host and
/// host.
class CopyTask : public Task {
 public:
  CopyTask(const CopyCall& call, cudaMemoryType to, cudaMemoryType from);
};

/// The task of a fill: only the synchronous form waits, for memory that the host can see.
class FillTask : public Task {
 public:
  FillTask(const CopyCall& call, cudaMemoryType to);
};

}  // namespace rafter::simt
