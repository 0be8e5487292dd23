/* SPDX-License-Identifier: Apache-2.0 */
#include "gen_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_parents(const char *path)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *at = strchr(copy, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(copy, 0777);
        *at = '/';
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file;
    make_parents(path);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ne(fputs(text, file), EOF);
    ck_assert_int_eq(fclose(file), 0);
}

static char *print(diag *from)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    diag_print(from, out, false);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

loaded load_text(const char *path, const char *text)
{
    loaded made = {.dir = "/tmp/kubegen-test-XXXXXX"};
    char input[256];
    const char *inputs[] = {input};
    ck_assert_ptr_nonnull(mkdtemp(made.dir));
    ck_assert_int_eq(chdir(made.dir), 0);
    if (text)
        write_file(path, text);
    snprintf(input, sizeof input, "%s", path);
    if (strcmp(strrchr(input, '/') + 1, "types.h") == 0)
        *strrchr(input, '/') = '\0';
    made.diag = diag_new();
    made.model = model_load(inputs, 1, NULL, made.diag);
    made.messages = print(made.diag);
    return made;
}

static void remove_all(const char *dir)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
}

void unload(loaded *of)
{
    model_free(of->model);
    diag_free(of->diag);
    free(of->messages);
    ck_assert_int_eq(chdir("/"), 0);
    remove_all(of->dir);
}

const model_struct *find_struct(const loaded *in, const char *name)
{
    const model_package *package;
    ck_assert_msg(in->model != NULL, "%s", in->messages);
    package = in->model->packages[0];
    for (size_t i = 0; i < package->struct_len; i++) {
        if (strcmp(package->structs[i]->name, name) == 0)
            return package->structs[i];
    }
    ck_abort_msg("no struct %s", name);
    return NULL;
}

const model_field *find_field(const model_struct *in, const char *name)
{
    for (size_t i = 0; i < in->field_len; i++) {
        if (strcmp(in->fields[i].name, name) == 0)
            return &in->fields[i];
    }
    ck_abort_msg("no member %s", name);
    return NULL;
}
