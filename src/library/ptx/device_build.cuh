// Which build this is: nvcc's for a GPU, or the host compiler's for the executor. Device code stands in a namespace of
// its own in each, so that one program can hold both.
#pragma once

#include <cuda_runtime.h>

#ifndef RAFTER_BACKEND
#ifdef RAFTER_SIMT
#define RAFTER_BACKEND simt
#else
#define RAFTER_BACKEND cuda
#endif
#endif
