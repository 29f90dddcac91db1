# `cmake --install`: the compiler, the headers of the language and of the runtime, the library of kernels
# (libtile), and a CMake package with which a project outside uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tilec)

# The shared libraries of a folder and those below it.
function(tilec_shared_libraries result folder)
  set(found "")
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL SHARED_LIBRARY)
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    tilec_shared_libraries(more ${below})
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# What the compiler needs at run time; in a build with static libraries that is libTileDsl alone.
tilec_shared_libraries(libraries lib)
tilec_shared_libraries(language dsl)
set(programs tilec tile-run ${libraries} ${language})
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
