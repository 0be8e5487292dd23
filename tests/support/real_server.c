/* SPDX-License-Identifier: Apache-2.0 */
#include "real_server.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { UNTIL_MS = 60000, UNTIL_REST_MS = 50 };

struct real_server {
    char directory[PATH_MAX];
    char kubeconfig[PATH_MAX + 16];
    char url[128];
    char port[16]; /* of the first address */
    const char *assets;
    const char *source;
    const char *script; /* that starts and kills it, below the source directory */
};

static void die(const char *what, const char *detail)
{
    fprintf(stderr, "real server: %s: %s\n", what, detail);
    exit(1);
}

/* Runs a shell command; returns its exit status, and what it printed in @output. */
static int run(const char *command, char *output, size_t size)
{
    char scrap[4096];
    size_t used = 0;
    size_t got;
    int status;
    FILE *pipe = popen(command, "r");
    if (!pipe)
        die("popen", strerror(errno));
    while ((got = fread(scrap, 1, sizeof scrap, pipe)) > 0) {
        size_t room = output && size > used + 1 ? size - used - 1 : 0;
        size_t take = got < room ? got : room;
        if (take)
            memcpy(output + used, scrap, take);
        used += take;
    }
    if (output && size)
        output[used] = '\0';
    status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void skip(const char *why)
{
    const char *ci = getenv("CI");
    if (ci && strcmp(ci, "true") == 0)
        die("needed under CI=true", why);
    fprintf(stderr, "skipped: no real API server: %s\n", why);
    exit(REAL_SERVER_SKIPPED);
}

static void launch(real_server *server, const char *port, const char *flags)
{
    char command[2 * PATH_MAX + 512];
    char output[8192];
    FILE *ready;
    snprintf(command, sizeof command, "'%s/%s' start '%s' %s%s --owner %ld %s 2>&1", server->source,
             server->script, server->directory, port ? "--port " : "", port ? port : "",
             (long)getpid(), flags ? flags : "");
    if (run(command, output, sizeof output) != 0)
        die("did not start", output);
    snprintf(server->kubeconfig, sizeof server->kubeconfig, "%s/kubeconfig", server->directory);
    snprintf(command, sizeof command, "%s/ready", server->directory);
    ready = fopen(command, "r");
    if (!ready || !fgets(server->url, sizeof server->url, ready))
        die("no address in", command);
    fclose(ready);
    server->url[strcspn(server->url, "\n")] = '\0';
}

static const char *port_of(const real_server *server)
{
    const char *colon = strrchr(server->url, ':');
    return colon ? colon + 1 : "";
}

real_server *real_server_start(const char *flags)
{
    const char *tmp = getenv("TMPDIR");
    real_server *server = calloc(1, sizeof *server);
    if (!server)
        die("memory", "out");
    server->assets = getenv("KUBEGEN_ENVTEST");
    if (!server->assets || !*server->assets)
        skip("set KUBEGEN_ENVTEST to the directory that hack/setup-envtest.sh prints");
    server->source = getenv("KUBEGEN_SOURCE_DIR");
    if (!server->source)
        die("KUBEGEN_SOURCE_DIR", "is not set");
    server->script =
        getenv("KUBEGEN_EMBEDDED") ? "tests/support/embedded_server.sh" : "hack/envtest.sh";
    snprintf(server->directory, sizeof server->directory, "%s/kubegen-server.XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(server->directory))
        die(server->directory, strerror(errno));
    launch(server, NULL, flags);
    snprintf(server->port, sizeof server->port, "%s", port_of(server));
    return server;
}

static void control(real_server *server, const char *verb)
{
    char command[2 * PATH_MAX + 512];
    char output[4096];
    snprintf(command, sizeof command, "'%s/%s' %s '%s' 2>&1", server->source, server->script, verb,
             server->directory);
    if (run(command, output, sizeof output) != 0)
        die(verb, output);
}

void real_server_kill(real_server *server)
{
    control(server, "kill");
}

/*
 * A server that is ready serves custom resources, but discovery, which kubectl goes by, lists them
 * a moment later.
 */
static void wait_for_custom_resources(real_server *server)
{
    char names[4096];
    real_server_until_kubectl(server, "get crds");
    if (real_server_kubectl(server, NULL, names, sizeof names,
                            "get crds -o 'jsonpath={.items[*].metadata.name}'") != 0)
        die("kubectl", names);
    for (char *space = strchr(names, ' '); space; space = strchr(space, ' '))
        *space = ',';
    if (*names)
        real_server_until_kubectl(server, "get %s --all-namespaces", names);
}

void real_server_restart(real_server *server, const char *flags)
{
    launch(server, server->port, flags);
    wait_for_custom_resources(server);
}

void real_server_move(real_server *server)
{
    launch(server, NULL, NULL);
    wait_for_custom_resources(server);
}

/* Sends @signal to each process that the script started. */
static void signal_all(real_server *server, int signal)
{
    char path[PATH_MAX + 16];
    long pid;
    FILE *pids;
    snprintf(path, sizeof path, "%s/pids", server->directory);
    pids = fopen(path, "r");
    while (pids && fscanf(pids, "%ld%*[^\n]", &pid) == 1)
        kill((pid_t)pid, signal);
    if (pids)
        fclose(pids);
}

void real_server_pause(real_server *server)
{
    signal_all(server, SIGSTOP);
}

void real_server_continue(real_server *server)
{
    signal_all(server, SIGCONT);
}

void real_server_free(real_server *server)
{
    char command[PATH_MAX + 32];
    if (!server)
        return;
    control(server, "kill");
    snprintf(command, sizeof command, "rm -rf '%s'", server->directory);
    run(command, NULL, 0);
    free(server);
}

const char *real_server_directory(const real_server *server)
{
    return server->directory;
}

const char *real_server_kubeconfig(const real_server *server)
{
    return server->kubeconfig;
}

const char *real_server_url(const real_server *server)
{
    return server->url;
}

static int kubectl(real_server *server, const char *input, char *output, size_t size,
                   const char *format, va_list args)
{
    char arguments[4096];
    char command[6 * PATH_MAX];
    char path[PATH_MAX + 16] = "/dev/null";
    vsnprintf(arguments, sizeof arguments, format, args);
    if (input) {
        FILE *file;
        snprintf(path, sizeof path, "%s/kubectl.in", server->directory);
        file = fopen(path, "w");
        if (!file || fputs(input, file) < 0 || fclose(file) != 0)
            die(path, strerror(errno));
    }
    snprintf(command, sizeof command,
             "HOME='%s' '%s/kubectl' --kubeconfig='%s/kubeconfig' %s 2>&1 <'%s'", server->directory,
             server->assets, server->directory, arguments, path);
    return run(command, output, size);
}

int real_server_kubectl(real_server *server, const char *input, char *output, size_t size,
                        const char *format, ...)
{
    va_list args;
    int status;
    va_start(args, format);
    status = kubectl(server, input, output, size, format, args);
    va_end(args);
    return status;
}

void real_server_must_kubectl(real_server *server, const char *input, const char *format, ...)
{
    char output[8192];
    va_list args;
    int status;
    va_start(args, format);
    status = kubectl(server, input, output, sizeof output, format, args);
    va_end(args);
    if (status != 0)
        die("kubectl", output);
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void real_server_until_kubectl(real_server *server, const char *format, ...)
{
    const struct timespec rest = {0, UNTIL_REST_MS * 1000000};
    const long deadline = now_ms() + UNTIL_MS;
    char output[8192];
    va_list args;
    int status;
    for (;;) {
        va_start(args, format);
        status = kubectl(server, NULL, output, sizeof output, format, args);
        va_end(args);
        if (status == 0)
            return;
        if (now_ms() > deadline)
            break;
        nanosleep(&rest, NULL);
    }
    fprintf(stderr, "real server: for %d s no success of: kubectl %s\n", UNTIL_MS / 1000, format);
    die("kubectl", output);
}
