# The bill of materials (SPDX 2.3, JSON) of what a build installs: of the library and, in a build with the tool, of the
# tool. Which libraries are compiled in is known here; which are linked, the files themselves tell (write_sbom.cmake).
set(rafter_sbom_dir ${PROJECT_BINARY_DIR}/sbom)

# rafter_sbom_facts(FILE NAME PURPOSE LICENCE...): writes the facts for write_sbom.cmake. Each further argument is
# NAME|VERSION|LICENCE of a library that is compiled in.
function(rafter_sbom_facts file name purpose)
  string(TOLOWER "${CMAKE_CXX_COMPILER_ID}" compiler)
  if(compiler STREQUAL gnu)
    set(compiler g++)
  endif()
  string(APPEND compiler "|${CMAKE_CXX_COMPILER_VERSION}")
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
set(name "@name@")
set(purpose "@purpose@")
set(version "@PROJECT_VERSION@")
set(description "@PROJECT_DESCRIPTION@")
set(compiler "@compiler@")
set(compiled_in "@ARGN@")
]])
endfunction()

# rafter_add_sbom(NAME COMPONENT TARGET...): adds the document of these targets, which the build writes.
function(rafter_add_sbom name component)
  set(document ${rafter_sbom_dir}/${name}.spdx.json)
  set(files "")
  foreach(target IN LISTS ARGN)
    list(APPEND files $<TARGET_FILE:${target}>)
  endforeach()
  add_custom_command(OUTPUT ${document}
    COMMAND ${CMAKE_COMMAND} -DFACTS=${rafter_sbom_dir}/${name}.cmake -DOUTPUT=${document} "-DFILES=${files}"
      -P ${PROJECT_SOURCE_DIR}/cmake/write_sbom.cmake
    DEPENDS ${ARGN} ${rafter_sbom_dir}/${name}.cmake ${PROJECT_SOURCE_DIR}/cmake/write_sbom.cmake
    VERBATIM COMMENT "Writing ${name}.spdx.json")
  add_custom_target(rafter_sbom_${component} ALL DEPENDS ${document})
  install(FILES ${document} DESTINATION share/rafter/sbom COMPONENT ${component})
endfunction()

# What the library contains.
find_package(nlohmann_json QUIET)
set(contents "")
if(nlohmann_json_FOUND)
  list(APPEND contents "nlohmann-json|${nlohmann_json_VERSION}|MIT")
endif()
if(RAFTER_CUDA)
  list(APPEND contents "cuda-runtime|${CUDAToolkit_VERSION}|NOASSERTION")
endif()
set(component development)
if(BUILD_SHARED_LIBS)
  set(component runtime)
endif()
set(name librafter${PROJECT_VERSION_MAJOR})
rafter_sbom_facts(${rafter_sbom_dir}/${name}.cmake ${name} LIBRARY ${contents})
rafter_add_sbom(${name} ${component} rafter rafter_safetensors)

# What the tool contains beyond that.
if(RAFTER_TOOL)
  find_package(CLI11 QUIET)
  list(APPEND contents "cli11|${CLI11_VERSION}|BSD-3-Clause")
  find_package(fmt QUIET)
  get_target_property(type fmt::fmt TYPE)
  if(NOT type STREQUAL SHARED_LIBRARY)  # a shared one is found in the programs
    list(APPEND contents "fmt|${fmt_VERSION}|MIT")
  endif()
  find_package(Eigen3 QUIET NO_MODULE)
  if(Eigen3_FOUND)
    list(APPEND contents "eigen|${Eigen3_VERSION}|MPL-2.0")
  endif()
  get_property(programs DIRECTORY ${PROJECT_SOURCE_DIR}/src/cli PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER programs INCLUDE REGEX "^rafter_tool$|^rafter-")
  rafter_sbom_facts(${rafter_sbom_dir}/rafter.cmake rafter APPLICATION ${contents})
  rafter_add_sbom(rafter tool ${programs} rafter_simt rafter_simt_blas rafter_simt_rand rafter_simt_as)
endif()
