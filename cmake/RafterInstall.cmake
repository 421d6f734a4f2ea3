# find_package(rafter) for programs that use the library; the tool beside it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rafter EXPORT rafter-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RAFTER_TOOL)
  install(TARGETS rafter_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The executor beside it; simt/build/toolchain.cpp finds these from where the tool is.
  install(TARGETS rafter_simt LIBRARY DESTINATION lib)
  install(TARGETS rafter_simt_as RUNTIME DESTINATION libexec/rafter/simt)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/simt/include DESTINATION share/rafter/simt)
  set_target_properties(rafter_tool PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rafter)
install(EXPORT rafter-targets NAMESPACE rafter:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rafter-config.cmake.in rafter-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(rafter-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rafter-config.cmake ${PROJECT_BINARY_DIR}/rafter-config-version.cmake
  DESTINATION ${package_dir})
