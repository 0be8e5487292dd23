/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeconfig.h"

#include "support/path.h"
#include "support/yaml_read.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    arena *in;
    json_list configs; /* the first one that says something wins */
    place_list places;
    diag *to;
} reader;

static const char *text_of(const json_value *object, const char *key)
{
    const json_value *value = json_get(object, key);
    return json_kind_of(value) == JSON_STRING && *json_text(value) ? json_text(value) : NULL;
}

/* Reads the files of $KUBECONFIG that are there, or the one that it stands for. */
static void read_files(reader *r)
{
    const char *home = getenv("HOME");
    text_list files = {0};
    path_split(r->in, getenv("KUBECONFIG"), &files);
    if (!files.len && home)
        *VEC_ADD(&files) = arena_printf(r->in, "%s/.kube/config", home);
    for (size_t i = 0; i < files.len; i++) {
        const char *file = files.items[i];
        str text = {0};
        if (str_read_file(&text, file))
            yaml_read(file, str_text(&text), text.len, &r->places, &r->configs, r->to);
        else if (errno != ENOENT)
            diag_error(r->to, (diag_loc){file, 0, 0}, "cannot read this file: %s", strerror(errno));
        str_free(&text);
    }
    free(files.items);
}

/* Returns what a list @lists has under @name: its member @kind. */
static const json_value *find_named(reader *r, const char *lists, const char *kind,
                                    const char *name)
{
    for (size_t i = 0; name && i < r->configs.len; i++)
        for (const json_value *at = json_first(json_get(r->configs.items[i], lists)); at;
             at = json_next(at))
            if (text_of(at, "name") && strcmp(text_of(at, "name"), name) == 0)
                return json_get(at, kind);
    diag_error(r->to, place_of(&r->places, r->configs.items[0]), "the %s '%s' is not here", kind,
               name ? name : "");
    return NULL;
}

/* Refuses what would have to be done as well. */
static void refuse(reader *r, const json_value *of, const char *const *keys)
{
    for (; *keys; keys++) {
        const json_value *at = json_get(of, *keys);
        if (at && (!json_text(at) || *json_text(at)))
            diag_error(
                r->to, place_of(&r->places, at),
                "'%s' is not understood here: kubectl get crd -o yaml | kubegen import crd -",
                *keys);
    }
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

/* The path of a file that a kubeconfig names: it goes by the kubeconfig's directory. */
static const char *beside(reader *r, const json_value *named)
{
    const char *dir = path_parent(r->in, place_of(&r->places, named).file);
    const char *file = json_text(named);
    return arena_printf(r->in, *file == '/' ? "%s%s" : "%s/%s", *file == '/' ? "" : dir, file);
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
    file = beside(r, json_get(of, key));
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
    static const char *const others[] = {"exec",   "auth-provider", "username",      "as",
                                         "as-uid", "as-groups",     "as-user-extra", NULL};
    refuse(r, user, others);
    if (text_of(user, "tokenFile"))
        out->token_file = beside(r, json_get(user, "tokenFile"));
    else if (text_of(user, "token"))
        out->token = arena_strdup(r->in, text_of(user, "token"));
    out->cert = read_part(r, user, "client-certificate");
    out->key = read_part(r, user, "client-key");
}

/* Returns the URL of a server: one without a scheme has https if there is anything that says so. */
static const char *url_of(reader *r, const char *server, const fetch_options *how)
{
    bool is_safe = how->ca || how->cert || how->is_insecure;
    if (strstr(server, "://"))
        return arena_strdup(r->in, server);
    return arena_printf(r->in, "http%s://%s", is_safe ? "s" : "", server);
}

static const char *read_config(reader *r, fetch_options *out)
{
    static const char *const others[] = {"proxy-url", "tls-server-name", NULL};
    const char *current = NULL;
    const json_value *context;
    const json_value *cluster;
    const char *server;
    for (size_t i = 0; !current && i < r->configs.len; i++)
        current = text_of(r->configs.items[i], "current-context");
    context = find_named(r, "contexts", "context", current);
    cluster = context ? find_named(r, "clusters", "cluster", text_of(context, "cluster")) : NULL;
    server = text_of(cluster, "server");
    if (!cluster)
        return NULL;
    if (!server)
        diag_error(r->to, place_of(&r->places, cluster), "the cluster has no 'server'");
    refuse(r, cluster, others);
    out->ca = read_part(r, cluster, "certificate-authority");
    out->is_insecure = json_is_true(json_get(cluster, "insecure-skip-tls-verify"));
    if (text_of(context, "user"))
        read_user(r, find_named(r, "users", "user", text_of(context, "user")), out);
    return server ? url_of(r, server, out) : NULL;
}

const char *kubeconfig_read(arena *in, fetch_options *out, diag *to)
{
    reader r = {.in = in, .to = to};
    size_t before = diag_error_count(to);
    const char *server = NULL;
    read_files(&r);
    if (r.configs.len && diag_error_count(to) == before)
        server = read_config(&r, out);
    else if (diag_error_count(to) == before)
        diag_error(to, (diag_loc){0}, "there is no kubeconfig: set KUBECONFIG");
    json_list_free(&r.configs);
    free(r.places.items);
    return diag_error_count(to) == before ? server : NULL;
}
