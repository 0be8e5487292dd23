# SPDX-License-Identifier: Apache-2.0
# Turns templates into a C file: cmake -DOUT=file.c -DTEMPLATES=a.mustache;b.mustache -P this.
include(${CMAKE_CURRENT_LIST_DIR}/KubegenApiFiles.cmake)
list(JOIN KUBEGEN_API_FILES "\",\n    \"" files)
set(arrays "")
set(rows "")
set(index 0)
foreach(template IN LISTS TEMPLATES)
    file(READ ${template} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    # Fifteen bytes a line keep the file within 100 columns.
    string(REGEX REPLACE "(...........................................................................)"
                         "\\1\n    " bytes "${bytes}")
    get_filename_component(name ${template} NAME)
    string(REGEX REPLACE "\\.mustache$" "" name ${name})
    string(APPEND arrays "static const char text_${index}[] = {\n    ${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", text_${index}},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT}.new
"/* Written by KubegenEmbed.cmake from templates/. */
#include \"render/embedded.h\"

#include <stddef.h>

${arrays}
const embedded_template embedded_templates[] = {
${rows}    {NULL, NULL},
};

const char *const embedded_api_files[] = {
    \"${files}\",
    NULL,
};
")
file(RENAME ${OUT}.new ${OUT})
