# Spack's package of Rafter. Spack gets the sources from `git`: a URL or, as file:///PATH, a clone on this machine.
from spack.package import *

try:  # Spack 1.0 or newer; older versions have these in spack.package
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass


class Rafter(CMakePackage, CudaPackage):
    """A library of GPU kernels with one interface for GPUs and CPUs, and a workbench that verifies kernels, times them
    and compares them with the limits of the machine."""

    git = "https://rafter.example/rafter.git"

    license("Apache-2.0")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("shared", default=True, description="Build shared libraries; not with the tool, which uses internals")
    variant("tool", default=False, description="Build the workbench and the executor")
    variant("tests", default=False, description="Build the tests")
    variant("hdf5", default=False, when="+tool", description="Write fields as HDF5 files")
    variant("cairo", default=False, when="+tool", description="Draw plots and pictures")

    conflicts("+shared", when="+tool", msg="the tool needs ~shared")
    conflicts("~tool", when="+tests", msg="the tests need +tool")

    generator("ninja")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("nlohmann-json", type="build")  # compiled in
    depends_on("cuda@12:", when="+cuda")
    with when("+tool"):
        depends_on("cli11", type="build")
        depends_on("fmt")
        depends_on("hdf5~mpi", when="+hdf5")
        depends_on("cairo", when="+cairo")
        requires("%gcc", msg="the executor needs g++")
    depends_on("googletest", type="build", when="+tests")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("RAFTER_TOOL", "tool"),
            self.define_from_variant("RAFTER_TESTS", "tests"),
            self.define_from_variant("RAFTER_CUDA", "cuda"),
            self.define("RAFTER_EXAMPLES", False),
            self.define("RAFTER_ISA_LEVELS", "all"),
            self.define("RAFTER_NATIVE_PEERS", False),
        ]
        architectures = self.spec.variants["cuda_arch"].value if "+cuda" in self.spec else ("none",)
        if "none" not in architectures:
            args.append(self.define("RAFTER_CUDA_ARCHITECTURES", [f"{number}-real" for number in architectures]))
        # Nothing that merely happens to be on this machine.
        for library in ("HDF5", "CAIRO"):
            if f"+{library.lower()}" not in self.spec:
                args.append(self.define(f"RAFTER_{library}_HEADERS", ""))
                args.append(self.define(f"RAFTER_{library}_LIBRARY", ""))
        args.append(self.define("RAFTER_ONEDNN_INCLUDE", ""))
        args.append(self.define("RAFTER_ONEDNN_LIBRARY", ""))
        for package in ("Eigen3", "TBB"):
            args.append(self.define(f"CMAKE_DISABLE_FIND_PACKAGE_{package}", True))
        return args
