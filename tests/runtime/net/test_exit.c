/* SPDX-License-Identifier: Apache-2.0 */
/* A process may end at any moment, whatever its clients do just then. */
#include "net_kit.h"
#include "support/child.h"
#include "support/pki.h"

#include <stdio.h>

TEST(a_process_with_a_live_client_ends_well)
{
    pki_pair ca = pki_ca("the authority");
    pki_pair leaf = pki_issue(&ca, "server", "IP:127.0.0.1", 1);
    const http_server_options options = {.certificate = leaf.certificate, .key = leaf.key};
    http_server *server = http_server_start(&options);
    for (int i = 0; i < 60; i++) {
        char wait[16];
        const char *const arguments[] = {EXIT_EARLY, http_server_url(server), wait, NULL};
        child *c;
        snprintf(wait, sizeof wait, "%d", i * 200);
        c = child_start(arguments, "exit_early.log");
        ck_assert_msg(child_wait(c) == 7, "after %s us: %d: %s", wait, child_wait(c),
                      child_output(c));
        child_free(c);
    }
    http_server_free(server);
    pki_free(&leaf);
    pki_free(&ca);
}
