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

kubegen_find(curl "libcurl>=7.84" libcurl4-openssl-dev)
kubegen_find(openssl "openssl>=3.0" libssl-dev)
kubegen_find(cjson "libcjson>=1.7" libcjson-dev)
kubegen_find(yaml "yaml-0.1" libyaml-dev)
if(KUBEGEN_BUILD_TESTS)
    kubegen_find(check "check>=0.15" check)
endif()
