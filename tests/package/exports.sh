# Sourced by builds.sh and deb.sh.

# check_exports OBJECT: a shared object of the library exports its API and nothing else, and has a version in its SONAME.
check_exports() {
  local object=$1 names
  names=$(nm -DC --defined-only "$object" | cut -d' ' -f3-)
  grep -q . <<<"$names" || fail "$object exports nothing"
  readelf -d "$object" | grep -q 'SONAME.*\.so\.[0-9]' || fail "$object has no version in its SONAME"
  if [[ $object = *librafter_c.* ]]; then  # functions of rafter.h and the name of their version
    if grep -vE '^(rafter_[a-z_]+@@)?RAFTER_1[.]0$' <<<"$names"; then fail "$object exports names that rafter.h lacks"; fi
    return
  fi
  if grep -vE '^((typeinfo|typeinfo name|vtable) for )?rafter::v1::' <<<"$names"; then fail "$object exports names of others"; fi
  if grep -E 'rafter::(core|base|safetensors|[a-z_]*_ladder|lab)::' <<<"$names" | grep -vE '\(.*rafter::core' ; then
    fail "$object exports internal names"
  fi
}
