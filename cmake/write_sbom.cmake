# cmake -DFACTS=... -DFILES=... -DOUTPUT=... -P write_sbom.cmake
# Writes a bill of materials, SPDX 2.3 as JSON: the package of FACTS (RafterSbom.cmake), the libraries that are compiled
# in, those that FILES are linked with, and the compiler. Versions of linked libraries are those of the distribution's
# packages where dpkg knows them, and otherwise those in the files' names.
cmake_minimum_required(VERSION 3.25)
include(${FACTS})
set(own_names "^(librafter|ld-linux)")
set(linked_licences
  "libfmt|MIT" "libhdf5|BSD-3-Clause" "libcairo|LGPL-2.1-only OR MPL-1.1" "libtbb|Apache-2.0" "libdnnl|Apache-2.0"
  "libc.so|LGPL-2.1-or-later" "libm.so|LGPL-2.1-or-later" "libstdc|GPL-3.0-or-later WITH GCC-exception-3.1"
  "libgcc_s|GPL-3.0-or-later WITH GCC-exception-3.1")

set(packages "")
set(relationships "")
function(append list entry)
  if(NOT "${${list}}" STREQUAL "")
    set(entry "${${list}},\n${entry}")
  endif()
  set(${list} "${entry}" PARENT_SCOPE)
endfunction()

function(id_of name result)
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-Package-${name}")
  set(${result} ${id} PARENT_SCOPE)
endfunction()

# add_package(NAME VERSION LICENCE PURPOSE PURL): appends to `packages`.
macro(add_package name version licence purpose purl)
  id_of("${name}" id)
  set(version_line "")
  if(NOT "${version}" STREQUAL "")
    set(version_line "\"versionInfo\": \"${version}\", ")
  endif()
  set(reference "")
  if(NOT "${purl}" STREQUAL "")
    set(reference ",\n     \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"${purl}\"}]")
  endif()
  append(packages "    {\"SPDXID\": \"${id}\", \"name\": \"${name}\", ${version_line}\"primaryPackagePurpose\": \"${purpose}\",
     \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"copyrightText\": \"NOASSERTION\",
     \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"${licence}\"${reference}}")
endmacro()
macro(relate from type to)
  append(relationships "    {\"spdxElementId\": \"${from}\", \"relationshipType\": \"${type}\", \"relatedSpdxElement\": \"${to}\"}")
endmacro()

add_package(${name} ${version} Apache-2.0 ${purpose} "")
set(root ${id})
relate(SPDXRef-DOCUMENT DESCRIBES ${root})

foreach(entry IN LISTS compiled_in)
  string(REPLACE "|" ";" entry "${entry}")
  list(GET entry 0 dependency)
  list(GET entry 1 dependency_version)
  list(GET entry 2 licence)
  add_package(${dependency} "${dependency_version}" ${licence} LIBRARY "")
  relate(${root} STATIC_LINK ${id})
endforeach()

# The libraries that the files name, each with the path that the loader finds.
set(names "")
set(paths "")
foreach(file IN LISTS FILES)
  if(file MATCHES "[.]a$")
    continue()  # a static library is not linked yet
  endif()
  execute_process(COMMAND readelf -d ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*\\[[^]]+\\]" needed "${dynamic}")
  execute_process(COMMAND ldd ${file} OUTPUT_VARIABLE loaded ERROR_QUIET)
  foreach(line IN LISTS needed)
    string(REGEX REPLACE ".*\\[([^]]+)\\]" "\\1" soname "${line}")
    if(soname IN_LIST names OR soname MATCHES "${own_names}")
      continue()
    endif()
    list(APPEND names ${soname})
    string(REGEX REPLACE "([][+.*()^])" "\\\\\\1" pattern "${soname}")
    set(path "-")
    if(loaded MATCHES "${pattern} => ([^ \n]+)")
      file(REAL_PATH ${CMAKE_MATCH_1} path)
    endif()
    list(APPEND paths ${path})
  endforeach()
endforeach()

# package_of(PATH): the distribution's package of a file, its version and its architecture.
find_program(dpkg_query dpkg-query)
function(package_of path)
  foreach(result package package_version architecture)
    set(${result} "" PARENT_SCOPE)
  endforeach()
  if(NOT dpkg_query)
    return()
  endif()
  string(REGEX REPLACE "^/usr/lib/" "/lib/" merged ${path})  # a merged /usr: the package may name either path
  foreach(candidate ${path} ${merged})
    execute_process(COMMAND ${dpkg_query} -S ${candidate} OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      string(REGEX REPLACE ": .*" "" owner "${owner}")
      execute_process(COMMAND ${dpkg_query} -W -f "\${Package};\${Version};\${Architecture}" ${owner} OUTPUT_VARIABLE facts)
      list(GET facts 0 value)
      set(package ${value} PARENT_SCOPE)
      list(GET facts 1 value)
      set(package_version ${value} PARENT_SCOPE)
      list(GET facts 2 value)
      set(architecture ${value} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
set(distribution linux)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release distribution REGEX "^ID=")
  string(REGEX REPLACE "^ID=\"?([^\"]*)\"?" "\\1" distribution "${distribution}")
endif()

foreach(soname path IN ZIP_LISTS names paths)
  set(licence NOASSERTION)
  foreach(known IN LISTS linked_licences)
    string(REPLACE "|" ";" known "${known}")
    list(GET known 0 start)
    string(FIND "${soname}" "${start}" at)
    if(at EQUAL 0)
      list(GET known 1 licence)
    endif()
  endforeach()
  set(purl "")
  set(found_version "")
  if(NOT path STREQUAL "-")
    package_of(${path})
    if(package)
      set(found_version ${package_version})
      string(REPLACE "+" "%2B" encoded_version "${package_version}")
      string(REPLACE ":" "%3A" encoded_version "${encoded_version}")
      string(REPLACE "+" "%2B" encoded_package "${package}")
      set(purl "pkg:deb/${distribution}/${encoded_package}@${encoded_version}?arch=${architecture}")
    elseif(path MATCHES "[.]so[.]([0-9.]+)$")
      set(found_version ${CMAKE_MATCH_1})
    endif()
  endif()
  add_package(${soname} "${found_version}" "${licence}" LIBRARY "${purl}")
  relate(${root} DYNAMIC_LINK ${id})
endforeach()

string(REPLACE "|" ";" compiler "${compiler}")
list(GET compiler 0 compiler_name)
list(GET compiler 1 compiler_version)
add_package(${compiler_name} "${compiler_version}" NOASSERTION APPLICATION "")
relate(${id} BUILD_TOOL_OF ${root})

string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)  # SOURCE_DATE_EPOCH, if it is set
string(UUID unique NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 NAME "${created}${packages}" TYPE SHA1)
set(document "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"${name}-${version}\",
  \"documentNamespace\": \"urn:uuid:${unique}\",
  \"comment\": \"${description}\",
  \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Tool: rafter-build-${version}\"]},
  \"packages\": [
${packages}
  ],
  \"relationships\": [
${relationships}
  ]
}
")
string(JSON n_packages LENGTH "${document}" packages)  # fails if it is not JSON
file(WRITE ${OUTPUT} "${document}")
