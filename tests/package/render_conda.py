# usage: render_conda.py RECIPE VERSION
# Renders conda's recipe with rattler-build, without and with CUDA.
import sys

from rattler_build import Stage0Recipe, VariantConfig

recipe = Stage0Recipe.from_file(sys.argv[1])
library = {"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]}
for cuda in ({}, {"cuda_compiler": ["cuda-nvcc"], "cuda_compiler_version": ["13.0"]}):
    (rendered,) = recipe.render(VariantConfig({**library, **cuda}))
    package = rendered.recipe.to_dict()
    assert package["package"] == {"name": "librafter", "version": sys.argv[2]}, package["package"]
    needs = package["requirements"]["build"] + package["requirements"]["host"]
    has_cuda = any(need.startswith("cuda-nvcc") for need in needs)
    assert has_cuda == bool(cuda), needs
print("rattler-build renders the recipe")
