# tile_add_kernel(target SOURCES file.cpp... [KERNEL name] [DTYPE types...]
#                 [CONFIG field=value[,value...]...] [DEPENDS files...])
#
# Compiles the kernel of each source with tilec, for the GPU and for the CPU, and links it into
# `target`, one variant for each combination of DTYPE and CONFIG. Fields that CONFIG does not name
# keep their default, and DTYPE may be left out where the kernel has one type. KERNEL: which, where a
# source has several. DEPENDS: what the sources include.
#
# For the source row_norm.cpp the target can include "row_norm.h" and call
# tile::kernels::row_norm(stream, tensors..., scalars...). With several variants there is a function
# for each, whose name has what sets it apart: row_norm__bf16, row_norm__f32_block1024.
function(tile_add_kernel target)
  cmake_parse_arguments(ARG "" "KERNEL" "SOURCES;DTYPE;CONFIG;DEPENDS" ${ARGN})
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tile_add_kernel: expected target SOURCES file.cpp, found '${target} ${ARGN}'")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tile_add_kernel: expected a target, found '${target}'")
  endif()
  foreach(source ${ARG_SOURCES})
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME_WE)
    set(input ${source})
    if(ARG_KERNEL)
      set(name ${ARG_KERNEL})
      set(input ${source}:${ARG_KERNEL})
    endif()
    string(MAKE_C_IDENTIFIER ${name} name)
    _tile_kernel_variants(variants ${name} "${ARG_DTYPE}" "${ARG_CONFIG}")
    set(includes "")
    foreach(variant ${variants})
      string(REPLACE "|" ";" parts "${variant}")
      list(POP_FRONT parts variant_name)
      _tile_kernel_files(${target} ${variant_name} ${source} ${input} "${parts}" "${ARG_DEPENDS}")
      string(APPEND includes "#include \"tile/kernels/${variant_name}.h\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels/${name}.h
         CONTENT "// The kernel ${name}, generated.\n#pragma once\n\n${includes}" @ONLY)
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
  target_link_libraries(${target} PRIVATE tilec::runtime)
endfunction()

# Sets `result` to a list of "name|option|option...". A name has the values that vary.
function(_tile_kernel_variants result name dtypes config)
  set(variants ${name}|)
  list(LENGTH dtypes count)
  if(count GREATER 0)
    set(variants "")
    foreach(dtype ${dtypes})
      set(suffix "")
      if(count GREATER 1)
        set(suffix "__${dtype}")
      endif()
      list(APPEND variants "${name}${suffix}|--dtype=${dtype}|")
    endforeach()
  endif()
  set(separator "__")
  if(count GREATER 1)
    set(separator "_")
  endif()
  foreach(field ${config})
    if(NOT field MATCHES "^([^=|]+)=([^|]+)$")
      message(FATAL_ERROR "tile_add_kernel: expected CONFIG field=value, found '${field}'")
    endif()
    set(field_name ${CMAKE_MATCH_1})
    string(REPLACE "," ";" values ${CMAKE_MATCH_2})
    list(LENGTH values count)
    set(next "")
    foreach(variant ${variants})
      string(FIND "${variant}" "|" bar)
      string(SUBSTRING "${variant}" 0 ${bar} stem)
      string(SUBSTRING "${variant}" ${bar} -1 options)
      foreach(value ${values})
        set(suffix "")
        if(count GREATER 1)
          set(suffix "${separator}${field_name}${value}")
        endif()
        list(APPEND next "${stem}${suffix}${options}--config=${field_name}=${value}|")
      endforeach()
    endforeach()
    set(variants ${next})
    if(count GREATER 1)
      set(separator "_")
    endif()
  endforeach()
  list(TRANSFORM variants REPLACE "\\|$" "")
  set(${result} "${variants}" PARENT_SCOPE)
endfunction()

# The files of one variant, and their place in the target.
function(_tile_kernel_files target name source input options depends)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels/tile/kernels)
  set(stem ${folder}/${name})
  add_custom_command(
    OUTPUT ${stem}.h ${stem}.o ${stem}_image.o ${stem}.cubin ${stem}.S
    COMMAND ${TILEC_EXECUTABLE} ${input} ${options} --emit=library --name=${name} -o ${folder}
    DEPENDS ${source} ${depends} ${TILEC_EXECUTABLE}
    COMMENT "Compiling kernel ${name}"
    VERBATIM)
  set_source_files_properties(${stem}.o ${stem}_image.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${stem}.h ${stem}.o ${stem}_image.o)
endfunction()
