# rafter_isa_sources(TARGET FILE...): compiles each file of plain loops once per instruction-set level and adds the
# objects to TARGET. Inside, RAFTER_ISA is the level's name; core/isa.hpp picks the best level at run time.
# Such a file must not use inline functions of other headers: the linker would keep one level's copy for all.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(RAFTER_ISA_LEVELS v2 v3 v4)
  set(RAFTER_ISA_FLAGS_v2 -march=x86-64-v2)
  set(RAFTER_ISA_FLAGS_v3 -march=x86-64-v3)
  set(RAFTER_ISA_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(RAFTER_ISA_LEVELS base)
  set(RAFTER_ISA_FLAGS_base "")
endif()

function(rafter_isa_sources target)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    foreach(level IN LISTS RAFTER_ISA_LEVELS)
      set(object ${target}_${name}_${level})
      add_library(${object} OBJECT ${file})
      target_compile_definitions(${object} PRIVATE RAFTER_ISA=${level})
      # Their functions are their own, so that how vectors wider than the level's are passed does not matter (-Wno-psabi).
      target_compile_options(${object} PRIVATE -O3 -ffp-contract=on -fno-math-errno -fno-trapping-math -Wno-psabi
                             ${RAFTER_ISA_FLAGS_${level}})
      target_include_directories(${object} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels)
      target_link_libraries(${object} PRIVATE rafter_warnings)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
  endforeach()
endfunction()
