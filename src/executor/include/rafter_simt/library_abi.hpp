// The interface between the executor's runtime and its replacements of CUDA's libraries, each of which is a shared
// object of its own. A library performs its work through the runtime, so that checkers see it as work of a stream.
#pragma once

#include <cstddef>

struct CUstream_st;

namespace rafter_simt {

/// Rows of memory that a call accesses, `row_stride` bytes apart.
struct LibraryOperand {
  const char* name;  // the parameter, as NVIDIA's manual calls it
  const void* start;
  std::size_t row_bytes, n_rows;
  std::ptrdiff_t row_stride;
  unsigned reads, writes;
};

/// A call that works on a stream. The functions take `work`, the call's arguments.
struct LibraryCall {
  const char* name;  // of the function
  CUstream_st* stream;
  const void* place;    // of the call in the program
  unsigned host_waits;  // the call returns when the work is done
  const void* work;
  void (*list)(const void* work);   // passes every operand to rafter_simt_library_operand
  void (*run)(const void* work);    // performs the work
  void* (*copy)(const void* work);  // for a node of a graph
  void (*destroy)(void* work);
};

/// A call that copies rows between host and device.
struct LibraryCopy {
  const char* name;
  CUstream_st* stream;
  const void* place;
  unsigned is_asynchronous;
  void* to;
  std::size_t to_pitch;
  const void* from;
  std::size_t from_pitch;
  std::size_t width, height;  // bytes, rows
  int kind;                   // a cudaMemcpyKind
};

}  // namespace rafter_simt

extern "C" {

/// Performs a call, or captures it if its stream is captured. Returns a cudaError_t: that of a call of CUDA's runtime.
int rafter_simt_library_call(const rafter_simt::LibraryCall* call);
/// Performs a copy, as cudaMemcpy2D does. Returns a cudaError_t.
int rafter_simt_library_copy(const rafter_simt::LibraryCopy* copy);
/// Takes an operand of the call that is being listed. Returns whether a GPU could access it; if not, the call fails
/// with an illegal address and is not performed.
bool rafter_simt_library_operand(const rafter_simt::LibraryOperand* operand);
/// A call is about to read or write its host's variable. Ends the program, as a segmentation fault would, if that is in
/// device memory; a checker reports it first.
void rafter_simt_library_scalar(const char* call, const char* parameter, const void* address, const void* place);
/// Returns the sticky error of the runtime, or 0.
int rafter_simt_library_error();

}  // extern "C"
