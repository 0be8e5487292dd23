/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder on a server by script that notes what it was sent, and a log that is kept. */
#ifndef TESTS_CONTROL_RECORDER_WORLD_H
#define TESTS_CONTROL_RECORDER_WORLD_H

#include "support/http_server.h"
#include "support/suite.h"

#include <kube/recorder.h>
#include <kube/testing/clock.h>
#include <samplecrd/v1/register.h>

enum { LONG_MS = 60000 };
#define JSON "Content-Type: application/json\r\n"
#define STATUS(code, reason, details)                                                              \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" #code            \
    ",\"reason\":\"" reason "\",\"message\":\"no\"" details "}"

/* Made by set_up(), for each test anew. */
extern http_server *server;
extern kube_client *client;
extern kube_recorder *recorder;
extern kube_fake_clock *fake; /* of start_on_fake_clock() */
extern kube_error err;

void set_up(void);
void tear_down(void);

/* A client of the server; @options NULL = defaults. */
kube_client *make_client(const kube_client_options *options);
/* A recorder with these options in place of the one there is. */
void start(kube_recorder_options options);
void start_on_fake_clock(kube_recorder_options options);
/* Ends the recorder when it has sent everything. */
void flush(void);
void flush_and_free_clock(void);
/* Lets the sender's next pause pass and returns how long it was. */
int64_t pass_pause(void);
kube_recorder_stats stats(void);

samplecrd_v1_network network(const char *ns, const char *name);
/* Records a Normal event Synced about team/blue. */
void synced(const char *message);

/* Has the server say yes to so many further requests. */
void answer(int count);
/* The request of that number, from 0; waits for it. */
const char *request(size_t index);
void expect_part(const char *text, const char *part);

/* How often the log has @text. */
int logged(const char *text);
/* How many lines tell of a Normal event. */
int logged_events(void);

#endif /* TESTS_CONTROL_RECORDER_WORLD_H */
