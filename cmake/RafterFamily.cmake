# rafter_add_family(NAME [FILE...]): adds kernels/NAME by the names of its files, which are the same in every family, and
# further files of the op.
#
#   NAME.cpp NAME_cpu.cpp NAME_simd.cpp NAME_cuda.cu   the op, into the library
#   cpu/*.cpp cuda/*.cu                                parts of them, where there are many (optional)
#   ladder/*.cpp ladder/*.cu                           the rungs that lead there
#   peers/*.cpp peers/*.cu                             other people's code, measured beside ours
#   NAME_workload.cpp                                  the contract and the list of rungs
#   NAME_inputs.cpp                                    how its inputs are made, where that is long (optional)
#   NAME_answers.cu                                    its inputs and answers made on a GPU (optional)
#   NAME_exercises.cpp                                 contracts for learners' kernels (optional)
#
# ladder/ and peers/ are globbed, so that a new rung is one file and one line in NAME_workload.cpp.
#
# rafter_add_model(NAME [FILE...]): the first two lines of it and these files, for what is made of other families' ops and
# has no ladder of its own.
#
# rafter_add_exercises(NAME): NAME_exercises.cpp alone, for what learners write and no family of ours does.
set_property(GLOBAL PROPERTY RAFTER_FAMILIES "")
set_property(GLOBAL PROPERTY RAFTER_EXERCISES "")
set_property(GLOBAL PROPERTY RAFTER_MODELS "")

function(rafter_add_family name)
  rafter_add_op(${name} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY RAFTER_FAMILIES ${name})
endfunction()

function(rafter_add_model name)
  rafter_add_op(${name} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY RAFTER_MODELS ${name})
endfunction()

function(rafter_add_exercises name)
  set_property(GLOBAL APPEND PROPERTY RAFTER_EXERCISES ${name})
endfunction()

