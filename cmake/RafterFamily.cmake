# rafter_add_family(NAME [FILE...]): adds kernels/NAME by the names of its files (RafterFamilyFiles.cmake), and further
# FILEs of the op.
#
# rafter_add_exercises(NAME): adds only NAME_exercises.cpp, for exercises without a family.
set_property(GLOBAL PROPERTY RAFTER_FAMILIES "")
set_property(GLOBAL PROPERTY RAFTER_EXERCISES "")

function(rafter_add_family name)
  rafter_family_files(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  target_sources(rafter PRIVATE ${family_op_host} ${ARGN})
  rafter_isa_sources(rafter ${family_simd})
  if(RAFTER_CUDA)
    set_property(GLOBAL APPEND PROPERTY RAFTER_CUDA_OPS ${family_op_device})
  endif()
  set_property(GLOBAL APPEND PROPERTY RAFTER_FAMILIES ${name})
endfunction()

function(rafter_add_exercises name)
  set_property(GLOBAL APPEND PROPERTY RAFTER_EXERCISES ${name})
endfunction()

# Called after all families were added. Compiles each GPU op separately, because a machine with many cores waits for the
# longest; or joins them, which is less work in total.
function(rafter_add_cuda_ops)
  get_property(ops GLOBAL PROPERTY RAFTER_CUDA_OPS)
  if(RAFTER_FEW_CORES)
    rafter_cuda_unity(rafter cuda/ops ${ops})
  else()
    target_sources(rafter PRIVATE ${ops})
  endif()
endfunction()

# Targets of the workbench, over all families:
#
#   rafter_workloads    the contracts, with their ladders (rafter_ladders) and peers (rafter_peers) for this machine, and
#                       the sources that `rafter show` prints
#   rafter_simt_rungs   the same, plus the CUDA rungs on the executor, which the contracts reference as weak symbols
#   rafter_exercises    what only `rafter try` needs
#
# Programs that link rafter_simt_rungs build every rung for the executor, with its checks; the first table needs none.
function(rafter_add_workloads)
  get_property(families GLOBAL PROPERTY RAFTER_FAMILIES)
  foreach(target rafter_workloads rafter_exercises rafter_ladders rafter_peers)
    add_library(${target} STATIC)
    target_link_libraries(${target} PRIVATE rafter_warnings)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels)
    rafter_find_peers(${target})
  endforeach()
  target_link_libraries(rafter_ladders PUBLIC rafter)
  rafter_rung_options(rafter_ladders)
  target_link_libraries(rafter_peers PUBLIC rafter)
  rafter_peer_options(rafter_peers)
  target_link_libraries(rafter_workloads PUBLIC rafter_lab PRIVATE rafter_ladders rafter_peers)
  target_link_libraries(rafter_exercises PUBLIC rafter_lab)

  add_library(rafter_simt_rungs INTERFACE)
  target_link_libraries(rafter_simt_rungs INTERFACE rafter_workloads rafter_simt_device)
  if(RAFTER_CHECKED_BUILDS)
    add_library(rafter_simt_kernels STATIC)
    target_include_directories(rafter_simt_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels)
    target_link_libraries(rafter_simt_kernels PUBLIC rafter rafter_simt)
    # Whole archive, because nothing references weak symbols; last, because instrumented copies of inline functions must
    # not replace the tool's own.
    target_link_libraries(rafter_simt_rungs INTERFACE $<LINK_LIBRARY:WHOLE_ARCHIVE,rafter_simt_kernels>)
  endif()

  foreach(name IN LISTS families)
    rafter_family_files(${name} ${PROJECT_SOURCE_DIR}/kernels/${name})
    target_sources(rafter_workloads PRIVATE ${family_contract})
    target_sources(rafter_ladders PRIVATE ${family_host})
    target_sources(rafter_peers PRIVATE ${family_host_peers})
    if(RAFTER_CUDA)
      list(APPEND all_device_rungs ${family_device})
      list(APPEND all_device_peers ${family_device_peers})
      list(APPEND all_answers ${family_answers})
    endif()
    if(RAFTER_CHECKED_BUILDS)
      rafter_simt_sources(rafter_simt_kernels ${family_op_device} ${family_device})
    endif()
    list(APPEND shown ${family_shown})
  endforeach()
  get_property(alone GLOBAL PROPERTY RAFTER_EXERCISES)
  foreach(name IN LISTS families alone)
    set(source ${PROJECT_SOURCE_DIR}/kernels/${name}/${name}_exercises.cpp)
    if(EXISTS ${source})
      target_sources(rafter_exercises PRIVATE ${source})
      string(APPEND exercise_declarations "namespace ${name}_ladder {\nstd::vector<lab::Exercise> exercises();\n}\n")
      string(APPEND exercise_calls "  add(${name}_ladder::exercises());\n")
    endif()
  endforeach()

  rafter_cuda_unity(rafter_ladders cuda/ladders ${all_device_rungs})
  rafter_cuda_unity(rafter_peers cuda/peers ${all_device_peers})
  rafter_cuda_unity(rafter_workloads cuda/answers ${all_answers})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/exercises.cpp.in exercises.cpp @ONLY)
  set(generated ${CMAKE_CURRENT_BINARY_DIR})
  rafter_list_families(${generated} ${families})
  rafter_embed_sources(${generated} ${PROJECT_SOURCE_DIR} "" ${shown})
  target_sources(rafter_workloads PRIVATE ${generated}/registry.cpp ${generated}/sources.cpp)
  set_source_files_properties(${generated}/sources.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # changes with any rung
  target_sources(rafter_exercises PRIVATE ${generated}/exercises.cpp)
  foreach(target rafter_workloads rafter_exercises rafter_ladders rafter_peers)
    rafter_unity(${target})
  endforeach()
  set(batch 4)  # compiled last in a first build: enough units for all cores
  if(RAFTER_FEW_CORES)
    set(batch 8)
  endif()
  set_target_properties(rafter_workloads PROPERTIES UNITY_BUILD_BATCH_SIZE ${batch})
  if(RAFTER_CHECKED_BUILDS)
    get_property(models GLOBAL PROPERTY RAFTER_SIMT_MODELS)  # kernels of applications
    rafter_simt_sources(rafter_simt_kernels ${models})
    rafter_unity(rafter_simt_kernels)
  endif()
endfunction()
