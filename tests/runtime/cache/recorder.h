/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that writes down what it is told: "add a@1 initial", "update a@1 a@2", "delete a@2",
 * "delete a@2 tombstone". */
#ifndef TESTS_CACHE_RECORDER_H
#define TESTS_CACHE_RECORDER_H

#include <kube/informer.h>

typedef struct recorder recorder;

recorder *recorder_new(void);
void recorder_free(recorder *r);
extern const kube_handler recorder_handler; /* its arg is the recorder */
/* Adds it to @informer. */
kube_registration *recorder_register(recorder *r, kube_informer *informer);
kube_registration *recorder_register_with(recorder *r, kube_informer *informer,
                                          const kube_handler_options *options);
/* Waits until @count lines have come in all. */
void recorder_wait(recorder *r, size_t count);
/* Waits until the lines so far end with @text. */
void recorder_wait_for(recorder *r, const char *text);
size_t recorder_count(recorder *r);
/* The lines so far, joined by ", "; valid until the next call. */
const char *recorder_text(recorder *r);
/* From the next callback on, callbacks wait inside; the first of them is waited for. */
void recorder_hold(recorder *r);
void recorder_wait_held(recorder *r);
void recorder_let_go(recorder *r);

#endif /* TESTS_CACHE_RECORDER_H */
