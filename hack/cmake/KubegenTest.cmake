# SPDX-License-Identifier: Apache-2.0
# kubegen_add_test(NAME name SOURCES file… LIBS target… [ENVIRONMENT var=value…] [LABELS label…]
#                  [TIMEOUT seconds])
# One Check executable, see tests/support/suite.h. ctest owns the timeout, so Check does not fork:
# sanitizers and debuggers see one process.
function(kubegen_add_test)
    cmake_parse_arguments(arg "" "NAME;TIMEOUT" "SOURCES;LIBS;ENVIRONMENT;LABELS" ${ARGN})
    add_executable(${arg_NAME} ${arg_SOURCES})
    target_include_directories(${arg_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/runtime/src
                                                   ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${arg_NAME} PRIVATE kubegen_options kubegen_suite Threads::Threads
                                              ${arg_LIBS})
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT "CK_FORK=no;KUBEGEN_SOURCE_DIR=${PROJECT_SOURCE_DIR};${arg_ENVIRONMENT}")
    if(arg_LABELS)
        set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}")
    endif()
endfunction()
