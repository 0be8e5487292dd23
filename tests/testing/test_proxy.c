/* SPDX-License-Identifier: Apache-2.0 */
/* The fault proxy between two sockets of the test. */
#include "support/suite.h"

#include <errno.h>
#include <kube/testing/proxy.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static kube_fault_proxy *proxy;
static kube_ctx *ctx;
static kube_error err;
static int listener; /* the server's */
static int client;   /* the ends of the one connection most cases have */
static int server;

/* ---- sockets -------------------------------------------------------------------------------- */

static struct sockaddr_in loopback(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int listen_anywhere(uint16_t *port)
{
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    ck_assert_int_eq(listen(fd, 64), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

/* -1 = refused. */
static int try_connect(uint16_t port)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ge(fd, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

static void open_client(void)
{
    client = try_connect(kube_fault_proxy_port(proxy));
    ck_assert_int_ge(client, 0);
}

static void open_both(void)
{
    open_client();
    server = accept(listener, NULL, NULL);
    ck_assert_int_ge(server, 0);
}

static void close_both(void)
{
    if (client >= 0)
        close(client);
    if (server >= 0)
        close(server);
    client = server = -1;
}

static void put(int fd, const char *text)
{
    ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

#define expect_text(fd, text)                                                                      \
    do {                                                                                           \
        char got[256] = "";                                                                        \
        ck_assert_int_eq(recv((fd), got, strlen(text), MSG_WAITALL), (ssize_t)strlen(text));       \
        ck_assert_str_eq(got, (text));                                                             \
    } while (0)

static void expect_end(int fd)
{
    char byte;
    ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
}

static void expect_reset(int fd)
{
    char byte;
    ck_assert_int_eq(recv(fd, &byte, 1, 0), -1);
    ck_assert_int_eq(errno, ECONNRESET);
}

static void expect_nothing(int fd)
{
    char byte;
    ck_assert_int_eq(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
    ck_assert(errno == EAGAIN || errno == EWOULDBLOCK);
}

/* ---- fixture -------------------------------------------------------------------------------- */

static void start(uint64_t seed)
{
    uint16_t port;
    listener = listen_anywhere(&port);
    ck_assert_int_eq(
        kube_fault_proxy_start(&(kube_fault_proxy_options){.target_port = port, .seed = seed},
                               &proxy, &err),
        KUBE_OK);
}

static void stop(void)
{
    close_both();
    kube_fault_proxy_stop(proxy);
    close(listener);
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    client = server = -1;
    start(7);
}

static void tear_down(void)
{
    stop();
    kube_ctx_free(ctx);
}

static void add(kube_wire_rule rule)
{
    ck_assert_msg(kube_fault_proxy_add_rule(proxy, &rule, &err) == KUBE_OK, "%s", err.message);
}

static void wait_for(kube_wire_fault_kind kind, uint64_t count)
{
    ck_assert_int_eq(kube_fault_proxy_wait_for_fault(proxy, ctx, kind, count, &err), KUBE_OK);
}

static kube_fault_proxy_stats stats(void)
{
    kube_fault_proxy_stats now;
    kube_fault_proxy_get_stats(proxy, &now);
    return now;
}

/* Its thread looks at all sockets once more: a wish that changes nothing is granted after that. */
static void take_a_turn(void)
{
    kube_fault_proxy_up(proxy);
}

/* ---- handing on ----------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(bytes_go_both_ways)
{
    open_both();
    put(client, "question");
    expect_text(server, "question");
    put(server, "answer");
    expect_text(client, "answer");
    ck_assert_uint_eq(stats().connections, 1);
    ck_assert_uint_eq(stats().bytes_to_server, 8);
    ck_assert_uint_eq(stats().bytes_to_client, 6);
}

TEST(an_end_is_passed_on_and_the_other_direction_goes_on)
{
    open_both();
    put(client, "question");
    shutdown(client, SHUT_WR);
    expect_text(server, "question");
    expect_end(server);
    put(server, "answer");
    close(server);
    server = -1;
    expect_text(client, "answer");
    expect_end(client);
}

TEST(a_reset_is_passed_on)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    open_both();
    put(client, "question");
    expect_text(server, "question");
    setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(client);
    client = -1;
    expect_reset(server);
}

enum { MANY = 8 * 1024 * 1024 };

static void *send_many(void *arg)
{
    static char bytes[64 * 1024];
    (void)arg;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 31);
    for (size_t sent = 0; sent < MANY; sent += sizeof bytes)
        ck_assert_int_eq(send(server, bytes, sizeof bytes, MSG_NOSIGNAL), sizeof bytes);
    close(server);
    return NULL;
}

/* More than all buffers on the way hold, to a reader that begins late. */
TEST(many_bytes_wait_for_their_reader)
{
    static char bytes[64 * 1024];
    pthread_t sender;
    size_t total = 0;
    ssize_t len;
    open_both();
    ck_assert_int_eq(pthread_create(&sender, NULL, send_many, NULL), 0);
    while ((len = recv(client, bytes, sizeof bytes, 0)) > 0) {
        for (ssize_t i = 0; i < len; i += 997)
            ck_assert_int_eq(bytes[i], (char)((total + (size_t)i) % sizeof bytes * 31));
        total += (size_t)len;
    }
    pthread_join(sender, NULL);
    server = -1;
    ck_assert_int_eq(len, 0);
    ck_assert_uint_eq(total, MANY);
}

TEST(a_server_that_is_not_there_is_a_reset)
{
    uint16_t port;
    int gone = listen_anywhere(&port);
    close(gone);
    kube_fault_proxy_set_target_port(proxy, port);
    open_client();
    expect_reset(client);
}

TEST(connections_lead_where_the_server_is_now)
{
    uint16_t port;
    int moved = listen_anywhere(&port);
    kube_fault_proxy_set_target_port(proxy, port);
    open_client();
    server = accept(moved, NULL, NULL);
    put(client, "x");
    expect_text(server, "x");
    close(moved);
}

/* ---- faults --------------------------------------------------------------------------------- */

TEST(refuse_closes_at_once)
{
    add((kube_wire_rule){.kind = KUBE_WIRE_REFUSE, .nth = 2});
    open_both();
    close_both();
    open_client();
    expect_end(client);
    wait_for(KUBE_WIRE_REFUSE, 1);
    close_both();
    open_both();
    put(client, "x");
    expect_text(server, "x");
    ck_assert_uint_eq(stats().faults[KUBE_WIRE_REFUSE], 1);
    ck_assert_uint_eq(stats().connections, 3);
}

TEST(reset_at_the_byte)
{
    add((kube_wire_rule){
        .kind = KUBE_WIRE_RESET, .direction = KUBE_WIRE_TO_SERVER, .after_bytes = 4});
    open_both();
    put(client, "1234");
    expect_text(server, "1234");
    put(server, "not counted");
    expect_text(client, "not counted");
    ck_assert_uint_eq(stats().faults[KUBE_WIRE_RESET], 0);
    put(client, "5");
    expect_reset(server);
    expect_reset(client);
    ck_assert_uint_eq(stats().faults[KUBE_WIRE_RESET], 1);
}

TEST(cut_at_the_byte)
{
    add((kube_wire_rule){
        .kind = KUBE_WIRE_CUT, .direction = KUBE_WIRE_TO_CLIENT, .after_bytes = 5});
    open_both();
    put(client, "question");
    expect_text(server, "question");
    put(server, "12345678");
    expect_text(client, "12345");
    expect_end(client);
    expect_end(server);
    ck_assert_uint_eq(stats().bytes_to_client, 5);
}

/* What was sent before the cut arrives although the other end goes on talking. */
TEST(a_cut_loses_nothing_that_came_before_it)
{
    add((kube_wire_rule){
        .kind = KUBE_WIRE_CUT, .direction = KUBE_WIRE_TO_CLIENT, .after_bytes = 3});
    open_both();
    put(server, "123x");
    wait_for(KUBE_WIRE_CUT, 1);
    put(client, "still here");
    expect_text(client, "123");
    expect_end(client);
}

TEST(a_half_closed_direction_ends_alone)
{
    add((kube_wire_rule){
        .kind = KUBE_WIRE_HALF_CLOSE, .direction = KUBE_WIRE_TO_CLIENT, .after_bytes = 2});
    open_both();
    put(server, "123");
    expect_text(client, "12");
    expect_end(client);
    put(server, "more that nobody sees");
    put(client, "question");
    expect_text(server, "question");
    expect_nothing(server);
}

TEST(stall_holds_a_direction_and_keeps_it_open)
{
    add((kube_wire_rule){
        .kind = KUBE_WIRE_STALL, .direction = KUBE_WIRE_TO_CLIENT, .after_bytes = 3});
    open_both();
    put(server, "12345");
    expect_text(client, "123");
    wait_for(KUBE_WIRE_STALL, 1);
    put(client, "question");
    expect_text(server, "question");
    put(server, "67");
    expect_nothing(client);
    ck_assert_uint_eq(stats().open, 1);
}

TEST(a_stall_of_both_stops_both)
{
    add((kube_wire_rule){.kind = KUBE_WIRE_STALL, .after_bytes = 3});
    open_both();
    put(server, "1234");
    wait_for(KUBE_WIRE_STALL, 1);
    put(client, "1");
    expect_text(client, "123");
    take_a_turn();
    expect_nothing(server);
    expect_nothing(client);
}

static int64_t now_ms(void)
{
    const kube_clock *clock = kube_clock_system();
    return clock->now_ns(clock) / 1000000;
}

/* Lower bounds only: how much longer it takes is the machine's business. */
TEST(slow_takes_its_time)
{
    char bytes[4000] = {0};
    int64_t begin;
    add((kube_wire_rule){
        .kind = KUBE_WIRE_SLOW, .direction = KUBE_WIRE_TO_SERVER, .bytes_per_second = 20000});
    open_both();
    begin = now_ms();
    ck_assert_int_eq(send(client, bytes, sizeof bytes, 0), sizeof bytes);
    ck_assert_int_eq(recv(server, bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
    ck_assert_int_ge(now_ms() - begin, 90);
    put(server, "the other direction is not slow");
    expect_text(client, "the other direction is not slow");
    ck_assert_uint_eq(stats().faults[KUBE_WIRE_SLOW], 1);
}

TEST(delay_holds_each_piece_back)
{
    int64_t begin;
    add((kube_wire_rule){.kind = KUBE_WIRE_DELAY, .delay_ms = 40});
    open_both();
    begin = now_ms();
    put(client, "question");
    expect_text(server, "question");
    put(server, "answer");
    expect_text(client, "answer");
    ck_assert_int_ge(now_ms() - begin, 80);
    ck_assert_uint_eq(stats().faults[KUBE_WIRE_DELAY], 1);
}

TEST(a_black_hole_takes_nothing_and_tells_nobody)
{
    add((kube_wire_rule){.kind = KUBE_WIRE_BLACK_HOLE, .times = 1});
    open_client();
    put(client, "question");
    wait_for(KUBE_WIRE_BLACK_HOLE, 1);
    server = try_connect(kube_fault_proxy_port(proxy)); /* the second comes through */
    ck_assert_int_ge(server, 0);
    close(accept(listener, NULL, NULL));
    expect_end(server);
    expect_nothing(client);
    ck_assert_uint_eq(stats().bytes_to_server, 0);
}

/* ---- rules ---------------------------------------------------------------------------------- */

TEST(the_first_rule_whose_turn_it_is_takes_the_connection)
{
    add((kube_wire_rule){.kind = KUBE_WIRE_REFUSE, .nth = 2});
    add((kube_wire_rule){.kind = KUBE_WIRE_RESET, .times = 1});
    open_both();
    put(client, "x");
    expect_reset(client);
    close_both();
    open_client();
    expect_end(client);
    close_both();
    open_both();
    put(client, "x");
    expect_text(server, "x");
}

static unsigned refused_of_20(void)
{
    unsigned bits = 0;
    add((kube_wire_rule){.kind = KUBE_WIRE_REFUSE, .probability = 0.5});
    for (int i = 0; i < 20; i++) {
        uint64_t refused = stats().faults[KUBE_WIRE_REFUSE];
        char byte;
        open_client();
        shutdown(client, SHUT_WR);
        while (stats().connections == (uint64_t)i)
            take_a_turn();
        bits = bits << 1 | (stats().faults[KUBE_WIRE_REFUSE] > refused);
        if (!(bits & 1))
            close(accept(listener, NULL, NULL));
        ck_assert_int_eq(recv(client, &byte, 1, 0), 0);
        close_both();
    }
    return bits;
}

TEST(the_same_seed_makes_the_same_choice)
{
    unsigned first = refused_of_20();
    unsigned second;
    stop();
    start(7);
    ck_assert_uint_eq(kube_fault_proxy_seed(proxy), 7);
    second = refused_of_20();
    ck_assert_uint_eq(first, second);
    stop();
    start(8);
    ck_assert_uint_ne(refused_of_20(), first);
}

TEST(the_byte_of_a_cut_can_be_drawn)
{
    bool differ = false;
    uint64_t before = 0;
    add((kube_wire_rule){.kind = KUBE_WIRE_CUT,
                         .direction = KUBE_WIRE_TO_CLIENT,
                         .after_bytes = 10,
                         .after_bytes_spread = 90});
    for (unsigned i = 1; i <= 8; i++) {
        char bytes[200] = {0};
        ssize_t len;
        open_both();
        ck_assert_int_eq(send(server, bytes, sizeof bytes, MSG_NOSIGNAL), sizeof bytes);
        len = recv(client, bytes, sizeof bytes, MSG_WAITALL);
        ck_assert_int_ge(len, 10);
        ck_assert_int_le(len, 100);
        differ = differ || (i > 1 && (uint64_t)len != before);
        before = (uint64_t)len;
        close_both();
    }
    ck_assert(differ);
}

TEST(cleared_rules_leave_open_connections_their_fault)
{
    add((kube_wire_rule){.kind = KUBE_WIRE_CUT, .direction = KUBE_WIRE_TO_SERVER});
    open_both();
    kube_fault_proxy_clear_rules(proxy);
    put(client, "x");
    expect_end(server);
    close_both();
    open_both();
    put(client, "x");
    expect_text(server, "x");
}

TEST(healing_ends_what_has_a_fault_and_nothing_else)
{
    int good_client;
    int good_server;
    open_both();
    put(client, "x");
    expect_text(server, "x");
    good_client = client;
    good_server = server;
    add((kube_wire_rule){.kind = KUBE_WIRE_STALL});
    open_both();
    put(client, "x");
    wait_for(KUBE_WIRE_STALL, 1);
    kube_fault_proxy_heal(proxy);
    expect_end(server);
    close_both();
    client = good_client;
    server = good_server;
    put(server, "y");
    expect_text(client, "y");
}

TEST(rules_without_meaning_are_refused)
{
    const kube_wire_rule bad[] = {
        {.kind = KUBE_WIRE_KIND_COUNT_},
        {.direction = (kube_wire_direction)3},
        {.probability = 2},
        {.delay_ms = -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(kube_fault_proxy_add_rule(proxy, &bad[i], &err), KUBE_ERR_ARGUMENT);
}

/* ---- the whole ------------------------------------------------------------------------------ */

TEST(down_refuses_and_ends_and_up_listens_on_the_same_port)
{
    open_both();
    put(client, "x");
    expect_text(server, "x");
    kube_fault_proxy_down(proxy);
    expect_end(client);
    expect_end(server);
    ck_assert_int_lt(try_connect(kube_fault_proxy_port(proxy)), 0);
    ck_assert_int_eq(errno, ECONNREFUSED);
    kube_fault_proxy_down(proxy); /* again: nothing */
    close_both();
    kube_fault_proxy_up(proxy);
    open_both();
    put(client, "y");
    expect_text(server, "y");
}

TEST(all_connections_can_be_ended)
{
    open_both();
    put(client, "x");
    expect_text(server, "x");
    kube_fault_proxy_end_connections(proxy);
    expect_end(client);
    expect_end(server);
    close_both();
    open_both();
    put(client, "y");
    expect_text(server, "y");
}

TEST(waiting_for_a_fault_ends_with_the_ctx)
{
    kube_ctx_set_timeout_ms(ctx, 1);
    ck_assert_int_eq(kube_fault_proxy_wait_for_fault(proxy, ctx, KUBE_WIRE_CUT, 1, &err),
                     KUBE_ERR_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(err.message, "cut of connections: 0 of 1"));
}

TEST(a_stop_with_faults_under_way_joins)
{
    int holes[5];
    add((kube_wire_rule){.kind = KUBE_WIRE_BLACK_HOLE, .times = 5});
    add((kube_wire_rule){.kind = KUBE_WIRE_SLOW, .bytes_per_second = 1});
    for (int i = 0; i < 5; i++)
        holes[i] = try_connect(kube_fault_proxy_port(proxy));
    open_both();
    put(client, "for five seconds");
    wait_for(KUBE_WIRE_SLOW, 1);
    stop();
    for (int i = 0; i < 5; i++)
        close(holes[i]);
    start(7);
}

TEST(an_unknown_host_is_an_error)
{
    const kube_fault_proxy_options options = {.target_host = "no host", .target_port = 1};
    kube_fault_proxy *none;
    ck_assert_int_eq(kube_fault_proxy_start(&options, &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
    ck_assert_ptr_nonnull(strstr(err.message, "no host"));
}

TEST(a_target_has_to_be_named)
{
    kube_fault_proxy *none = proxy;
    ck_assert_int_eq(kube_fault_proxy_start(NULL, &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
    ck_assert_str_eq(err.message, "fault proxy: no options, which have to name a target_port");
    none = proxy;
    ck_assert_int_eq(kube_fault_proxy_start(&(kube_fault_proxy_options){.seed = 7}, &none, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
    ck_assert_str_eq(err.message, "fault proxy: target_port is not set");
}

TEST(a_port_that_is_taken_is_an_error)
{
    const kube_fault_proxy_options options = {.target_port = 1,
                                              .port = kube_fault_proxy_port(proxy)};
    kube_fault_proxy *none;
    ck_assert_int_eq(kube_fault_proxy_start(&options, &none, &err), KUBE_ERR_TRANSPORT);
    ck_assert_ptr_null(none);
}

/* Changes of rules while connections come and go, for the sanitizers. */
static void *keep_connecting(void *arg)
{
    atomic_bool *stopped = arg;
    while (!atomic_load(stopped)) {
        int fd = try_connect(kube_fault_proxy_port(proxy));
        char byte;
        if (fd < 0)
            continue;
        (void)!send(fd, "x", 1, MSG_NOSIGNAL);
        (void)!recv(fd, &byte, 1, 0);
        close(fd);
    }
    return NULL;
}

static void *keep_accepting(void *arg)
{
    int fd;
    (void)arg;
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        char byte;
        (void)!recv(fd, &byte, 1, 0);
        close(fd);
    }
    return NULL;
}

TEST(everything_can_change_while_connections_come_and_go)
{
    atomic_bool stopped = false;
    pthread_t connecting;
    pthread_t accepting;
    ck_assert_int_eq(pthread_create(&accepting, NULL, keep_accepting, NULL), 0);
    ck_assert_int_eq(pthread_create(&connecting, NULL, keep_connecting, &stopped), 0);
    for (int i = 0; i < 50; i++) {
        add((kube_wire_rule){.kind = (kube_wire_fault_kind)(i % KUBE_WIRE_KIND_COUNT_),
                             .probability = 0.5,
                             .delay_ms = 1});
        if (i % 3 == 0)
            kube_fault_proxy_down(proxy);
        kube_fault_proxy_up(proxy);
        kube_fault_proxy_heal(proxy);
    }
    atomic_store(&stopped, true);
    kube_fault_proxy_down(proxy);
    pthread_join(connecting, NULL);
    shutdown(listener, SHUT_RDWR);
    pthread_join(accepting, NULL);
}

TEST(every_kind_has_a_name)
{
    for (int i = 0; i < KUBE_WIRE_KIND_COUNT_; i++)
        ck_assert_uint_gt(strlen(kube_wire_fault_kind_name((kube_wire_fault_kind)i)), 0);
}
