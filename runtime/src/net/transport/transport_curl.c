/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport with libcurl. One thread runs a curl multi handle, and no other thread uses curl:
 * they put commands into a queue and wake the thread, so that they never wait for it.
 */
#include "base/memory.h"
#include "base/units.h"
#include "exchange.h"
#include "net/config/certificates.h"
#include "transport_options.h"

#include <kube/log.h>
#include <stdlib.h>

enum { MAX_IDLE_CONNECTIONS = 25 };

enum command { START = 1, RESUME = 2, CANCEL = 4 };

static kube__curl_transport *transport_of(kube__transport *base)
{
    return (kube__curl_transport *)(void *)base; /* its first member */
}

/* ---- the I/O thread ------------------------------------------------------------------------ */

static void obey(kube__curl_transport *t, kube__exchange *x, unsigned commands)
{
    if (x->ended)
        return;
    if (commands & CANCEL)
        kube__exchange_cancel(x);
    else if (commands & START)
        kube__exchange_begin(t, x);
    else if (commands & RESUME && x->paused)
        kube__exchange_go_on(x);
}

/* Does what other threads asked for, each with the fence that was set before it; false = stop. */
static bool take_commands(kube__curl_transport *t)
{
    bool stopping;
    kube__lock(&t->mutex);
    do {
        kube__exchange *x = t->first_command;
        unsigned commands = x ? x->commands : 0;
        kube_fence *fence = t->next_fence;
        t->grace_ms = t->next_grace_ms;
        if (x) {
            t->first_command = x->next_command;
            x->commands = 0;
        }
        kube__unlock(&t->mutex);
        kube__transport_take_fence(t, fence);
        if (x) {
            obey(t, x, commands);
            kube__exchange_unref(x);
        }
        kube__lock(&t->mutex);
    } while (t->first_command);
    t->last_command = NULL;
    stopping = t->stopping;
    t->closed = stopping;
    kube__unlock(&t->mutex);
    return !stopping;
}

/* curl cuts what it reads into pieces: says when a turn's have all been given. */
static void end_turn(kube__curl_transport *t)
{
    kube__exchange *next;
    for (kube__exchange *x = t->running; x; x = next) {
        next = x->next;
        if (!x->fed || !x->handler.on_rest)
            continue;
        x->fed = false;
        if (x->handler.on_rest(x->arg) == KUBE__HTTP_STOP) {
            x->stopped = true;
            kube__exchange_end(x, CURLE_WRITE_ERROR);
        }
    }
}

static void reap(kube__curl_transport *t)
{
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(t->multi, &left))) {
        char *x = NULL;
        CURLcode result = message->data.result;
        if (message->msg == CURLMSG_DONE &&
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &x) == CURLE_OK)
            kube__exchange_end((kube__exchange *)(void *)x, result);
    }
}

static void *run(void *arg)
{
    kube__curl_transport *t = arg;
    while (take_commands(t)) {
        int count;
        CURLMcode result;
        kube__transport_cut_fenced(t);
        result = curl_multi_perform(t->multi, &count);
        if (result == CURLM_OK) {
            end_turn(t);
            reap(t);
            result = curl_multi_poll(t->multi, NULL, 0, kube__transport_cut_silent(t), NULL);
        }
        if (result != CURLM_OK) {
            /* Out of memory, in effect: what runs fails, the thread does not. */
            kube_log_error("transport: %s", curl_multi_strerror(result));
            while (t->running)
                kube__exchange_end(t->running, CURLE_OUT_OF_MEMORY);
        }
    }
    while (t->running)
        kube__exchange_cancel(t->running);
    kube__transport_drop_fence(t);
    curl_multi_cleanup(t->multi);
    t->multi = NULL;
    kube__certificates_end_thread();
    kube__lock(&t->mutex);
    t->gone = true;
    kube__broadcast(&t->changed);
    kube__unlock(&t->mutex);
    return NULL;
}

/* ---- the vtable ---------------------------------------------------------------------------- */

/* Returns false if the transport takes none any more. */
static bool command(kube__exchange *x, enum command what)
{
    kube__curl_transport *t = x->transport;
    bool taken;
    kube__lock(&t->mutex);
    taken = !t->closed;
    if (taken && !x->commands) {
        atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
        x->next_command = NULL;
        if (t->first_command)
            t->last_command->next_command = x;
        else
            t->first_command = x;
        t->last_command = x;
    }
    if (taken) {
        x->commands |= what;
        curl_multi_wakeup(t->multi);
    }
    kube__unlock(&t->mutex);
    return taken;
}

