# For users' folders with a workload, which `rafter run --load FOLDER` builds and loads:
#
#   find_package(rafter REQUIRED COMPONENTS workload)
#   rafter_add_workload(NAME [FILE...] [FOLDER DIR] [LINK LIBRARY...])
#
# adds the family NAME in this folder, or in DIR, by the names of its files (RafterFamilyFiles.cmake), further FILEs of its rungs,
# and libraries that rungs or peers need:
#
#   workload_NAME        a shared object with the contract and its rungs for the CPU, and for a GPU where Rafter has CUDA
#   workload_NAME_simt   the same, plus the CUDA rungs on the executor
#   NAME.cpu, NAME.simt, NAME.cuda   tests: every rung is correct at the sizes that break kernels
#   NAME.planted         with planted/*.cpp, rungs of these names with planted faults: a test that they are found
#
# The objects do not link Rafter: the program that loads them contains it once and exports it.
include(RafterFamilyFiles)
include(RafterIsa)
include(RafterSimt)
include(RafterCuda)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(RAFTER_NATIVE_PEERS ON)
set(RAFTER_FASTEST_CODE -O3)
set(RAFTER_FASTEST_LOOPS -O3)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
if(NOT TARGET rafter_warnings)
  add_library(rafter_warnings INTERFACE)
  target_compile_options(rafter_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>)
  foreach(list rafter_workloads rafter_workloads_simt)  # targets that the tool builds
    add_custom_target(${list})
    file(REMOVE_RECURSE ${CMAKE_BINARY_DIR}/${list})
  endforeach()
endif()

# rafter_workload_part(TARGET FOLDER SOURCE...): compiles some files of a family.
function(rafter_workload_part target folder)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${folder})
  target_include_directories(${target} SYSTEM PRIVATE ${RAFTER_FAMILY_INCLUDES})
  target_compile_definitions(${target} PRIVATE RAFTER_FAMILY_FOLDER="${folder}/" $<$<BOOL:${RAFTER_CUDA}>:RAFTER_WITH_CUDA>)
  # Users' errors are in a rung, not in the templates around it.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ftemplate-backtrace-limit=1>)
  target_link_libraries(${target} PRIVATE ${family_libraries})
endfunction()

# rafter_workload_object(TARGET PART...): links a shared object of these parts. The linker keeps the first copy of an
# inline function, so parts compiled for the executor come last.
function(rafter_workload_object target)
  add_library(${target} MODULE)
  foreach(part IN LISTS ARGN)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
  set_target_properties(${target} PROPERTIES PREFIX "" LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${family_libraries})
  if(RAFTER_CUDA)
    # The object has its own CUDA runtime, which registers its kernels. Streams and memory belong to the driver, shared
    # by all runtimes.
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  endif()
  if(family_host_peers OR family_device_peers)
    rafter_find_peers(${target})
  endif()
  target_link_options(${target} PRIVATE LINKER:--version-script=${RAFTER_FAMILY_MODULES}/loadable.map)
endfunction()

# rafter_offer_workload(TARGET LIST): adds TARGET to LIST, which the tool builds; a folder of that name lists the
# objects to load.
function(rafter_offer_workload target list)
  add_dependencies(${list} ${target})
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${list}/${target} CONTENT $<TARGET_FILE:${target}>)
endfunction()

# rafter_test_workload(NAME OBJECT DEVICE): adds a test that every rung is correct at awkward sizes.
function(rafter_test_workload name object device)
  add_test(NAME ${name} COMMAND ${RAFTER_TOOL_PROGRAM} run --load $<TARGET_FILE:${object}> --check --device ${device}
    --json ${CMAKE_CURRENT_BINARY_DIR}/${name}.json)
endfunction()

# The following macros are parts of rafter_add_workload() and use its variables: target, folder, parts, and the family's
# files.

# Adds the files, if any, as the part `${target}_${part}`.
macro(rafter_add_part part)
  if(NOT "${ARGN}" STREQUAL "")
    rafter_workload_part(${target}_${part} ${folder} ${ARGN})
    list(APPEND parts ${target}_${part})
  endif()
endmacro()

macro(rafter_add_contract)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name})
  rafter_list_families(${generated} ${name})
  rafter_embed_sources(${generated} ${folder} ${folder}/ ${family_shown})
  configure_file(${RAFTER_FAMILY_MODULES}/loadable.cpp.in ${generated}/loadable.cpp @ONLY)
  rafter_add_part(contract ${family_contract} ${generated}/loadable.cpp ${generated}/sources.cpp)
  target_compile_options(${target}_contract PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)  # little computation
  target_link_libraries(${target}_contract PRIVATE rafter_warnings)
