// The build: nvcc's for a GPU, or the host compiler's for the executor. Each has its own namespace for device code, so
// that one program can contain both.
#pragma once

#include <cuda_runtime.h>

#ifndef RAFTER_BACKEND
#ifdef RAFTER_SIMT
#define RAFTER_BACKEND simt
#else
#define RAFTER_BACKEND cuda
#endif
#endif
