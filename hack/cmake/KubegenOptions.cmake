# SPDX-License-Identifier: Apache-2.0
# kubegen_options: what all our own targets are compiled with. Linked PRIVATE, never exported.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(kubegen_options INTERFACE)
target_compile_definitions(kubegen_options INTERFACE _GNU_SOURCE)
target_compile_options(kubegen_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -ffunction-sections -fdata-sections
    -fmacro-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=
    $<$<BOOL:${KUBEGEN_WERROR}>:-Werror>)

if(KUBEGEN_SANITIZE)
    # Everything is instrumented, tests too, so the flags are global.
    add_compile_options(-fsanitize=${KUBEGEN_SANITIZE} -fno-omit-frame-pointer
                        -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${KUBEGEN_SANITIZE})
elseif(KUBEGEN_HARDENING)
    include(KubegenHardening)
endif()
