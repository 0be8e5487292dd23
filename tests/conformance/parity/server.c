/* SPDX-License-Identifier: Apache-2.0 */
#include "server.h"

#include "support/real_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START_MS = 60000, REST_MS = 10 };

/* The embedded server's process and what it writes. */
typedef struct embedded {
    pid_t process;
    bool ended;
    char directory[256];
    char kubeconfig[300];
    char log[300];
} embedded;

static void die(const char *what, const char *detail)
{
    fprintf(stderr, "parity: %s: %s\n", what, detail);
    exit(EXIT_FAILURE);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 18);
    if (!text)
        die("memory", "out");
    if (!file) {
        free(text);
        return NULL;
    }
    if (fread(text, 1, (1 << 18) - 1, file) == 0)
        text[0] = '\0';
    fclose(file);
    return text;
}

static char *copy(const char *text)
{
    char *made = text ? strdup(text) : NULL;
    if (text && !made)
        die("memory", "out");
    return made;
}

static char *file_in(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return read_file(path);
}

void parity_start_real(parity_server *server, const char *name)
{
    real_server *real = real_server_start("--controllers");
    const char *directory = real_server_directory(real);
    *server = (parity_server){.name = name, .process = real};
    server->url = copy(real_server_url(real));
    server->admin = copy("admin-token");
    server->user = copy("user-token");
    server->certificate = file_in(directory, "client.crt");
    server->key = file_in(directory, "client.key");
}

/* The scalar after "@key:" from @from on; NULL when there is none. */
static char *yaml_value(const char *from, const char *key)
{
    char pattern[64];
    const char *at;
    size_t len;
    char *value;
    snprintf(pattern, sizeof pattern, "%s:", key);
    at = from ? strstr(from, pattern) : NULL;
    if (!at)
        return NULL;
    at += strlen(pattern);
    at += strspn(at, " \"");
    len = strcspn(at, "\",}\n ");
    value = calloc(1, len + 1);
    if (!value)
        die("memory", "out");
    memcpy(value, at, len);
    return value;
}

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Decodes in place. */
static char *from_base64(char *text)
{
    unsigned bits = 0;
    int have = 0;
    char *out = text;
    if (!text)
        return NULL;
    for (const char *p = text; sextet(*p) >= 0; p++) {
        bits = bits << 6 | (unsigned)sextet(*p);
        have += 6;
        if (have >= 8) {
            have -= 8;
            *out++ = (char)(bits >> have & 0xff);
        }
    }
    *out = '\0';
    return text;
}

/* The part of a kubeconfig that describes a user. */
static const char *user_entry(const char *text, const char *name)
{
    char pattern[64];
    const char *users = strstr(text, "\nusers:");
    snprintf(pattern, sizeof pattern, "name: %s\n", name);
    return users ? strstr(users, pattern) : NULL;
}

static char *pem(const char *entry, const char *what)
{
    char key[64];
    char *value;
    char *text;
    snprintf(key, sizeof key, "%s-data", what);
    value = yaml_value(entry, key);
    if (value)
        return from_base64(value);
    value = yaml_value(entry, what);
    text = value ? read_file(value) : NULL;
    free(value);
    return text;
}

static void read_kubeconfig(parity_server *server, const char *path)
{
    char *text = read_file(path);
    if (!text)
        die("cannot read", path);
    server->url = yaml_value(text, "server");
    server->admin = yaml_value(user_entry(text, "admin"), "token");
    server->user = yaml_value(user_entry(text, "user"), "token");
    server->certificate = pem(user_entry(text, "cert"), "client-certificate");
    server->key = pem(user_entry(text, "cert"), "client-key");
    free(text);
    if (!server->url || !server->admin || !server->user)
        die("no server or token in", path);
}

/* In the child. */
static void become(const char *path, const embedded *e, const char *owner)
{
    int log = open(e->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    if (log >= 0 && dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0)
        execl(path, path, "--tls", "--rbac", "--owner", owner, "--kubeconfig-out", e->kubeconfig,
              (char *)NULL);
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    _exit(127);
}

static bool has_ended(embedded *e)
{
    if (!e->ended)
        e->ended = waitpid(e->process, NULL, WNOHANG) == e->process;
    return e->ended;
}

static void print_log(const embedded *e)
{
    char *text = read_file(e->log);
    fprintf(stderr, "parity: the embedded server ended: %s\n", text ? text : "without a word");
    free(text);
}

/* Until it has written its kubeconfig, which it does when it can be asked. */
static void wait_until_ready(embedded *e)
{
    const struct timespec rest = {0, REST_MS * 1000000};
    for (int waited = 0; access(e->kubeconfig, R_OK) != 0; waited += REST_MS) {
        if (has_ended(e) || waited > START_MS) {
            print_log(e);
            exit(EXIT_FAILURE);
        }
        nanosleep(&rest, NULL);
    }
}

void parity_start_embedded(parity_server *server, const char *path)
{
    embedded *e = calloc(1, sizeof *e);
    const char *tmp = getenv("TMPDIR");
    char owner[32];
    if (!e)
        die("memory", "out");
    *server = (parity_server){.name = "embedded", .process = e};
    snprintf(e->directory, sizeof e->directory, "%s/parity.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(e->directory))
        die("cannot make", e->directory);
    snprintf(e->kubeconfig, sizeof e->kubeconfig, "%s/kubeconfig", e->directory);
    snprintf(e->log, sizeof e->log, "%s/log", e->directory);
    snprintf(owner, sizeof owner, "%ld", (long)getpid());
    e->process = fork();
    if (e->process < 0)
        die("fork", strerror(errno));
    if (e->process == 0)
        become(path, e, owner);
    wait_until_ready(e);
    read_kubeconfig(server, e->kubeconfig);
}

static void stop_embedded(embedded *e)
{
    if (has_ended(e)) {
        print_log(e);
    } else {
        kill(e->process, SIGTERM);
        waitpid(e->process, NULL, 0);
    }
    unlink(e->kubeconfig);
    unlink(e->log);
    rmdir(e->directory);
    free(e);
}

void parity_stop(parity_server *server)
{
    if (strcmp(server->name, "embedded") == 0)
        stop_embedded(server->process);
    else
        real_server_free(server->process);
    free(server->url);
    free(server->admin);
    free(server->user);
    free(server->certificate);
    free(server->key);
}
