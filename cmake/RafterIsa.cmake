# rafter_isa_sources(TARGET FILE...): compiles each file of plain loops once per instruction-set level and adds the
# objects to TARGET. RAFTER_ISA is the level's name; library/core/cpu/isa.hpp selects the best level at run time. Such a
# file must not use inline functions of other headers: the linker would keep one level's copy for all.
# RAFTER_BUILT_ISA_LEVELS are the levels: those of RAFTER_ISA_LEVELS or, from the package, those it was built for.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(known_levels v2 v3 v4)
  set(RAFTER_ISA_FLAGS_v2 -march=x86-64-v2)
  set(RAFTER_ISA_FLAGS_v3 -march=x86-64-v3)
  set(RAFTER_ISA_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(known_levels base)
  set(RAFTER_ISA_FLAGS_base "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64" AND CMAKE_SYSTEM_NAME STREQUAL Linux)  # Neoverse-V2, Neoverse-V1
    list(APPEND known_levels sve128 sve256)
    set(RAFTER_ISA_FLAGS_sve128 -march=armv8.2-a+sve -msve-vector-bits=128)
    set(RAFTER_ISA_FLAGS_sve256 -march=armv8.2-a+sve -msve-vector-bits=256)
  endif()
endif()

if(NOT DEFINED RAFTER_BUILT_ISA_LEVELS)
  if(NOT DEFINED RAFTER_HOST_ISA_LEVEL AND (RAFTER_ISA_LEVELS STREQUAL native OR NOT RAFTER_OPTIMISE))
    try_run(runs compiles ${PROJECT_BINARY_DIR}/isa_host ${PROJECT_SOURCE_DIR}/cmake/isa_host.cpp
      CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src RUN_OUTPUT_VARIABLE level)
    string(STRIP "${level}" level)
    set(RAFTER_HOST_ISA_LEVEL "${level}" CACHE INTERNAL "")
  endif()
  if(RAFTER_ISA_LEVELS STREQUAL native)
    set(RAFTER_BUILT_ISA_LEVELS ${RAFTER_HOST_ISA_LEVEL})
  elseif(RAFTER_ISA_LEVELS STREQUAL all)
    set(RAFTER_BUILT_ISA_LEVELS ${known_levels})
  else()
    message(FATAL_ERROR "RAFTER_ISA_LEVELS must be all or native, is '${RAFTER_ISA_LEVELS}'")
  endif()
  list(TRANSFORM RAFTER_BUILT_ISA_LEVELS REPLACE "(.+)" "DO(\\1 __VA_OPT__(,) __VA_ARGS__)" OUTPUT_VARIABLE do_for_levels)
  list(JOIN do_for_levels " " do_for_levels)
  configure_file(${PROJECT_SOURCE_DIR}/src/library/core/cpu/isa_levels.hpp.in ${PROJECT_BINARY_DIR}/include/library/core/cpu/isa_levels.hpp @ONLY)
endif()

function(rafter_isa_sources target)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    foreach(level IN LISTS RAFTER_BUILT_ISA_LEVELS)
      set(object ${target}_${name}_${level})
      set(optimisation ${RAFTER_FASTEST_LOOPS})
      if(DEFINED RAFTER_HOST_ISA_LEVEL AND NOT level STREQUAL RAFTER_HOST_ISA_LEVEL AND NOT RAFTER_OPTIMISE)
        set(optimisation -O0)
      endif()
      add_library(${object} OBJECT ${file})
      target_compile_definitions(${object} PRIVATE RAFTER_ISA=${level})
      # All functions have internal linkage, so the calling convention of vectors wider than the level's does not matter
      # (-Wno-psabi).
      target_compile_options(${object} PRIVATE ${optimisation} -ffp-contract=on -fno-math-errno -fno-trapping-math -Wno-psabi
                             ${RAFTER_ISA_FLAGS_${level}})
      target_include_directories(${object} PRIVATE ${RAFTER_FAMILY_INCLUDES})
      target_link_libraries(${object} PRIVATE rafter_warnings)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
  endforeach()
endfunction()
