/* SPDX-License-Identifier: Apache-2.0 */
/* A server that goes back, as after a restore of its etcd from a backup (REF-18): how it is
 * noticed, and what follows. */
#include "base/text.h"
#include "base/units.h"
#include "reflector_state.h"

#include <stdio.h>
#include <string.h>

enum {
    VERIFY_WAIT_MS = 10000,  /* for the answer */
    VERIFY_AGAIN_MS = 60000, /* if there was none */
};

static bool is_number(const char *version)
{
    return *version >= '1' && *version <= '9' && strspn(version, "0123456789") == strlen(version);
}

/* Versions of Kubernetes' own servers are numbers that grow. Of others nothing is known, so they
 * are never older. */
bool kube__reflector_is_behind_us(const kube__reflector *r, const char *version)
{
    size_t seen_len;
    size_t len;
    if (!r->version || r->went_back || !is_number(r->version) || !is_number(version))
        return false;
    seen_len = strlen(r->version);
    len = strlen(version);
    return len != seen_len ? len < seen_len : strcmp(version, r->version) < 0;
}

kube__reflector_state kube__reflector_go_back(kube__reflector *r, const char *version)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_SERVER,
                   "the server has gone back from resourceVersion %s to %s, as after a restore of "
                   "its etcd: all is listed anew",
                   r->version, version);
    r->went_back = true;
    r->unavailable = true;
    return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
}

/* Reads one item of a list to its end, for the list's version. */
static kube_code ask_version(kube__reflector *r, char *version, size_t size, kube_error *err)
{
    kube__list_watch *source = r->options.source;
    kube__result_stream_options options = kube__reflector_list_options(r);
    kube__result_stream *results = NULL;
    const kube_list_meta *metadata;
    size_t count;
    kube_code rc;
    options.list.limit = 1;
    options.list.resource_version = "";
    kube_ctx_reset(r->turn);
    kube_ctx_set_timeout_ms(r->turn, VERIFY_WAIT_MS);
    rc = source->open(source, r->turn, &options, &results, err);
    if (rc)
        return rc;
    do {
        rc = source->next(results, r->turn, r->events, KUBE__REFLECTOR_BATCH, &count, err);
        for (size_t i = 0; i < count; i++)
            kube__result_stream_event_fini(&r->events[i]);
    } while (!rc);
    metadata = rc == KUBE_ERR_CLOSED ? source->list_meta(results) : NULL;
    snprintf(version, size, "%s", metadata ? kube__text_or_empty(metadata->resource_version) : "");
    source->close(results);
    return rc == KUBE_ERR_CLOSED ? KUBE_OK : rc;
}

/*
 * A server whose etcd was restored from a backup takes a watch from a version that it has not
 * reached yet, and says nothing until it has: not an event, not a bookmark. So after a lost
 * connection silence is a reason to ask (REF-18).
 */
kube__reflector_state kube__reflector_verify(kube__reflector *r)
{
    char version[64];
    kube_error err;
    r->verify_ns = 0;
    if (ask_version(r, version, sizeof version, &err)) {
        r->verify_ns = kube__reflector_now_ns(r) + VERIFY_AGAIN_MS * KUBE__NS_PER_MS;
        kube_log_debug("%s: asking for the server's version failed: %s", r->options.type->resource,
                       err.message);
        return KUBE__REFLECTOR_WATCH_READ;
    }
    return kube__reflector_is_behind_us(r, version) ? kube__reflector_go_back(r, version)
                                                    : KUBE__REFLECTOR_WATCH_READ;
}
