# Run by cpack before it makes the packages: compresses man pages and changelogs, as Debian requires.
file(GLOB_RECURSE files LIST_DIRECTORIES OFF ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*
  ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog*)
foreach(file IN LISTS files)
  execute_process(COMMAND gzip -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
