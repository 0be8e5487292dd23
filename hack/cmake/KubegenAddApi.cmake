# SPDX-License-Identifier: Apache-2.0
# kubegen_add_api(<target> TYPES <group>/<version>/types.h… [INCLUDE_DIRS dir…] [CRD_DIR dir]
#                 [CRD_OPTIONS option…] [DOCS_DIR dir] [RBAC_DIR dir [ROLE_NAME name]])
#
# A static library of the code that kubegen writes for the headers, each in a directory
# .../<group>/<version>. Whoever links it includes <group/version/api.h>. The code lies in the build
# tree and is written anew when the header, one that it includes, or kubegen changes.
# TYPES may also have headers of structs that several APIs share, with `// +prefix=…` at their tops,
# in one target each: those that use the structs are linked with it.
# INCLUDE_DIRS: where headers that types.h includes are found, beside its own root and the runtime's.
# CRD_DIR: where the CRDs of the Kinds go, <group>_<plural>.yaml; those of the first header are stored.
# CRD_OPTIONS: of `kubegen crd`, such as --max-desc-len=0; --header-file is relative to the directory.
# DOCS_DIR: where the reference goes, <group>_<version>.md.
# RBAC_DIR: where role.yaml goes, of the +kubebuilder:rbac lines in the directory's .h and .c files.
# ROLE_NAME: its ClusterRole's name, the target's if it is not given.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/KubegenApiFiles.cmake)
set(KUBEGEN_RUNTIME_INCLUDE ${PROJECT_SOURCE_DIR}/runtime/include CACHE INTERNAL "")

# Sets @out to whether a header declares structs that APIs share, and has only tables.
function(kubegen_is_shared types out)
    set(${out} TRUE PARENT_SCOPE)
    if(types MATCHES "/types\\.h$" AND EXISTS ${types})
        file(STRINGS ${types} prefix REGEX "^// *\\+prefix=")
        file(STRINGS ${types} api REGEX "^// *\\+(groupName|versionName)=")
        if(types MATCHES "/v[1-9][^/]*/types\\.h$" OR api OR NOT prefix)
            set(${out} FALSE PARENT_SCOPE)
        endif()
    endif()
endfunction()

# kubegen_write(<command> <dir> ARGUMENTS argument… DEPENDS file…): a part of kubegen_add_api(), which
# has `kubegen <command>` write to the directory, with its stamp among the sources of the target.
macro(kubegen_write command dir)
    cmake_parse_arguments(write "" "" "ARGUMENTS;DEPENDS" ${ARGN})
    get_filename_component(write_dir ${dir} ABSOLUTE)
    add_custom_command(OUTPUT ${out_root}/${command}.stamp
        COMMAND kubegen ${command} ${write_ARGUMENTS} --output-dir ${write_dir}
        COMMAND ${CMAKE_COMMAND} -E touch ${out_root}/${command}.stamp
        DEPENDS ${write_DEPENDS} kubegen
        COMMENT "Generating what kubegen ${command} makes of ${target}" VERBATIM)
    list(APPEND sources ${out_root}/${command}.stamp)
endmacro()

# Sets @out to the options with the --header-file as an absolute path, and @headers to that.
function(kubegen_crd_options options out headers)
    set(absolute)
    set(${headers} "" PARENT_SCOPE)
    set(before)
    foreach(option IN LISTS options)
        set(name)
        if(option MATCHES "^--header-file=(.+)$")
            set(name --header-file=)
            set(option "${CMAKE_MATCH_1}")
        endif()
        if(name OR before STREQUAL "--header-file")
            get_filename_component(option "${option}" ABSOLUTE)
            set(${headers} "${option}" PARENT_SCOPE)
        endif()
        set(before "${option}")
        list(APPEND absolute "${name}${option}")
    endforeach()
    set(${out} "${absolute}" PARENT_SCOPE)
endfunction()

function(kubegen_add_api target)
    cmake_parse_arguments(arg "" "CRD_DIR;DOCS_DIR;RBAC_DIR;ROLE_NAME" "TYPES;INCLUDE_DIRS;CRD_OPTIONS"
                          ${ARGN})
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_TYPES)
        message(FATAL_ERROR "kubegen_add_api: use (target TYPES header… [INCLUDE_DIRS dir…] [CRD_DIR dir] [CRD_OPTIONS option…] "
                            "[DOCS_DIR dir] [RBAC_DIR dir [ROLE_NAME name]])")
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
        kubegen_is_shared(${types} shared)
        if(NOT shared AND NOT types MATCHES "/[^/]+/[^/]+/types\\.h$")
            message(FATAL_ERROR "kubegen_add_api: ${types} is not <group>/<version>/types.h")
        endif()
        # As kubegen does: the header of an API, or beside APIs, lies below a group and a version.
        get_filename_component(dir ${types} DIRECTORY)
        get_filename_component(root ${dir} DIRECTORY)
        file(GLOB versions ${root}/v[1-9]*/types.h)
        if(NOT shared OR versions OR dir MATCHES "/v[1-9][^/]*$")
            get_filename_component(root ${root} DIRECTORY)
        endif()
        list(APPEND roots ${root})
        string(REPLACE "${root}/" "" api ${dir})
        string(REPLACE "/" "_" name ${api})
        if(shared)
            get_filename_component(stem ${types} NAME_WE)
            set(name ${name}_${stem})
            set(files ${out_root}/${api}/${stem}_schema.c)
            set(input -I ${root} -o ${files} ${types})
        else()
            set(files)
            foreach(file IN LISTS KUBEGEN_API_FILES)
                list(APPEND files ${out_root}/${api}/${file})
            endforeach()
            set(input --out-root ${out_root} ${dir})
            list(APPEND dirs ${dir})
        endif()
        # kubegen leaves a file alone that would not change, so that nothing is compiled in vain;
        # the stamp tells make that it ran all the same.
        set(stamp ${out_root}/${name}.stamp)
        add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${files}
            COMMAND kubegen generate --depfile ${out_root}/${name}.d --depfile-target ${stamp}
                    ${input} ${options}
            COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
            DEPENDS ${types} kubegen
            DEPFILE ${out_root}/${name}.d
            COMMENT "Generating ${api}" VERBATIM)
        list(APPEND sources ${files} ${stamp})
        list(APPEND stamps ${stamp})
    endforeach()
    list(REMOVE_DUPLICATES roots)

    # What the headers include counts through their own stamps.
    if(arg_CRD_DIR)
        kubegen_crd_options("${arg_CRD_OPTIONS}" crd_options headers)
        kubegen_write(crd ${arg_CRD_DIR} ARGUMENTS ${options} ${crd_options} ${dirs}
                      DEPENDS ${stamps} ${headers})
    endif()
    if(arg_DOCS_DIR)
        kubegen_write(docs ${arg_DOCS_DIR} ARGUMENTS ${options} ${dirs} DEPENDS ${stamps})
    endif()
    if(arg_RBAC_DIR)
        set(role ${arg_ROLE_NAME})
        if(NOT role)
            set(role ${target})
        endif()
        file(GLOB marked CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.[ch])
        kubegen_write(rbac ${arg_RBAC_DIR}
                      ARGUMENTS ${CMAKE_CURRENT_SOURCE_DIR} --role-name ${role} DEPENDS ${marked})
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
