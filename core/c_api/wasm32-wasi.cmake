# Builds core for WebAssembly with Debian 12's clang: the preset `wasm`.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# Every engine of today has vectors of 128 bits.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -msimd128")
