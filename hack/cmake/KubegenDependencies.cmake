# SPDX-License-Identifier: Apache-2.0
# The libraries we build with. hack/install-deps.sh has the Debian packages that bring them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# kubegen_find(<target> <pkg-config module> <Debian package>)
function(kubegen_find target module package)
    pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
    if(NOT ${target}_FOUND)
        message(FATAL_ERROR "${module} is missing: install ${package}, or run hack/install-deps.sh")
    endif()
    add_library(kubegen_dep_${target} INTERFACE)
    target_link_libraries(kubegen_dep_${target} INTERFACE PkgConfig::${target})
endfunction()

kubegen_find(curl "libcurl>=7.87" libcurl4-openssl-dev)
kubegen_find(openssl "openssl>=3.0" libssl-dev)
kubegen_find(cjson "libcjson>=1.7" libcjson-dev)
kubegen_find(yaml "yaml-0.1" libyaml-dev)
kubegen_find(zlib "zlib>=1.2" zlib1g-dev)
kubegen_find(microhttpd "libmicrohttpd>=0.9.75" libmicrohttpd-dev)
kubegen_find(gnutls "gnutls>=3.7" libgnutls28-dev) # libmicrohttpd's, too
kubegen_find(re2 re2 libre2-dev)
if(KUBEGEN_BUILD_TESTS)
    kubegen_find(check "check>=0.15" check)
endif()

# libclang has no pkg-config module: llvm-config knows where its headers and library lie.
function(kubegen_find_clang)
    find_program(KUBEGEN_LLVM_CONFIG NAMES llvm-config-14 llvm-config)
    if(KUBEGEN_LLVM_CONFIG)
        execute_process(COMMAND ${KUBEGEN_LLVM_CONFIG} --includedir --libdir
                        OUTPUT_VARIABLE dirs OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(REPLACE "\n" ";" dirs "${dirs}")
    endif()
    find_path(KUBEGEN_CLANG_INCLUDE clang-c/Index.h HINTS ${dirs} /usr/lib/llvm-14/include)
    find_library(KUBEGEN_CLANG_LIBRARY NAMES clang clang-14 HINTS ${dirs} /usr/lib/llvm-14/lib)
    if(NOT KUBEGEN_CLANG_INCLUDE OR NOT KUBEGEN_CLANG_LIBRARY)
        message(FATAL_ERROR "libclang is missing: install libclang-14-dev and "
                            "libclang-common-14-dev, or run hack/install-deps.sh")
    endif()
    add_library(kubegen_dep_clang INTERFACE)
    target_include_directories(kubegen_dep_clang SYSTEM INTERFACE ${KUBEGEN_CLANG_INCLUDE})
    target_link_libraries(kubegen_dep_clang INTERFACE ${KUBEGEN_CLANG_LIBRARY} ${CMAKE_DL_LIBS})
endfunction()
kubegen_find_clang()
