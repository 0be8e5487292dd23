# SPDX-License-Identifier: Apache-2.0
# kubegen_add_api(<target> TYPES <group>/<version>/types.h… [INCLUDE_DIRS dir…] [CRD_DIR dir])
#
# A static library of the code that kubegen writes for the headers, each in a directory
# .../<group>/<version>. Whoever links it includes <group/version/api.h>. The code lies in the build
# tree and is written anew when the header, one that it includes, or kubegen changes.
# INCLUDE_DIRS: where headers that types.h includes are found, beside its own root and the runtime's.
# CRD_DIR: where the CRDs of the Kinds go, <group>_<plural>.yaml; those of the first header are stored.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/KubegenApiFiles.cmake)
set(KUBEGEN_RUNTIME_INCLUDE ${PROJECT_SOURCE_DIR}/runtime/include CACHE INTERNAL "")

function(kubegen_add_api target)
    cmake_parse_arguments(arg "" "CRD_DIR" "TYPES;INCLUDE_DIRS" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_TYPES)
        message(FATAL_ERROR "kubegen_add_api: use (target TYPES header… [INCLUDE_DIRS dir…] [CRD_DIR dir])")
    endif()
    set(out_root ${CMAKE_CURRENT_BINARY_DIR}/${target}.api)
    set(options -I ${KUBEGEN_RUNTIME_INCLUDE})
    foreach(dir IN LISTS arg_INCLUDE_DIRS)
        get_filename_component(dir ${dir} ABSOLUTE)
        list(APPEND options -I ${dir})
    endforeach()

    set(sources)
    set(roots)
    set(dirs)
    set(stamps)
    foreach(types IN LISTS arg_TYPES)
        get_filename_component(types ${types} ABSOLUTE)
        if(NOT types MATCHES "^(.*)/([^/]+/[^/]+)/types\\.h$")
            message(FATAL_ERROR "kubegen_add_api: ${types} is not <group>/<version>/types.h")
        endif()
        list(APPEND roots ${CMAKE_MATCH_1})
        set(api ${CMAKE_MATCH_2})
        string(REPLACE "/" "_" name ${api})
        get_filename_component(dir ${types} DIRECTORY)
        set(files)
        foreach(file IN LISTS KUBEGEN_API_FILES)
            list(APPEND files ${out_root}/${api}/${file})
        endforeach()
        # kubegen leaves a file alone that would not change, so that nothing is compiled in vain;
        # the stamp tells make that it ran all the same.
        set(stamp ${out_root}/${name}.stamp)
        add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${files}
            COMMAND kubegen generate --out-root ${out_root} --depfile ${out_root}/${name}.d
                    --depfile-target ${stamp} ${options} ${dir}
            COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
            DEPENDS ${types} kubegen
            DEPFILE ${out_root}/${name}.d
            COMMENT "Generating ${api}" VERBATIM)
        list(APPEND sources ${files} ${stamp})
        list(APPEND stamps ${stamp})
        list(APPEND dirs ${dir})
    endforeach()
    list(REMOVE_DUPLICATES roots)

    if(arg_CRD_DIR)
        get_filename_component(crd_dir ${arg_CRD_DIR} ABSOLUTE)
        set(stamp ${out_root}/crd.stamp)
        # What the headers include counts through their own stamps.
        add_custom_command(OUTPUT ${stamp}
            COMMAND kubegen crd ${options} ${dirs} --output-dir ${crd_dir}
            COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
            DEPENDS ${stamps} kubegen
            COMMENT "Generating the CRDs of ${target}" VERBATIM)
        list(APPEND sources ${stamp})
    endif()

    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${roots} ${out_root})
    foreach(dir IN LISTS arg_INCLUDE_DIRS)
        get_filename_component(dir ${dir} ABSOLUTE)
        target_include_directories(${target} PUBLIC ${dir})
    endforeach()
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    target_link_libraries(${target} PUBLIC kubegen::runtime)
endfunction()
