# Installs the library for find_package(rafter), and the tool.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rafter rafter_safetensors rafter_all EXPORT rafter-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RAFTER_TOOL)
  install(TARGETS rafter_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The tool's programs are installed where they are added (src/cli), the executor's parts here. All locate each other
  # relative to themselves (cli/main.cpp, executor/build/toolchain.cpp).
  install(TARGETS rafter_simt LIBRARY DESTINATION lib)
  install(TARGETS rafter_simt_as RUNTIME DESTINATION libexec/rafter/simt)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/executor/include DESTINATION share/rafter/simt)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rafter)
install(EXPORT rafter-targets NAMESPACE rafter:: DESTINATION ${package_dir})
export(EXPORT rafter-targets NAMESPACE rafter:: FILE ${PROJECT_BINARY_DIR}/rafter-targets.cmake)  # for use from the build tree
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rafter-config.cmake.in rafter-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(rafter-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rafter-config.cmake ${PROJECT_BINARY_DIR}/rafter-config-version.cmake
  DESTINATION ${package_dir})

# rafter_add_workload() for users' folders: the headers that families include, the executor, and the modules that add
# the families of kernels/.
if(RAFTER_TOOL)
  get_property(simt_flags GLOBAL PROPERTY RAFTER_SIMT_CHECKED_BUILD)
  set(modules_of_families RafterCuda.cmake RafterFamilyFiles.cmake RafterIsa.cmake RafterSimt.cmake RafterWorkload.cmake
    embed_sources.cmake loadable.cpp.in loadable.map registry.cpp.in)

  # For the build tree, which may be moved together with its sources.
  file(RELATIVE_PATH root ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set(build "\${CMAKE_CURRENT_LIST_DIR}")
  set(source "\${rafter_root}")
  set(includes ${source}/src ${source}/include ${build}/include)
  set(cuda_check ${source}/src/library/core/stream/cuda_check.cpp)
  set(simt_headers ${source}/src/executor/include)
  set(simt_tools ${build}/simt_tools)
  set(simt_library ${build}/src/executor/librafter_simt.so)
  set(tool ${build}/rafter)
  set(modules ${source}/cmake)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rafter-workload.cmake.in rafter-workload.cmake @ONLY)

  # For the installation.
  file(RELATIVE_PATH root /${package_dir} /)
  set(includes ${source}/share/rafter/family/include ${source}/${CMAKE_INSTALL_INCLUDEDIR})
  set(cuda_check ${source}/share/rafter/family/include/library/core/stream/cuda_check.cpp)
  set(simt_headers ${source}/share/rafter/simt/include)
  set(simt_tools ${source}/libexec/rafter/simt)
  set(simt_library ${source}/lib/librafter_simt.so)
  set(tool ${source}/${CMAKE_INSTALL_BINDIR}/rafter)
  set(modules ${source}/share/rafter/family/cmake)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rafter-workload.cmake.in installed/rafter-workload.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/installed/rafter-workload.cmake DESTINATION ${package_dir})

  list(TRANSFORM modules_of_families PREPEND ${PROJECT_SOURCE_DIR}/cmake/)
  install(FILES ${modules_of_families} DESTINATION share/rafter/family/cmake)
  get_property(headers GLOBAL PROPERTY RAFTER_FAMILY_HEADERS)
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH module)
    install(FILES ${header} DESTINATION share/rafter/family/include/${module})
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/src/library/core/stream/cuda_check.cpp DESTINATION share/rafter/family/include/library/core/stream)
  install(FILES ${PROJECT_BINARY_DIR}/include/library/core/cpu/isa_levels.hpp DESTINATION share/rafter/family/include/library/core/cpu)
  install(FILES ${PROJECT_BINARY_DIR}/include/workbench/family/abi.hpp DESTINATION share/rafter/family/include/workbench/family)
endif()
