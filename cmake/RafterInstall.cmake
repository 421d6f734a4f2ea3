# Installs the library for find_package(rafter) and pkg-config, and the tool. The components are
#
#   runtime      shared libraries
#   development  headers, static libraries, CMake's and pkg-config's files
#   tool         the tool and what it needs, its man pages and completion
#   executor     the part of the tool that runs CUDA programs without a GPU
#
# The target `uninstall` removes what the last installation from this build wrote.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rafter rafter_safetensors rafter_c rafter_all EXPORT rafter-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RAFTER_TOOL)
  install(TARGETS rafter_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  install(TARGETS rafter-sandbox RUNTIME DESTINATION libexec/rafter COMPONENT tool)
  # The tool's programs are installed where they are added (src/cli), the executor's parts here. All locate each other
  # relative to themselves (cli/main.cpp, executor/build/toolchain.cpp).
  install(TARGETS rafter_simt rafter_simt_blas rafter_simt_rand LIBRARY DESTINATION lib COMPONENT executor)
  install(TARGETS rafter_simt_as RUNTIME DESTINATION libexec/rafter/simt COMPONENT executor)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/executor/include DESTINATION share/rafter/simt COMPONENT executor)

  # The command line describes itself.
  set(RAFTER_ZSH_FOLDER share/zsh/site-functions CACHE STRING "Folder of zsh's completions; Debian's is share/zsh/vendor-completions")
  set(pages ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/done
    COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
    COMMAND rafter_tool man ${pages}/man1
    COMMAND rafter_tool completion bash > ${pages}/rafter
    COMMAND rafter_tool completion zsh > ${pages}/_rafter
    COMMAND rafter_tool completion fish > ${pages}/rafter.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${pages}/done
    DEPENDS rafter_tool VERBATIM COMMENT "Writing man pages and completion")
  add_custom_target(rafter_pages ALL DEPENDS ${pages}/done)
  install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tool)
  install(FILES ${pages}/rafter DESTINATION share/bash-completion/completions COMPONENT tool)
  install(FILES ${pages}/_rafter DESTINATION ${RAFTER_ZSH_FOLDER} COMPONENT tool)
  install(FILES ${pages}/rafter.fish DESTINATION share/fish/vendor_completions.d COMPONENT tool)
endif()

set(rafter_pc_static "")  # what static libraries need, too
if(NOT BUILD_SHARED_LIBS)
  set(rafter_pc_static " -pthread")
  if(RAFTER_CUDA)
    string(APPEND rafter_pc_static " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
  endif()
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(rafter_pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(rafter_pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(rafter_pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH root /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(rafter_pc_prefix "\${pcfiledir}/${root}")  # the installation may be moved
  set(rafter_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(rafter_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/rafter.pc.in rafter.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rafter.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
configure_file(${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake.in uninstall.cmake @ONLY)
if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rafter)
install(EXPORT rafter-targets NAMESPACE rafter:: DESTINATION ${package_dir} COMPONENT development)
export(EXPORT rafter-targets NAMESPACE rafter:: FILE ${PROJECT_BINARY_DIR}/rafter-targets.cmake)  # for use from the build tree
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rafter-config.cmake.in rafter-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(rafter-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rafter-config.cmake ${PROJECT_BINARY_DIR}/rafter-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

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
  set(check_tool ${tool})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rafter-check.cmake.in rafter-check.cmake @ONLY)

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
  set(check_tool ${tool})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rafter-check.cmake.in installed/rafter-check.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/installed/rafter-workload.cmake ${PROJECT_BINARY_DIR}/installed/rafter-check.cmake
    DESTINATION ${package_dir} COMPONENT tool)

  list(TRANSFORM modules_of_families PREPEND ${PROJECT_SOURCE_DIR}/cmake/)
  install(FILES ${modules_of_families} DESTINATION share/rafter/family/cmake COMPONENT tool)
  get_property(headers GLOBAL PROPERTY RAFTER_FAMILY_HEADERS)
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH module)
    install(FILES ${header} DESTINATION share/rafter/family/include/${module} COMPONENT tool)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/src/library/core/stream/cuda_check.cpp
    DESTINATION share/rafter/family/include/library/core/stream COMPONENT tool)
  install(FILES ${PROJECT_BINARY_DIR}/include/library/core/cpu/isa_levels.hpp
    DESTINATION share/rafter/family/include/library/core/cpu COMPONENT tool)
  install(FILES ${PROJECT_BINARY_DIR}/include/workbench/family/abi.hpp
    DESTINATION share/rafter/family/include/workbench/family COMPONENT tool)
endif()
