/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest.h"

#include "base/ascii.h"
#include "base/ctx.h"

#include <string.h>

static size_t blanks(const char *text, size_t len)
{
    size_t i = 0;
    while (i < len && kube__is_blank(text[i]))
        i++;
    return i;
}

bool kube__api_manifest_init(kube__api_manifest *manifest, const char *text, size_t len)
{
    size_t start = blanks(text, len);
    *manifest = (kube__api_manifest){.text = text, .len = len, .line = 1};
    if (start < len && text[start] == '{')
        return true;
    manifest->yaml = kube__api_yaml_new(text, len);
    return manifest->yaml != NULL;
}

void kube__api_manifest_fini(kube__api_manifest *manifest)
{
    kube__api_yaml_free(manifest->yaml);
    manifest->yaml = NULL;
}

/* Length of the value that begins @text: to where its brackets close, or the end. */
static size_t value_len(const char *text, size_t len)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        } else if (!depth && kube__is_blank(c)) {
            return i;
        }
    }
    return len;
}

/* Moves on, counting the lines. */
static void pass(kube__api_manifest *manifest, size_t len)
{
    const char *text = manifest->text + manifest->at;
    const char *end = text + len;
    while ((text = memchr(text, '\n', (size_t)(end - text)))) {
        manifest->line++;
        text++;
    }
    manifest->at += len;
}

static kube__json *next_json(kube__api_manifest *manifest, kube_ctx *ctx, const char **fault)
{
    const char *text;
    size_t len;
    kube__json *value;
    pass(manifest, blanks(manifest->text + manifest->at, manifest->len - manifest->at));
    text = manifest->text + manifest->at;
    len = value_len(text, manifest->len - manifest->at);
    if (!len)
        return NULL;
    manifest->number++;
    value = kube__json_parse(ctx, text, len, fault, NULL, NULL);
    if (!value && *fault)
        *fault = kube__api_text(ctx, "json: value at line %zu: %s", manifest->line, *fault);
    else
        pass(manifest, len);
    return value;
}

/* A text that begins as JSON may still be YAML, "{a: b}": then its first value is no JSON. */
static kube__json *turn_to_yaml(kube__api_manifest *manifest, kube_ctx *ctx, const char **fault)
{
    const char *yaml_fault = NULL;
    kube__json *value = NULL;
    manifest->yaml = kube__api_yaml_new(manifest->text, manifest->len);
    if (manifest->yaml)
        value = kube__api_yaml_next(manifest->yaml, ctx, &manifest->line, &yaml_fault, NULL, NULL);
    else
        kube__ctx_fail(ctx, 0);
    if (value)
        *fault = NULL;
    return value;
}

kube__json *kube__api_manifest_next(kube__api_manifest *manifest, kube_ctx *ctx, const char **fault)
{
    kube__json *value;
    *fault = NULL;
    if (manifest->yaml) {
        manifest->number++;
        return kube__api_yaml_next(manifest->yaml, ctx, &manifest->line, fault, NULL, NULL);
    }
    value = next_json(manifest, ctx, fault);
    if (*fault && manifest->number == 1)
        value = turn_to_yaml(manifest, ctx, fault);
    return value;
}