static kube_code transport_start(kube__transport *base, const kube__http_request *request,
                                 const kube__http_handler *handler, void *arg, kube__exchange **out,
                                 kube_error *err)
{
    kube__exchange *x = kube__exchange_new(transport_of(base), request);
    *out = NULL;
    if (!x)
        return kube__no_memory(err, "a request");
    x->handler = *handler;
    x->arg = arg;
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed); /* until on_end() */
    if (!command(x, START)) {
        kube__exchange_unref(x);
        kube__exchange_unref(x);
        return kube_error_set(err, KUBE_ERR_CANCELED, "the process is ending");
    }
    *out = x;
    return KUBE_OK;
}

static void transport_resume(kube__transport *base, kube__exchange *x)
{
    (void)base;
    command(x, RESUME);
}

static void transport_end(kube__transport *base, kube__exchange *x)
{
    (void)base;
    if (x) {
        command(x, CANCEL);
        kube__exchange_unref(x);
    }
}

static void transport_set_fence(kube__transport *base, kube_fence *fence, int64_t grace_ms)
{
    kube__curl_transport *t = transport_of(base);
    kube__lock(&t->mutex);
    t->next_fence = fence;
    t->next_grace_ms = grace_ms;
    if (!t->closed)
        curl_multi_wakeup(t->multi);
    kube__unlock(&t->mutex);
}

static void transport_free(kube__transport *base)
{
    kube__curl_transport *t = transport_of(base);
    if (t->thread.started) {
        kube__transport_stop(t);
        kube__thread_join(&t->thread);
        kube__transport_delist(t);
    } else {
        curl_multi_cleanup(t->multi);
    }
    curl_slist_free_all(t->connect_to);
    kube__connection_free_all(&t->connections);
    kube__sockets_free(t->sockets);
    kube__tls_files_fini(&t->files);
    kube__condition_fini(&t->changed);
    kube__mutex_fini(&t->mutex);
    kube_config_free(t->config);
    free(t);
}

static void wake(void *arg)
{
    curl_multi_wakeup(arg);
}

/* Without file descriptors curl makes one that cannot be woken, and says nothing: calls and the end
 * would have to wait until it wakes by itself, a minute later. */
static kube_code make_multi(kube__curl_transport *t, kube_error *err)
{
    t->multi = curl_multi_init();
    if (!t->multi)
        return kube__no_memory(err, "a transport");
    if (curl_multi_wakeup(t->multi) != CURLM_OK)
        return kube_error_set(err, KUBE_ERR_TRANSPORT,
                              "cannot make a client: no file descriptor is left");
    kube__sockets_hide_wakeup(wake, t->multi);
    curl_multi_setopt(t->multi, CURLMOPT_MAXCONNECTS, (long)MAX_IDLE_CONNECTIONS);
    return KUBE_OK;
}

static void init_curl(void)
{
    /* Never undone: others in the process may use curl too, and its threads have no end. */
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        kube_log_error("libcurl cannot be initialised");
    kube__transport_watch_exit();
}

kube_code kube__transport_curl_new(const kube_config *config,
                                   const kube__transport_options *options, kube__transport **out,
                                   kube_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    kube__curl_transport *t = calloc(1, sizeof *t);
    kube_code rc;
    *out = NULL;
    if (!t)
        return kube__no_memory(err, "a transport");
    pthread_once(&once, init_curl);
    rc = kube__mutex_init(&t->mutex, err);
    if (rc) {
        free(t);
        return rc;
    }
    rc = kube__condition_init(&t->changed, err);
    if (rc) {
        kube__mutex_fini(&t->mutex);
        free(t);
        return rc;
    }
    t->base = (kube__transport){transport_start, transport_resume, transport_end, transport_free,
                                transport_set_fence};
    t->config = kube__config_ref(config);
    t->options = *options;
    t->sockets = kube__sockets_new();
    rc = t->sockets && kube__transport_connect_to(t->config, &t->connect_to)
             ? make_multi(t, err)
             : kube__no_memory(err, "a transport");
    if (!rc)
        rc = kube__tls_files_init(&t->files, t->config, err);
    if (!rc)
        rc = kube__thread_start(&t->thread, "kube-io", run, t, err);
    if (rc) {
        transport_free(&t->base);
        return rc;
    }
    kube__transport_enlist(t);
    *out = &t->base;
    return KUBE_OK;
}
