# Writes OUT: a C++ table of FILES (named by PREFIX and their paths below ROOT) with their texts, for `rafter show`.
# Every compiler accepts string literals of 64 KiB; rungs are far shorter.
set(text "// Generated: the sources of the rungs.\n#include \"workbench/lab/workload/registry.hpp\"\n\nnamespace rafter::lab {\n\n")
string(APPEND text "std::vector<EmbeddedSource> embedded_sources() {\n  return {\n")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH path "${ROOT}" "${file}")
  file(READ "${file}" content)
  string(APPEND text "      {\"${PREFIX}${path}\", R\"rafter_src(${content})rafter_src\"},\n")
endforeach()
string(APPEND text "  };\n}\n\n}  // namespace rafter::lab\n")
file(WRITE "${OUT}" "${text}")
