// What a shared library exports: everything marked RAFTER_API, and nothing else. A template is exported only if its
// arguments are, so element types of ops are marked, too.
#pragma once

#define RAFTER_API __attribute__((visibility("default")))
