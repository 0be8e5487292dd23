# SPDX-License-Identifier: Apache-2.0
# Optimised builds are hardened as distributions harden theirs: kubegen's own targets, not those of a
# project that holds this tree, nor what kubegen_add_api() makes there. Flags of the user's that say
# otherwise stay. tests/hack/test_hardening.sh looks at what comes out.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)

# harden_compiler(<flag> <what the user's flags have if they decide it>)
function(harden_compiler flag pattern)
    string(MAKE_C_IDENTIFIER KUBEGEN_COMPILER_HAS${flag} variable)
    check_c_compiler_flag(${flag} ${variable})
    if(${variable} AND NOT CMAKE_C_FLAGS MATCHES "${pattern}")
        set(flags "${flags};${flag}" PARENT_SCOPE)
    endif()
endfunction()

set(flags)
harden_compiler(-fstack-protector-strong "-f(no-)?stack-protector")
harden_compiler(-fstack-clash-protection "-f(no-)?stack-clash-protection")
harden_compiler(-fcf-protection "-fcf-protection")
if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE|-O0")
    set(level 2)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12
       OR CMAKE_C_COMPILER_ID STREQUAL "Clang")
        set(level 3)
    endif()
    list(APPEND flags -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
endif()
foreach(flag IN LISTS flags)
    add_compile_options($<${optimised}:${flag}>)
endforeach()

foreach(word relro now noexecstack)
    check_linker_flag(C -Wl,-z,${word} KUBEGEN_LINKER_HAS_z_${word})
    if(KUBEGEN_LINKER_HAS_z_${word} AND NOT "${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-z,(no)?${word}|-z,lazy")
        add_link_options($<${optimised}:-Wl,-z,${word}>)
    endif()
endforeach()
