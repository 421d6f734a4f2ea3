// What a shared library exports: everything marked RAFTER_API, and nothing else.
#pragma once

#define RAFTER_API __attribute__((visibility("default")))
