# SPDX-License-Identifier: Apache-2.0
# Turns the KUBE_DECLARE_LIST(T); and KUBE_DECLARE_MAP(T); of headers into a C table of the types'
# names: cmake -DOUT=file.c -DHEADERS=a.h;b.h -P this.
set(rows "")
foreach(header IN LISTS HEADERS)
    file(STRINGS ${header} lines REGEX "^KUBE_DECLARE_(LIST|MAP)\\([a-z0-9_]+\\);")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "DECLARE_([A-Z]+)\\(([a-z0-9_]+)" match "${line}")
        string(TOLOWER "${CMAKE_MATCH_1}" container)
        string(APPEND rows "    \"${CMAKE_MATCH_2}_${container}\",\n")
    endforeach()
endforeach()
file(WRITE ${OUT}.new
"/* Written by KubegenDeclared.cmake from the runtime's headers. */
#include \"import/declared.h\"

#include <stddef.h>

const char *const import_declared[] = {
${rows}    NULL,
};
")
file(RENAME ${OUT}.new ${OUT})
