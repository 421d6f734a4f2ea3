// The host side of the project: plain C++, no CUDA.
#pragma once
#include <vector>

std::vector<unsigned char> make_picture(int width, int height);
std::vector<unsigned char> reference(std::vector<unsigned char> picture, int width, int height, int amount);
