#!/usr/bin/env bash
# Records heat's ladder on a GPU as a journal: heat.sh FOLDER measures each rung as a step and leaves the journal in
# FOLDER. The predictions are the times of a rung's bytes at the measured bandwidth (kernels/heat/README.md).
set -e
folder=${1:?heat.sh FOLDER}
rafter=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)/rafter
mkdir -p "$folder" && cd "$folder"
export RAFTER_JOURNAL=quiet

step() {  # RUNG PREDICTION SENTENCE
  "$rafter" run heat --device cuda --size 600 --order 8 --steps 10 --rungs "$1" --predict "$2" -m "$3"
}
say() { "$rafter" journal note "$@"; }

"$rafter" journal start --title "heat: RK4 of order 8 on 600^3 cells, ten steps" --target 36ms
step textbook 34ms "RK4 as in the textbook: a kernel for each slope, weights in an array"
say --follows "Its bytes take 34 ms; it takes far longer, so DRAM is not what it waits for." \
    --limit "The first-level cache: a neighbour of the later slopes is two loads, and every weight one more" \
    --next "The weights as parameters of the kernel: no loads for them"
step constant_weights 34ms "Weights as parameters of the kernel"
say --follows "The weights were a tenth of it; the loads of the neighbours stay." \
    --limit "The first-level cache, still" \
    --next "L is linear, so the stages nest as in Horner's form: no slopes, half the loads, 44 bytes instead of 68"
step horner 22ms "Horner's form: no slopes"
say --follows "More than the bytes alone would give: it was the loads." \
    --limit "The first-level cache: every cell is loaded again for each of its neighbours" \
    --next "Blocks that walk tiles through the planes: shared memory along x and y, registers along z"
step tiled_sweep 22ms "Tiles that walk through the planes, one stage in a sweep"
say --follows "A step takes 1.6 times what its bytes take, and four sweeps go through the grid." \
    --limit "DRAM: 44 bytes per cell and step" \
    --next "RK4's polynomial is a product of two real quadratics: two stages in a sweep, one array in and one out"
step two_stages 8.1ms "Two factors, two stages in a sweep"
say --follows "Twice what the bytes take: fewer bytes alone no longer help." \
    --limit "Instructions: 85 of 100 are multiply-adds"
"$rafter" journal stop -m "Nearly all that is left are the multiply-adds themselves, and the target is passed."
"$rafter" journal export heat.md
