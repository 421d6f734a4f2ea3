# Debian packages of a build, made by `cpack` in its folder:
#
#   librafterN     the shared library            a build with BUILD_SHARED_LIBS
#   librafter-dev  what programs compile with    the same build
#   rafter         the tool and the executor     a build with the tool
#
# tools/packages makes all three from two builds. A build for packages has CMAKE_INSTALL_PREFIX=/usr.
set(library_package librafter${PROJECT_VERSION_MAJOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rafter)
set(CPACK_PACKAGE_CONTACT "Rafter maintainers <maintainers@rafter.example>" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/compress.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# rafter_add_package(NAME SECTION TITLE DESCRIPTION COMPONENT...): adds a package of these components and of Debian's files
# about it, which only packages install.
function(rafter_add_package name section title description)
  string(MAKE_C_IDENTIFIER ${name} group)
  string(TOUPPER ${group} GROUP)
  set(folder ${PROJECT_BINARY_DIR}/debian/${name})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, if it is set
  configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${folder}/changelog.Debian @ONLY)
  install(FILES ${folder}/changelog.Debian ${PROJECT_SOURCE_DIR}/packaging/debian/copyright
    DESTINATION share/doc/${name} COMPONENT debian_${group} EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md RENAME changelog
    DESTINATION share/doc/${name} COMPONENT debian_${group} EXCLUDE_FROM_ALL)
  set(overrides ${PROJECT_SOURCE_DIR}/packaging/debian/${group}.lintian-overrides)
  if(EXISTS ${overrides})
    install(FILES ${overrides} RENAME ${name} DESTINATION share/lintian/overrides COMPONENT debian_${group} EXCLUDE_FROM_ALL)
  endif()
  foreach(component IN LISTS ARGN ITEMS debian_${group})
    string(TOUPPER ${component} COMPONENT)
    set(CPACK_COMPONENT_${COMPONENT}_GROUP ${group} PARENT_SCOPE)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
  endforeach()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  set(CPACK_DEBIAN_${GROUP}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${GROUP}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${GROUP}_DESCRIPTION "${title}\n${description}" PARENT_SCOPE)
endfunction()

set(CPACK_COMPONENTS_ALL "")
if(BUILD_SHARED_LIBS)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  rafter_add_package(${library_package} libs "GPU kernels to the roofline: shared library"
    "Reductions, scans, filters, convolutions, heat solvers and small models with\none interface for GPUs and CPUs. The best implementation for the machine is\nselected at run time."
    runtime)
  string(TOUPPER ${library_package} GROUP)
  set(CPACK_DEBIAN_${GROUP}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${GROUP}_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)

  rafter_add_package(librafter-dev libdevel "GPU kernels to the roofline: development files"
    "Headers for C++20 and C, and files for CMake and pkg-config." development)
  set(CPACK_DEBIAN_LIBRAFTER_DEV_PACKAGE_DEPENDS "${library_package} (= ${version})")
  set(CPACK_DEBIAN_LIBRAFTER_DEV_PACKAGE_SUGGESTS "g++, cmake (>= 3.25), pkg-config")
endif()
if(RAFTER_TOOL)
  rafter_add_package(rafter devel "workbench for GPU kernels, with or without a GPU"
    "Verifies and times kernels and compares them with the measured limits of the\nmachine. Its executor runs CUDA C++ on the CPU, and reports races, bad accesses\nand broken barriers."
    tool executor)
  set(CPACK_DEBIAN_RAFTER_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_RAFTER_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src/executor)  # librafter_simt.so
  set(CPACK_DEBIAN_RAFTER_PACKAGE_RECOMMENDS "g++, librafter-dev (= ${version})")
  set(CPACK_DEBIAN_RAFTER_PACKAGE_SUGGESTS "cmake (>= 3.25), ninja-build")
endif()
include(CPack)