endmacro()

# Adds the host's rungs as a part of that name: the files and their loops.
macro(rafter_add_host_rungs part)
  rafter_add_part(${part} ${ARGN})
  if(TARGET ${target}_${part})
    rafter_isa_sources(${target}_${part} ${family_simd})
    rafter_rung_options(${target}_${part})
    target_link_libraries(${target}_${part} PRIVATE rafter_warnings)
  endif()
endmacro()

macro(rafter_add_peers)
  rafter_add_part(peers ${family_host_peers} ${family_device_peers})
  if(TARGET ${target}_peers)
    rafter_peer_options(${target}_peers)
    rafter_find_peers(${target}_peers)
    rafter_find_peers(${target}_contract)  # lists the available ones
  endif()
endmacro()

function(rafter_add_workload name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" FOLDER LINK)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  if(arg_FOLDER)
    get_filename_component(folder ${arg_FOLDER} ABSOLUTE)
  endif()
  rafter_family_files(${name} ${folder})
  if(NOT EXISTS ${folder}/${name}_workload.cpp)
    message(FATAL_ERROR "rafter_add_workload(${name}): ${folder}/${name}_workload.cpp, the contract, does not exist")
  endif()
  cmake_path(GET folder FILENAME folder_name)
  if(folder_name STREQUAL name)  # includes may begin with the folder's name, as in Rafter's own families
    cmake_path(GET folder PARENT_PATH around)
    list(APPEND RAFTER_FAMILY_INCLUDES ${around})
  endif()
  set(family_libraries ${arg_LINK})
  set(device_rungs ${family_op_device} ${family_device})
  if(RAFTER_CUDA)
    list(APPEND family_libraries CUDA::cudart_static)
  else()
    set(family_device_peers "")
  endif()

  set(target workload_${name})
  set(host_rungs ${family_op_host} ${family_host} ${arg_UNPARSED_ARGUMENTS})
  set(parts "")
  rafter_add_contract()
  rafter_add_peers()
  if(RAFTER_CUDA)
    target_sources(${target}_contract PRIVATE ${family_answers})
    rafter_add_part(gpu ${device_rungs} ${RAFTER_CUDA_CHECK})
  endif()
  set(common_parts ${parts})
  rafter_add_host_rungs(rungs ${host_rungs})
  set(all_parts ${parts})
  rafter_workload_object(${target} ${all_parts})
  rafter_offer_workload(${target} rafter_workloads)
  if(host_rungs)
    rafter_test_workload(${name}.cpu ${target} cpu)
  endif()
  if(RAFTER_CUDA AND device_rungs)
    rafter_test_workload(${name}.cuda ${target} cuda)
    set_tests_properties(${name}.cuda PROPERTIES SKIP_REGULAR_EXPRESSION "device cuda cannot be used")
  endif()

  file(GLOB planted CONFIGURE_DEPENDS ${folder}/planted/*.cpp)
  if(planted)
    foreach(file IN LISTS planted)  # each replaces the rung of the same name
      cmake_path(GET file FILENAME file_name)
      list(FILTER host_rungs EXCLUDE REGEX "/${file_name}$")
    endforeach()
    set(parts ${common_parts})
    rafter_add_host_rungs(planted_rungs ${host_rungs} ${planted})
    rafter_workload_object(${target}_planted ${parts})
    rafter_test_workload(${name}.planted ${target}_planted cpu)
    set_tests_properties(${name}.planted PROPERTIES PASS_REGULAR_EXPRESSION "some rungs did not pass")
  endif()

  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # required by the executor
    set(family_libraries ${arg_LINK})
    if(device_rungs)
      rafter_workload_part(${target}_executor ${folder})
      rafter_simt_sources(${target}_executor ${device_rungs})
      list(APPEND all_parts ${target}_executor)
    endif()
    rafter_workload_object(${target}_simt ${all_parts})
    target_link_libraries(${target}_simt PRIVATE ${RAFTER_SIMT_LIBRARY})
    rafter_offer_workload(${target}_simt rafter_workloads_simt)
    if(device_rungs)
      rafter_test_workload(${name}.simt ${target}_simt simt)
    endif()
  endif()
endfunction()
