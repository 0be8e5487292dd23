/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <signal.h>
#include <string.h>

typedef struct facts {
    char name[32];
    sigset_t blocked;
} facts;

static void *look_around(void *arg)
{
    facts *f = arg;
    pthread_getname_np(pthread_self(), f->name, sizeof f->name);
    pthread_sigmask(SIG_SETMASK, NULL, &f->blocked);
    return NULL;
}

TEST(thread_has_its_name_cut_to_what_the_system_takes)
{
    facts f;
    kube__thread thread;
    ck_assert_int_eq(kube__thread_start(&thread, "kube-inf-network", look_around, &f, NULL),
                     KUBE_OK);
    kube__thread_join(&thread);
    ck_assert_str_eq(f.name, "kube-inf-networ");
}

TEST(thread_takes_no_signal_but_faults)
{
    facts f;
    kube__thread thread;
    sigset_t mine;
    ck_assert_int_eq(kube__thread_start(&thread, "kube-net", look_around, &f, NULL), KUBE_OK);
    kube__thread_join(&thread);
    ck_assert_str_eq(f.name, "kube-net");
    ck_assert_int_eq(sigismember(&f.blocked, SIGINT), 1);
    ck_assert_int_eq(sigismember(&f.blocked, SIGTERM), 1);
    ck_assert_int_eq(sigismember(&f.blocked, SIGPIPE), 1);
    ck_assert_int_eq(sigismember(&f.blocked, SIGHUP), 1);
    ck_assert_int_eq(sigismember(&f.blocked, SIGSEGV), 0);
    ck_assert_int_eq(sigismember(&f.blocked, SIGABRT), 0);
    /* The caller's own are as before. */
    pthread_sigmask(SIG_SETMASK, NULL, &mine);
    ck_assert_int_eq(sigismember(&mine, SIGINT), 0);
}

TEST(a_thread_for_functions_of_the_program_takes_signals_as_its_creator)
{
    facts f;
    kube__thread thread;
    sigset_t mine;
    pthread_sigmask(SIG_SETMASK, NULL, &mine);
    ck_assert_int_eq(kube__thread_start_open(&thread, "kube-work", look_around, &f, NULL), KUBE_OK);
    kube__thread_join(&thread);
    ck_assert_int_eq(sigismember(&f.blocked, SIGTERM), sigismember(&mine, SIGTERM));
    ck_assert_int_eq(sigismember(&f.blocked, SIGPIPE), sigismember(&mine, SIGPIPE));
    ck_assert_int_eq(sigismember(&f.blocked, SIGUSR2), sigismember(&mine, SIGUSR2));
}

TEST(join_may_be_called_again_and_without_a_thread)
{
    facts f;
    kube__thread thread = {0};
    kube__thread_join(&thread);
    ck_assert_int_eq(kube__thread_start(&thread, "t", look_around, &f, NULL), KUBE_OK);
    kube__thread_join(&thread);
    kube__thread_join(&thread);
    ck_assert(!thread.started);
}

TEST(want_of_memory_is_reported)
{
    facts f;
    kube__thread thread;
    kube_error err;
    fail_malloc_at(1);
    ck_assert_int_eq(kube__thread_start(&thread, "t", look_around, &f, &err), KUBE_ERR_NO_MEMORY);
    fail_malloc_off();
    ck_assert(!thread.started);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot make a thread"));
    kube__thread_join(&thread);
}
