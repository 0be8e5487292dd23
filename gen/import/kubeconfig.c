/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeconfig.h"

#include "support/path.h"
#include "support/yaml_read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reader {
    arena *in;
    const char *file;
    place_list places;
    diag *to;
} reader;

static const char *text_of(const json_value *object, const char *key)
{
    const json_value *value = json_get(object, key);
    return json_kind_of(value) == JSON_STRING && *json_text(value) ? json_text(value) : NULL;
}

/* Returns NULL if there is no file. */
static const char *find_file(arena *in)
{
    text_list files = {0};
    const char *home = getenv("HOME");
    const char *found = NULL;
    path_split(in, getenv("KUBECONFIG"), &files);
    if (!files.len && home)
        *VEC_ADD(&files) = arena_printf(in, "%s/.kube/config", home);
    for (size_t i = 0; i < files.len && !found; i++)
        if (access(files.items[i], R_OK) == 0)
            found = files.items[i];
    free(files.items);
    return found;
}

/* Returns what the list @lists has under @name: its member @kind. */
static const json_value *find_named(reader *r, const json_value *config, const char *lists,
                                    const char *kind, const char *name)
{
    const json_value *list = json_get(config, lists);
    for (const json_value *at = json_first(list); at; at = json_next(at))
        if (name && text_of(at, "name") && strcmp(text_of(at, "name"), name) == 0)
            return json_get(at, kind);
    diag_error(r->to, list ? place_of(&r->places, list) : (diag_loc){r->file, 1, 1},
               "the %s '%s' is not here", kind, name ? name : "");
    return NULL;
}

/* ---- files and data ------------------------------------------------------------------------ */

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Returns NULL if @text is not base64 of a text. */
static const char *decode(arena *in, const char *text)
{
    char *out = arena_alloc(in, strlen(text) + 1);
    size_t len = 0;
    uint32_t bits = 0;
    int count = 0;
    for (; *text && *text != '='; text++) {
        if (strchr(" \r\n", *text))
            continue;
        if (sextet(*text) < 0)
            return NULL;
        bits = bits << 6 | (uint32_t)sextet(*text);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        out[len++] = (char)(bits >> count & 0xff);
    }
    return strlen(out) == len ? out : NULL;
}

/* The contents that <key>-data has, or the file that @key names; NULL if neither is there. */
static const char *read_part(reader *r, const json_value *of, const char *key)
{
    const char *data = text_of(of, arena_printf(r->in, "%s-data", key));
    const char *file = text_of(of, key);
    const char *made = data ? decode(r->in, data) : NULL;
    str text = {0};
    if (data && !made)
        diag_error(r->to, place_of(&r->places, of), "%s-data is not base64 of PEM", key);
    if (data || !file)
        return made;
    if (*file != '/')
        file = arena_printf(r->in, "%s/%s", path_parent(r->in, r->file), file);
    if (str_read_file(&text, file))
        made = arena_strdup(r->in, str_text(&text));
    else
        diag_error(r->to, place_of(&r->places, json_get(of, key)), "cannot read %s", file);
    str_free(&text);
    return made;
}

/* ---- together ------------------------------------------------------------------------------ */

static void read_user(reader *r, const json_value *user, fetch_options *out)
{
    static const char *const others[] = {"exec", "auth-provider", "username", NULL};
    for (const char *const *other = others; *other; other++)
        if (json_get(user, *other))
            diag_error(
                r->to, place_of(&r->places, json_get(user, *other)),
                "'%s' is not understood here: kubectl get crd -o yaml | kubegen import crd -",
                *other);
    out->token = text_of(user, "token");
    if (!out->token)
        out->token_file = text_of(user, "tokenFile");
    out->cert = read_part(r, user, "client-certificate");
    out->key = read_part(r, user, "client-key");
}

static const char *read_config(reader *r, const json_value *config, fetch_options *out)
{
    const json_value *context =
        find_named(r, config, "contexts", "context", text_of(config, "current-context"));
    const json_value *cluster =
        context ? find_named(r, config, "clusters", "cluster", text_of(context, "cluster")) : NULL;
    const char *server = text_of(cluster, "server");
    if (!cluster)
        return NULL;
    if (!server)
        diag_error(r->to, place_of(&r->places, cluster), "the cluster has no 'server'");
    out->ca = read_part(r, cluster, "certificate-authority");
    out->is_insecure = json_is_true(json_get(cluster, "insecure-skip-tls-verify"));
    if (text_of(context, "user"))
        read_user(r, find_named(r, config, "users", "user", text_of(context, "user")), out);
    return server;
}

const char *kubeconfig_read(arena *in, fetch_options *out, diag *to)
{
    reader r = {.in = in, .file = find_file(in), .to = to};
    size_t before = diag_error_count(to);
    const char *server = NULL;
    json_list documents = {0};
    str text = {0};
    if (!r.file || !str_read_file(&text, r.file)) {
        diag_error(to, (diag_loc){0}, "there is no kubeconfig: set KUBECONFIG");
    } else if (yaml_read(r.file, str_text(&text), text.len, &r.places, &documents, to)) {
        /* Its texts outlive the document. */
        server = documents.len ? read_config(&r, documents.items[0], out) : NULL;
        server = server ? arena_strdup(in, server) : NULL;
        out->token = out->token ? arena_strdup(in, out->token) : NULL;
        out->token_file = out->token_file ? arena_strdup(in, out->token_file) : NULL;
    }
    json_list_free(&documents);
    free(r.places.items);
    str_free(&text);
    return diag_error_count(to) == before ? server : NULL;
}
