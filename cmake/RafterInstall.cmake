# find_package(rafter) for programs that use the library; the tool beside it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rafter rafter_safetensors rafter_all EXPORT rafter-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RAFTER_TOOL)
  install(TARGETS rafter_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Its programs are installed where they are added (src/cli), the executor's parts here; all find each other from where
  # they are themselves (cli/programs.cpp, simt/build/toolchain.cpp).
  install(TARGETS rafter_simt LIBRARY DESTINATION lib)
  install(TARGETS rafter_simt_as RUNTIME DESTINATION libexec/rafter/simt)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/simt/include DESTINATION share/rafter/simt)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rafter)
install(EXPORT rafter-targets NAMESPACE rafter:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rafter-config.cmake.in rafter-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(rafter-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rafter-config.cmake ${PROJECT_BINARY_DIR}/rafter-config-version.cmake
  DESTINATION ${package_dir})