function(rafter_add_op name)
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(GLOB parts CONFIGURE_DEPENDS ${dir}/cpu/*.cpp)
  set(host ${dir}/${name}.cpp ${dir}/${name}_cpu.cpp ${parts})
  target_sources(rafter PRIVATE ${host} ${ARGN})
  if(EXISTS ${dir}/${name}_simd.cpp)
    rafter_isa_sources(rafter ${dir}/${name}_simd.cpp)
  endif()
  if(RAFTER_CUDA)
    file(GLOB parts CONFIGURE_DEPENDS ${dir}/cuda/*.cu)
    target_sources(rafter PRIVATE ${dir}/${name}_cuda.cu ${parts})
  endif()
endfunction()

# What the workbench needs of every family:
#
#   rafter_workloads    the contracts, with their ladders (rafter_ladders) and peers (rafter_peers) for this machine, and
#                       the sources that `rafter show` prints
#   rafter_simt_rungs   the same, and our CUDA rungs on the executor, which the contracts name as weak symbols
#   rafter_exercises    what only `rafter try` needs
#
# Who links rafter_simt_rungs builds every rung for the executor, with its checks in; the first table needs none.
function(rafter_add_workloads)
  get_property(families GLOBAL PROPERTY RAFTER_FAMILIES)
  foreach(target rafter_workloads rafter_exercises rafter_ladders rafter_peers)
    add_library(${target} STATIC)
    target_link_libraries(${target} PRIVATE rafter_warnings OpenMP::OpenMP_CXX)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels)
    rafter_find_peers(${target})
  endforeach()
  target_link_libraries(rafter_ladders PUBLIC rafter)
  target_compile_options(rafter_ladders PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O3>)
  target_link_libraries(rafter_peers PUBLIC rafter)
  set(native $<IF:$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},aarch64>,-mcpu=native,-march=native>)  # Clang 14 has no other there
  target_compile_options(rafter_peers PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-O3 -w $<$<BOOL:${RAFTER_NATIVE_PEERS}>:${native}>>)
  target_link_libraries(rafter_workloads PUBLIC rafter_lab PRIVATE rafter_ladders rafter_peers)
  target_link_libraries(rafter_exercises PUBLIC rafter_lab)

  add_library(rafter_simt_rungs INTERFACE)
  target_link_libraries(rafter_simt_rungs INTERFACE rafter_workloads rafter_simt_device)
  if(RAFTER_CHECKED_BUILDS)
    add_library(rafter_simt_kernels STATIC)
    target_include_directories(rafter_simt_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels)
    target_link_libraries(rafter_simt_kernels PUBLIC rafter rafter_simt)
    # Whole, as nothing asks for a weak symbol; last, as instrumented copies of inline functions must not stand in for
    # the tool's own.
    target_link_libraries(rafter_simt_rungs INTERFACE $<LINK_LIBRARY:WHOLE_ARCHIVE,rafter_simt_kernels>)
  endif()

  set(shown "")
  foreach(name IN LISTS families)
    set(dir ${PROJECT_SOURCE_DIR}/kernels/${name})
    file(GLOB host CONFIGURE_DEPENDS ${dir}/ladder/*.cpp)
    file(GLOB device CONFIGURE_DEPENDS ${dir}/ladder/*.cu)
    file(GLOB host_peers CONFIGURE_DEPENDS ${dir}/peers/*.cpp)
    file(GLOB device_peers CONFIGURE_DEPENDS ${dir}/peers/*.cu)
    file(GLOB answers CONFIGURE_DEPENDS ${dir}/${name}_answers.cu)
    file(GLOB inputs CONFIGURE_DEPENDS ${dir}/${name}_inputs.cpp)
    target_sources(rafter_workloads PRIVATE ${dir}/${name}_workload.cpp ${inputs})
    target_sources(rafter_ladders PRIVATE ${host})
    target_sources(rafter_peers PRIVATE ${host_peers})
    if(RAFTER_CUDA)
      list(APPEND all_device_rungs ${device})
      list(APPEND all_device_peers ${device_peers})
      list(APPEND all_answers ${answers})
    endif()
    file(GLOB rungs CONFIGURE_DEPENDS ${dir}/ladder/*.cu ${dir}/cuda/*.cu)
    if(RAFTER_CHECKED_BUILDS)
      rafter_simt_sources(rafter_simt_kernels ${dir}/${name}_cuda.cu ${rungs})
    endif()
    list(APPEND shown ${host} ${host_peers} ${device} ${device_peers} ${dir}/${name}_cpu.cpp ${dir}/${name}_cuda.cu)
    string(APPEND declarations "namespace ${name}_ladder {\nconst lab::Workload& workload();\n}\n")
    string(APPEND calls "      &${name}_ladder::workload(),\n")
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
  configure_file(${PROJECT_SOURCE_DIR}/cmake/registry.cpp.in registry.cpp @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/exercises.cpp.in exercises.cpp @ONLY)
  add_custom_command(OUTPUT sources.cpp
    COMMAND ${CMAKE_COMMAND} "-DFILES=${shown}" -DROOT=${PROJECT_SOURCE_DIR} -DOUT=sources.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
    DEPENDS ${shown} ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
    COMMENT "Embedding the rungs' sources" VERBATIM)
  set(generated ${CMAKE_CURRENT_BINARY_DIR})
  target_sources(rafter_workloads PRIVATE ${generated}/registry.cpp ${generated}/sources.cpp)
  set_source_files_properties(${generated}/sources.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # changes with any rung
  target_sources(rafter_exercises PRIVATE ${generated}/exercises.cpp)
  foreach(target rafter_workloads rafter_exercises rafter_ladders rafter_peers)
    rafter_unity(${target})
  endforeach()
  set_target_properties(rafter_workloads PROPERTIES UNITY_BUILD_BATCH_SIZE 4)  # the last of a first build: for two cores
  if(RAFTER_CHECKED_BUILDS)
    get_property(models GLOBAL PROPERTY RAFTER_MODELS)
    foreach(name IN LISTS models)
      rafter_simt_sources(rafter_simt_kernels ${PROJECT_SOURCE_DIR}/kernels/${name}/${name}_cuda.cu)
    endforeach()
    rafter_unity(rafter_simt_kernels)
  endif()
endfunction()

# rafter_find_peer(TARGET NAME HEADER LIBRARY): a peer without a CMake package of its own, as RAFTER_WITH_NAME.
function(rafter_find_peer target name header library)
  find_path(RAFTER_${name}_INCLUDE ${header} HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(RAFTER_${name}_LIBRARY ${library} HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(RAFTER_${name}_INCLUDE RAFTER_${name}_LIBRARY)
  if(RAFTER_${name}_INCLUDE AND RAFTER_${name}_LIBRARY)
    target_include_directories(${target} SYSTEM PRIVATE ${RAFTER_${name}_INCLUDE})
    target_link_libraries(${target} PRIVATE ${RAFTER_${name}_LIBRARY})
    target_compile_definitions(${target} PRIVATE RAFTER_WITH_${name})
  endif()
endfunction()

# Peers are optional: a rung whose library is missing is listed as not built.
function(rafter_find_peers target)
  find_package(Eigen3 QUIET NO_MODULE)
  if(Eigen3_FOUND)
    target_link_libraries(${target} PRIVATE Eigen3::Eigen)
    target_compile_definitions(${target} PRIVATE RAFTER_WITH_EIGEN)
  endif()
  find_package(TBB QUIET)
  if(TBB_FOUND)
    target_link_libraries(${target} PRIVATE TBB::tbb)
    target_compile_definitions(${target} PRIVATE RAFTER_WITH_TBB)
  endif()
  rafter_find_peer(${target} ONEDNN oneapi/dnnl/dnnl.hpp dnnl)
  if(RAFTER_CUDA)
    rafter_find_peer(${target} CUBLAS cublas_v2.h cublas)
    rafter_find_peer(${target} CUBLASLT cublasLt.h cublasLt)
    rafter_find_peer(${target} CUDNN cudnn.h cudnn)
  endif()
endfunction()
