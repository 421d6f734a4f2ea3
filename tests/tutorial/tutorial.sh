#!/usr/bin/env bash
# Runs every command of docs/tutorial.md, in order, in an empty folder, on small images. All must succeed and leave
# their output files. Without a GPU they print the texts that the tutorial shows for that case.
#   tutorial.sh RAFTER DOCS EXAMPLES
set -u
rafter=$1 docs=$2
export RAFTER_EXAMPLES=$3 MOST=3 RAFTER_JOURNAL=quiet
has_gpu() { [ -e /dev/nvidiactl ] && "$rafter" --version | grep -q CUDA; }
has_gpu || export SIZE=128  # on a GPU, small images are as fast as empty launches
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$rafter" "$work/bin/rafter"
export PATH=$work/bin:$PATH XDG_STATE_HOME=$work/state XDG_RUNTIME_DIR=$work
cd "$work" || exit 1

commands=$(awk '/^```console/ {on = 1; next} /^```/ {on = 0} on && /^\$ / {print substr($0, 3)}' "$docs/tutorial.md")
[ "$(wc -l <<<"$commands")" -ge 15 ] || { echo "FAILED: found fewer than 15 commands in the tutorial"; exit 1; }
while IFS= read -r command; do
  echo "$ $command"
  eval "$command" >out 2>&1 </dev/null
  code=$?
  cat out >>all
  if [ $code != 0 ]; then
    cat out
    echo "FAILED with $code: $command"
    exit 1
  fi
done <<<"$commands"
grep -q 'every thread reads its 25 pixels' log.md || { echo "FAILED: the log lacks the recorded sentence"; exit 1; }
grep -q '</html>' report.html || { echo "FAILED: no HTML report"; exit 1; }

# Numbers with their units differ: the images here are smaller. Space between columns does, too.
without_numbers() { sed -E 's/[0-9]+([.][0-9]+)?( ?[kM]?B| [kM]| ?[mun]s|x|%)?/#/g; s/ +/ /g; s/^ //'; }
if ! has_gpu; then
  shown=$(awk '/^<!-- without a GPU -->/ {next_block = 1; next} /^```/ {on = next_block && !on; next_block = 0; next} on' \
    "$docs/tutorial.md" | grep -v '^  [.][.][.]$' | without_numbers)
  [ "$(wc -l <<<"$shown")" -ge 9 ] || { echo "FAILED: found fewer than 9 lines for machines without a GPU"; exit 1; }
  without_numbers <all >all.without_numbers
  while IFS= read -r line; do
    grep -qxF -e "$line" all.without_numbers || { echo "FAILED: without a GPU nothing prints: $line"; exit 1; }
  done <<<"$shown"
fi
echo "the tutorial works"
