/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a fuzz target without libFuzzer: runs it once for each file, or file of a directory,
 * that is named. */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    enum { MAX = 1 << 20 };
    uint8_t *data = malloc(MAX);
    if (data) {
        size_t len = fread(data, 1, MAX, file);
        LLVMFuzzerTestOneInput(data, len);
    }
    free(data);
    fclose(file);
    return data ? 0 : 1;
}

static int run_directory(DIR *directory, const char *path)
{
    int failed = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= run_file(name);
    }
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        failed |= directory ? run_directory(directory, argv[i]) : run_file(argv[i]);
        if (directory)
            closedir(directory);
    }
    return failed;
}
