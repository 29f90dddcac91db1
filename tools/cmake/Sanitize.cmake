# -DTILEC_SANITIZE=ON: everything under AddressSanitizer and UndefinedBehaviorSanitizer, and test/fuzz as well.
# tools/check --only=sanitize configures such a build beside the plain one and runs the tests that need no kernel.
option(TILEC_SANITIZE "build with AddressSanitizer, UndefinedBehaviorSanitizer and libFuzzer's coverage" OFF)
if(TILEC_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TILEC_SANITIZE needs clang; found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  # LLVM is built without type information of classes, which vptr checks need.
  add_compile_options(-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
