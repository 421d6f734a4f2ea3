"""PyCUDA's names for rafter.load_module, so that notebooks of a CUDA course run without a GPU.

After `import rafter.pycuda.autoinit`, the modules pycuda.driver, pycuda.compiler and pycuda.autoinit are those of this
package.
"""
