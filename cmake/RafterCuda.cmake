# Optional CUDA. The runtime is linked statically and finds the driver on first use, so a binary built here also starts
# on a machine without one.
if(NOT RAFTER_CUDA)
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "RAFTER_CUDA is ON, but there is no nvcc on the PATH. "
                      "Install the CUDA toolkit (12 or newer) or configure with -DRAFTER_CUDA=OFF.")
endif()
set(CMAKE_CUDA_ARCHITECTURES "${RAFTER_CUDA_ARCHITECTURES}")
enable_language(CUDA)
# CMake 3.25 sets a property of this target, whose library CUDA 13 no longer has; delete when the minimum is 3.26.
if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()
find_package(CUDAToolkit REQUIRED)

# CMake 3.25 does not know that nvcc supports C++20; delete when the minimum is 3.26.
if(CMAKE_VERSION VERSION_LESS 3.26)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
# For nvcc this is the optimisation of host code, which only launches kernels; device code is always fully optimised.
string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
string(APPEND CMAKE_CUDA_FLAGS " -lineinfo --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas")
