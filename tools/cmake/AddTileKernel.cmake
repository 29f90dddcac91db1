# Kernels compiled ahead of time into a library.

# tile_kernel_library(NAME): a static library of kernels, to be filled by add_tile_kernel.
function(tile_kernel_library name)
  set_property(GLOBAL PROPERTY TILE_KERNEL_SYMBOLS_${name} "")
  set_property(GLOBAL PROPERTY TILE_KERNEL_LIBRARY ${name})
endfunction()

# add_tile_kernel(KERNEL DTYPE types... CONFIG field=value[,value...]...)
# One variant for each combination, each with a cubin, a host object and a launcher header
# tile/kernels/<symbol>.h. Every field of the kernel's Config has to be named, in its order.
function(add_tile_kernel kernel)
  cmake_parse_arguments(ARG "" "" "DTYPE;CONFIG" ${ARGN})
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
    _tile_kernel_variant(${kernel} ${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
  endforeach()
endfunction()

function(_tile_kernel_variant kernel symbol dtype config)
  set(folder ${CMAKE_BINARY_DIR}/include/tile/kernels)
  set(stem ${folder}/${symbol})
  add_custom_command(
    OUTPUT ${stem}.cubin ${stem}.S ${stem}.o ${stem}.h
    COMMAND tilec ${kernel} ${dtype} --config=${config} --emit=library -o ${folder}
    DEPENDS tilec
    COMMENT "Compiling kernel ${symbol}"
    VERBATIM)
  get_property(library GLOBAL PROPERTY TILE_KERNEL_LIBRARY)
  set_property(GLOBAL APPEND PROPERTY TILE_KERNEL_SYMBOLS_${library} ${symbol})
endfunction()

# finish_tile_kernel_library(): makes the target, and tile/kernels/all.h, which lists its kernels.
function(finish_tile_kernel_library)
  get_property(library GLOBAL PROPERTY TILE_KERNEL_LIBRARY)
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
  configure_file(${CMAKE_SOURCE_DIR}/tools/cmake/AllKernels.h.in ${folder}/all.h @ONLY)
  add_library(${library} STATIC ${sources})
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${library} PUBLIC ${CMAKE_BINARY_DIR}/include)
  target_link_libraries(${library} PUBLIC TileRuntime)
endfunction()
