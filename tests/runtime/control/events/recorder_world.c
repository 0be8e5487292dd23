/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder_world.h"

#include "base/thread.h"

#include <kube/log.h>
#include <stdio.h>
#include <string.h>

enum { LOG_MAX = 8192 };

http_server *server;
kube_client *client;
kube_recorder *recorder;
kube_fake_clock *fake;
kube_error err;

static kube__mutex log_mutex;
static char log_text[LOG_MAX];
static int event_lines;

static void keep_line(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    size_t used;
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    kube__lock(&log_mutex);
    event_lines += strncmp(message, "event Normal ", 13) == 0;
    used = strlen(log_text);
    snprintf(log_text + used, LOG_MAX - used, "%s\n", message);
    kube__unlock(&log_mutex);
}

int logged(const char *text)
{
    int count = 0;
    kube__lock(&log_mutex);
    for (const char *at = log_text; (at = strstr(at, text)) != NULL; at++)
        count++;
    kube__unlock(&log_mutex);
    return count;
}

int logged_events(void)
{
    int count;
    kube__lock(&log_mutex);
    count = event_lines;
    kube__unlock(&log_mutex);
    return count;
}

void start(kube_recorder_options options)
{
    kube_recorder_free(recorder, 0);
    options.component = "tester";
    ck_assert_int_eq(kube_recorder_new(client, &options, &recorder, &err), KUBE_OK);
}

kube_recorder_stats stats(void)
{
    kube_recorder_stats now;
    kube_recorder_get_stats(recorder, &now);
    return now;
}

kube_client *make_client(const kube_client_options *options)
{
    const kube_config_options config_options = {.master = http_server_url(server)};
    kube_config *config;
    kube_client *made;
    ck_assert_msg(!kube_config_load(&config_options, &config, &err), "%s", err.message);
    ck_assert_int_eq(kube_client_new(config, options, &made, &err), KUBE_OK);
    kube_config_free(config);
    return made;
}

void set_up(void)
{
    ck_assert_int_eq(kube__mutex_init(&log_mutex, NULL), KUBE_OK);
    log_text[0] = '\0';
    event_lines = 0;
    kube_log_set_sink(keep_line, NULL);
    server = http_server_start(NULL);
    client = make_client(NULL);
    recorder = NULL;
    start((kube_recorder_options){0});
}

void flush(void)
{
    kube_recorder_free(recorder, LONG_MS);
    recorder = NULL;
}

void tear_down(void)
{
    kube_recorder_free(recorder, 0);
    kube_client_free(client);
    http_server_free(server);
    kube_log_set_sink(NULL, NULL);
    kube__mutex_fini(&log_mutex);
}

samplecrd_v1_network network(const char *ns, const char *name)
{
    return (samplecrd_v1_network){
        .base = {.type = &samplecrd_v1_network_type},
        .metadata = {.name = name, .namespace_ = ns, .uid = "u-1", .resource_version = "7"},
    };
}

void synced(const char *message)
{
    const samplecrd_v1_network blue = network("team", "blue");
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "%s", message);
}

void answer(int count)
{
    for (int i = 0; i < count; i++)
        http_server_reply_json(server, "{}");
}

const char *request(size_t index)
{
    http_server_wait(server, index + 1);
    return http_server_request(server, index);
}

void expect_part(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no %s in %s", part, text);
}

void start_on_fake_clock(kube_recorder_options options)
{
    fake = kube_fake_clock_new();
    ck_assert_ptr_nonnull(fake);
    options.clock = kube_fake_clock_clock(fake);
    start(options);
}

void flush_and_free_clock(void)
{
    flush();
    kube_fake_clock_free(fake);
}

int64_t pass_pause(void)
{
    int64_t ms;
    kube_fake_clock_wait_for_waiters(fake, 1);
    ms = kube_fake_clock_next_ms(fake);
    kube_fake_clock_advance_ms(fake, ms);
    return ms;
}
