# Language level, warnings and sanitizers, as two INTERFACE targets, and the include paths of families.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(BUILD_SHARED_LIBS)  # only what is marked RAFTER_API; programs that load workloads export the static library's internals
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
endif()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # a build may be moved together with its sources
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Kernels, peers and the executor set a higher level themselves. Everything else runs no slower and compiles a quarter
  # faster.
  string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
# Modules without computation compile another fifth faster.
set(RAFTER_CALCULATES_NOTHING $<$<AND:$<NOT:$<CONFIG:Debug>>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Og>)

# g++ collects garbage after every 128 MiB of allocation, a sixteenth of its time. Raise the threshold to 1 GiB where
# few compilers run at once and the machine has enough memory.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
if(RAFTER_FEW_CORES AND memory_mib GREATER 7000)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()

set(RAFTER_FAMILY_INCLUDES ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_BINARY_DIR}/include)

find_package(Threads REQUIRED)

# With unity builds (rafter_unity), globals of one file must not count as shadowed in the next.
add_library(rafter_warnings INTERFACE)
set(shadow $<IF:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>,-Wshadow>)
target_compile_options(rafter_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra ${shadow} -Wnon-virtual-dtor -Wold-style-cast>)
if(RAFTER_WERROR)
  target_compile_options(rafter_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# The executor instruments checked builds through g++'s ThreadSanitizer hooks, which Clang places differently. `rafter
# check` always compiles user sources with g++.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(RAFTER_CHECKED_BUILDS ON)
else()
  set(RAFTER_CHECKED_BUILDS OFF)
  message(STATUS "The compiler is ${CMAKE_CXX_COMPILER_ID}: our own kernels are not built for the executor, which needs g++. "
                 "For `rafter run --device simt` and the tests of the executor, configure with -DCMAKE_CXX_COMPILER=g++.")
endif()

if(RAFTER_SANITIZE STREQUAL address)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(RAFTER_SANITIZE STREQUAL thread)
  set(sanitizers -fsanitize=thread)
elseif(RAFTER_SANITIZE)
  message(FATAL_ERROR "RAFTER_SANITIZE must be address, thread or OFF, is '${RAFTER_SANITIZE}'")
endif()
if(RAFTER_SANITIZE)
  # The sanitizers find the same errors at any optimisation level, and g++ takes several times as long at -O3.
  set(RAFTER_FASTEST_CODE "")
  set(RAFTER_FASTEST_LOOPS "")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${sanitizers}>")
  add_link_options(${sanitizers})
else()
  set(RAFTER_FASTEST_CODE -O3)
  set(RAFTER_FASTEST_LOOPS -O3)
  if(NOT RAFTER_OPTIMISE)
    set(RAFTER_FASTEST_CODE "")
  endif()
endif()

# rafter_unity(TARGET): compiles its C++ sources eight at a time, so that shared headers are read once; on few cores
# four times as many. Names in anonymous namespaces must differ. Sources with their own options are compiled separately.
set(unity_sources 8)
set(unity_cuda_sources 6)
if(RAFTER_FEW_CORES)
  set(unity_sources 32)
  set(unity_cuda_sources 24)
endif()
function(rafter_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RAFTER_UNITY} UNITY_BUILD_BATCH_SIZE ${unity_sources})
  # Anonymous namespaces of joined files stay private here and may be part of a file's other types.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cu$")  # not joined: CMake 4 would join them, older versions would not
  if(sources)
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# rafter_cuda_unity(TARGET FOLDER FILE...): does the same for CUDA sources, which CMake 3.25 does not join: adds units
# in FOLDER of the build that include six of them each, or four times as many on few cores. FILEs are absolute paths.
function(rafter_cuda_unity target folder)
  if(NOT RAFTER_UNITY)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  set(n 0)
  while(ARGN)
    list(SUBLIST ARGN 0 ${unity_cuda_sources} batch)
    list(REMOVE_ITEM ARGN ${batch})
    list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN batch "" text)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/${folder}/unity_${n}.cu)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}")
    target_sources(${target} PRIVATE ${unit})
    math(EXPR n "${n} + 1")
  endwhile()
endfunction()
