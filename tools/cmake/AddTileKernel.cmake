# Kernels compiled ahead of time into a library.

# tile_kernel_library(NAME [LIST function]): a static library of kernels, to be filled by add_tile_kernel.
# tile/kernels/<function>.h has the list of its kernels, tile::kernels::<function>(); left out: all.
function(tile_kernel_library name)
  cmake_parse_arguments(ARG "" "LIST" "" ${ARGN})
  if(NOT ARG_LIST)
    set(ARG_LIST all)
  endif()
  set_property(GLOBAL PROPERTY TILE_KERNEL_LIST ${ARG_LIST})
  set_property(GLOBAL PROPERTY TILE_KERNEL_SYMBOLS_${name} "")
  set_property(GLOBAL PROPERTY TILE_KERNEL_LIBRARY ${name})
endfunction()

# add_tile_kernel(KERNEL [SOURCE file.cpp] DTYPE types... [CONFIG field=value[,value...]...])
# One variant for each combination, each with a cubin, a host object and a launcher header
# tile/kernels/<symbol>.h. Every field of the kernel's Config has to be named, in its order. Without
# SOURCE the kernel is one of those that tilec has built in.
function(add_tile_kernel kernel)
  cmake_parse_arguments(ARG "" "SOURCE" "DTYPE;CONFIG" ${ARGN})
  set(input ${kernel})
  if(ARG_SOURCE)
    get_filename_component(ARG_SOURCE ${ARG_SOURCE} ABSOLUTE)
    set(input ${ARG_SOURCE}:${kernel})
  endif()
  set(variants "")
  foreach(dtype ${ARG_DTYPE})
    list(APPEND variants "${kernel}__${dtype}_|--dtype=${dtype}|")
  endforeach()
  foreach(field ${ARG_CONFIG})
    string(REGEX MATCH "^([^=]+)=(.*)$" unused ${field})
    set(field_name ${CMAKE_MATCH_1})
    string(REPLACE "," ";" values ${CMAKE_MATCH_2})
    set(next "")
    foreach(variant ${variants})
      foreach(value ${values})
        string(REGEX MATCH "^([^|]+)\\|([^|]+)\\|(.*)$" unused ${variant})
        list(APPEND next
             "${CMAKE_MATCH_1}_${field_name}${value}|${CMAKE_MATCH_2}|${CMAKE_MATCH_3},${field_name}=${value}")
      endforeach()
    endforeach()
    set(variants ${next})
  endforeach()
  foreach(variant ${variants})
    string(REGEX MATCH "^([^|]+)\\|([^|]+)\\|,?(.*)$" unused ${variant})
    set(stem ${CMAKE_MATCH_1})
    set(dtype ${CMAKE_MATCH_2})
    set(config ${CMAKE_MATCH_3})
    # A kernel without configuration: "copy__bf16_" -> "copy__bf16".
    string(REGEX REPLACE "_$" "" symbol ${stem})
    _tile_kernel_variant(${input} ${symbol} ${dtype} "${config}" "${ARG_SOURCE}")
  endforeach()
endfunction()

function(_tile_kernel_variant input symbol dtype config source)
  set(folder ${CMAKE_BINARY_DIR}/include/tile/kernels)
  set(stem ${folder}/${symbol})
  if(config)
    set(config --config=${config})
  endif()
  add_custom_command(
    OUTPUT ${stem}.cubin ${stem}.S ${stem}.o ${stem}.h
    COMMAND tilec ${input} ${dtype} ${config} --emit=library --symbol=${symbol} -o ${folder}
            --reuse=${CMAKE_BINARY_DIR}/machine-code
    DEPENDS tilec ${source}
    COMMENT "Compiling kernel ${symbol}"
    VERBATIM)
  get_property(library GLOBAL PROPERTY TILE_KERNEL_LIBRARY)
  set_property(GLOBAL APPEND PROPERTY TILE_KERNEL_SYMBOLS_${library} ${symbol})
endfunction()

# finish_tile_kernel_library(): makes the target and the header with its list.
function(finish_tile_kernel_library)
  get_property(library GLOBAL PROPERTY TILE_KERNEL_LIBRARY)
  get_property(TILE_LIST GLOBAL PROPERTY TILE_KERNEL_LIST)
  get_property(symbols GLOBAL PROPERTY TILE_KERNEL_SYMBOLS_${library})
  set(folder ${CMAKE_BINARY_DIR}/include/tile/kernels)
  set(sources "")
  set(TILE_INCLUDES "")
  set(TILE_ENTRIES "")
  foreach(symbol ${symbols})
    list(APPEND sources ${folder}/${symbol}.S ${folder}/${symbol}.o ${folder}/${symbol}.h)
    string(APPEND TILE_INCLUDES "#include \"tile/kernels/${symbol}.h\"\n")
    string(APPEND TILE_ENTRIES "      &${symbol}_tables::info,\n")
    set_source_files_properties(${folder}/${symbol}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    # The assembler does not see that .incbin reads the cubin.
    set_source_files_properties(${folder}/${symbol}.S PROPERTIES OBJECT_DEPENDS
                                                                 ${folder}/${symbol}.cubin)
  endforeach()
  configure_file(${CMAKE_SOURCE_DIR}/tools/cmake/AllKernels.h.in ${folder}/${TILE_LIST}.h
                 @ONLY)
  # For libraries that hold these kernels and more.
  set_property(GLOBAL PROPERTY TILE_KERNEL_FILES_${library} "${sources}")
  add_library(${library} STATIC ${sources})
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${library} PUBLIC ${CMAKE_BINARY_DIR}/include)
  target_link_libraries(${library} PUBLIC TileRuntime)
endfunction()
