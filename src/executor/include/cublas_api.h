// Replaces CUDA's header of this name.
#pragma once

#include "cublas_v2.h"
