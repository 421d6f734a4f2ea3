"""usage: exports.py LIBRARY HEADER. Every function that the header declares can be loaded from the library."""
import ctypes
import re
import sys

library = ctypes.CDLL(sys.argv[1])
declared = re.findall(r"RAFTER_API [^;(]*?\b(rafter_\w+)\(", open(sys.argv[2]).read())
missing = [name for name in declared if not hasattr(library, name)]
if len(declared) < 50 or missing:
    sys.exit(f"{len(declared)} functions are declared, of which the library lacks {missing}")
print(f"{len(declared)} functions")
