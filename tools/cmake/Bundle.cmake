# Target `bundle`: the folder bundle/ of the build folder holds all that a machine with a GPU, a driver and
# glibc 2.36 needs to test and time the library: programs, cubins, scripts. Under 64 MiB.

# tile_bundle(PROGRAMS targets... [SCRIPTS files...]): programs that do not exist are left out.
function(tile_bundle)
  cmake_parse_arguments(ARG "" "" "PROGRAMS;SCRIPTS" ${ARGN})
  set(folder ${CMAKE_BINARY_DIR}/bundle)
  set(programs "")
  foreach(program ${ARG_PROGRAMS})
    if(TARGET ${program})
      list(APPEND programs ${program})
    endif()
  endforeach()
  list(TRANSFORM programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  # Only a development build has it shared; programs look for it in ../lib.
  get_target_property(type TileRuntime TYPE)
  set(libraries $<TARGET_FILE:tile_shared>)
  if(type STREQUAL SHARED_LIBRARY)
    list(APPEND libraries $<TARGET_FILE:TileRuntime>)
  endif()
  add_custom_target(bundle
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} "-DPROGRAMS=${files}" "-DLIBRARIES=${libraries}"
            "-DSCRIPTS=${ARG_SCRIPTS}" -DCUBINS=${CMAKE_BINARY_DIR}/include/tile/kernels
            -DSTRIP=${CMAKE_STRIP} -P ${CMAKE_SOURCE_DIR}/tools/cmake/MakeBundle.cmake
    DEPENDS ${programs} TileKernels tile_shared
    COMMENT "Gathering ${folder}"
    VERBATIM)
endfunction()
