# `cmake --install`: the compiler, the headers of the language and of the runtime, the library of kernels
# (libtile), and a CMake package with which a project outside uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tilec)

# Appends to the list `found` what `target` links, directly or not, of this project's shared libraries.
function(tilec_shared_libraries target)
  get_target_property(linked ${target} LINK_LIBRARIES)
  foreach(library ${linked})
    if(NOT TARGET ${library} OR library IN_LIST found)
      continue()
    endif()
    get_target_property(imported ${library} IMPORTED)
    get_target_property(type ${library} TYPE)
    if(NOT imported AND NOT type STREQUAL INTERFACE_LIBRARY)
      list(APPEND found ${library})
      tilec_shared_libraries(${library})
    endif()
  endforeach()
  set(found ${found} PARENT_SCOPE)
endfunction()

# What the compiler needs at run time; in a build with static libraries that is libTileDsl alone.
set(found "")
tilec_shared_libraries(tilec)
tilec_shared_libraries(tile-run)
set(programs tilec tile-run)
foreach(library ${found})
  get_target_property(type ${library} TYPE)
  if(type STREQUAL SHARED_LIBRARY)
    list(APPEND programs ${library})
  endif()
endforeach()
set_target_properties(${programs} PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${programs} COMPONENT compiler)

install(DIRECTORY include/tile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(DIRECTORY dsl/include/tile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT compiler
        PATTERN Build.h EXCLUDE) # for the compiler's own tools

install(TARGETS tile_static tile_shared EXPORT tilecTargets COMPONENT library)
install(EXPORT tilecTargets NAMESPACE tilec:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(tools/cmake/tilecConfig.cmake.in
  ${CMAKE_BINARY_DIR}/tilecConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tilecConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tilecConfig.cmake ${CMAKE_BINARY_DIR}/tilecConfigVersion.cmake
              tools/cmake/TilecKernels.cmake
        DESTINATION ${package} COMPONENT library)
