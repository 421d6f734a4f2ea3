# Shared by the families of kernels/ and by those in folders of their own (RafterWorkload.cmake): the names of their files,
# the registry, and the peers.
#
# rafter_family_files(NAME FOLDER): sets variables of the caller to a family's files, by their fixed names:
#
#   family_op_host     NAME.cpp NAME_cpu.cpp cpu/*.cpp       the op; cpu/ and cuda/ have all its parts
#   family_op_device   NAME_cuda.cu cuda/*.cu
#   family_simd        NAME_simd.cpp                         loops for every instruction-set level (optional)
#   family_host        ladder/*.cpp                          the rungs of the ladder
#   family_device      ladder/*.cu
#   family_host_peers  peers/*.cpp                           rungs that call other libraries
#   family_device_peers  peers/*.cu
#   family_contract    NAME_workload.cpp NAME_inputs.cpp     the contract and the list of rungs; generation of inputs, if
#                                                            it is long (optional)
#   family_answers     NAME_answers.cu                       inputs and answers computed on a GPU (optional)
#   family_exercises   NAME_exercises.cpp                    contracts for learners' kernels (optional)
#
# All are globbed, so that a new rung is one file and one line in NAME_workload.cpp.
macro(rafter_family_files name folder)
  file(GLOB family_op_host CONFIGURE_DEPENDS ${folder}/${name}.cpp ${folder}/${name}_cpu.cpp ${folder}/cpu/*.cpp)
  file(GLOB family_op_device CONFIGURE_DEPENDS ${folder}/${name}_cuda.cu ${folder}/cuda/*.cu)
  file(GLOB family_simd CONFIGURE_DEPENDS ${folder}/${name}_simd.cpp)
  file(GLOB family_host CONFIGURE_DEPENDS ${folder}/ladder/*.cpp)
  file(GLOB family_device CONFIGURE_DEPENDS ${folder}/ladder/*.cu)
  file(GLOB family_host_peers CONFIGURE_DEPENDS ${folder}/peers/*.cpp)
  file(GLOB family_device_peers CONFIGURE_DEPENDS ${folder}/peers/*.cu)
  file(GLOB family_contract CONFIGURE_DEPENDS ${folder}/${name}_workload.cpp ${folder}/${name}_inputs.cpp)
  file(GLOB family_answers CONFIGURE_DEPENDS ${folder}/${name}_answers.cu)
  file(GLOB family_exercises CONFIGURE_DEPENDS ${folder}/${name}_exercises.cpp)
  # The files that `rafter show` prints.
  set(family_shown ${family_host} ${family_host_peers} ${family_device} ${family_device_peers})
  foreach(file ${folder}/${name}_cpu.cpp ${folder}/${name}_cuda.cu)
    if(EXISTS ${file})
      list(APPEND family_shown ${file})
    endif()
  endforeach()
endmacro()

set(RAFTER_FAMILY_MODULES ${CMAKE_CURRENT_LIST_DIR})

# rafter_list_families(FOLDER NAME...): generates FOLDER/registry.cpp, which lists their workloads.
function(rafter_list_families folder)
  foreach(name IN LISTS ARGN)
    string(APPEND declarations "namespace ${name}_ladder {\nconst lab::Workload& workload();\n}\n")
    string(APPEND calls "      &${name}_ladder::workload(),\n")
  endforeach()
  configure_file(${RAFTER_FAMILY_MODULES}/registry.cpp.in ${folder}/registry.cpp @ONLY)
endfunction()

# rafter_embed_sources(FOLDER ROOT PREFIX FILE...): generates FOLDER/sources.cpp with the texts of these files, named by
# PREFIX and their path below ROOT.
function(rafter_embed_sources folder root prefix)
  add_custom_command(OUTPUT ${folder}/sources.cpp
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DROOT=${root} -DPREFIX=${prefix} -DOUT=${folder}/sources.cpp
            -P ${RAFTER_FAMILY_MODULES}/embed_sources.cmake
    DEPENDS ${ARGN} ${RAFTER_FAMILY_MODULES}/embed_sources.cmake
    COMMENT "Embedding the rungs' sources" VERBATIM)
endfunction()

# rafter_rung_options(TARGET), rafter_peer_options(TARGET): set the compile options of rungs and peers.
function(rafter_rung_options target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${RAFTER_FASTEST_CODE}>")
endfunction()
function(rafter_peer_options target)
  set(native $<IF:$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},aarch64>,-mcpu=native,-march=native>)  # Clang 14 supports only -mcpu there
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${RAFTER_FASTEST_CODE} -w $<$<BOOL:${RAFTER_NATIVE_PEERS}>:${native}>>)
endfunction()

# rafter_find_peer(TARGET NAME HEADER LIBRARY [LATE]): finds a peer without a CMake package, as RAFTER_WITH_NAME. With LATE
# our own families load the library in the first call of one of its functions (peers/LIBRARY_functions.cpp), because every
# start of a program that links it takes long; a family in a folder of its own links it.
function(rafter_find_peer target name header library)
  find_path(RAFTER_${name}_INCLUDE ${header} HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(RAFTER_${name}_LIBRARY ${library} HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(RAFTER_${name}_INCLUDE RAFTER_${name}_LIBRARY)
  if(RAFTER_${name}_INCLUDE AND RAFTER_${name}_LIBRARY)
    target_include_directories(${target} SYSTEM PRIVATE ${RAFTER_${name}_INCLUDE})
    target_compile_definitions(${target} PRIVATE RAFTER_WITH_${name})
    if("LATE" IN_LIST ARGN AND target MATCHES "^rafter_(workloads|exercises|ladders|peers)$")
      if(target STREQUAL rafter_peers)
        target_compile_definitions(${target} PRIVATE
          "$<$<COMPILE_LANGUAGE:CXX>:RAFTER_${name}_FILE=\"${RAFTER_${name}_LIBRARY}\">"
          "$<$<COMPILE_LANGUAGE:CXX>:RAFTER_${name}_SONAME=\"lib${library}.so.${CUDAToolkit_VERSION_MAJOR}\">")
      endif()
      return()
    endif()
    target_link_libraries(${target} PRIVATE ${RAFTER_${name}_LIBRARY})
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
    rafter_find_peer(${target} CUBLAS cublas_v2.h cublas LATE)
    rafter_find_peer(${target} CUBLASLT cublasLt.h cublasLt LATE)
    rafter_find_peer(${target} CUDNN cudnn.h cudnn)
  endif()
endfunction()
