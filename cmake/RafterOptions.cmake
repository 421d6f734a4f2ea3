# Options of the build. The presets in CMakePresets.json set them for the usual builds.
option(RAFTER_CUDA "Build the CUDA kernels (needs nvcc, not a GPU)" OFF)
# BUILD_SHARED_LIBS builds the library as shared objects, without the tool and the tests.
set(static_and_top_level ${PROJECT_IS_TOP_LEVEL})
if(BUILD_SHARED_LIBS)
  set(static_and_top_level OFF)
endif()
option(RAFTER_TOOL "Build the workbench and the rafter tool" ${static_and_top_level})
option(RAFTER_TESTS "Build the tests" ${static_and_top_level})
if(BUILD_SHARED_LIBS AND (RAFTER_TOOL OR RAFTER_TESTS))
  message(FATAL_ERROR "RAFTER_TOOL and RAFTER_TESTS use the library's internals, which shared objects do not export: "
                      "configure with -DBUILD_SHARED_LIBS=OFF, or with -DRAFTER_TOOL=OFF -DRAFTER_TESTS=OFF")
endif()
option(RAFTER_INSTALL "Add install rules" ${PROJECT_IS_TOP_LEVEL})
option(RAFTER_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(RAFTER_WERROR "Treat warnings as errors (for CI, whose compilers are known)" "$ENV{RAFTER_WERROR}")
option(RAFTER_UNITY "Compile several files of a module together: half the time for all, more for a single one" ON)
cmake_host_system_information(RESULT n_cores QUERY NUMBER_OF_LOGICAL_CORES)
set(few_cores OFF)
if(n_cores LESS 3)
  set(few_cores ON)
endif()
option(RAFTER_FEW_CORES "Compile four times as many files together, GPU ops included: less work, but poorer use of many cores (default: on one or two cores)"
  ${few_cores})
set(RAFTER_SANITIZE OFF CACHE STRING "address: AddressSanitizer and UndefinedBehaviorSanitizer; thread: ThreadSanitizer; OFF")
option(RAFTER_NATIVE_PEERS "Build CPU peers for this machine's instruction set, which they select when compiled"
  ${PROJECT_IS_TOP_LEVEL})
set(RAFTER_ISA_LEVELS all CACHE STRING "Instruction-set levels of CPU loops: all, or native: only this machine's")
set(optimise_other_levels ON)
if(DEFINED ENV{RAFTER_OPTIMISE_OTHER_LEVELS})
  set(optimise_other_levels $ENV{RAFTER_OPTIMISE_OTHER_LEVELS})
endif()
option(RAFTER_OPTIMISE_OTHER_LEVELS "Optimise CPU loops for levels that this machine does not run (not in CI, which only compiles them)"
  ${optimise_other_levels})
set(architectures "80-virtual;90a-real")
if(DEFINED ENV{CUDAARCHS})  # CMake's own variable
  set(architectures $ENV{CUDAARCHS})
endif()
set(RAFTER_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "GPU architectures to build for")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  else()
    set(CMAKE_BUILD_TYPE Release)  # for this folder: the parent project keeps its own
  endif()
endif()
