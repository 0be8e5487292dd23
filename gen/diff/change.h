/* SPDX-License-Identifier: Apache-2.0 */
/* A change_list collects what differs between two states of an API, in the order it is found. */
#ifndef KUBEGEN_DIFF_CHANGE_H
#define KUBEGEN_DIFF_CHANGE_H

#include "rule.h"
#include "support/diag.h"
#include "support/text_list.h"

typedef struct change {
    rule_id rule;
    const char *subject; /* "networks.samplecrd.k8s.io/v1.spec.cidr" */
    const char *path;    /* the end of it: ".spec.cidr"; "" = the whole of it */
    const char *message;
    diag_loc was; /* no file = it was not there */
    diag_loc is;
    bool allowed;
} change;

typedef struct change_list {
    arena *in;
    VEC(change) found;
} change_list;

void change_list_free(change_list *list);

/* What a change is about: a CRD, a version of it or a field. */
typedef struct subject {
    const char *name; /* "networks.samplecrd.k8s.io", "networks.samplecrd.k8s.io/v1" */
    const char *path; /* "", ".spec.ports[*].name" */
    diag_loc was;
    diag_loc is;
} subject;

__attribute__((format(printf, 4, 5))) void
change_add(change_list *to, rule_id rule, const subject *about, const char *format, ...);

/*
 * Allows the changes that @pattern names: RULE, or RULE:PATH where PATH is that of the field or all
 * of the subject; '*' stands for anything. Returns false if it names none.
 */
bool change_allow(change_list *in, const char *pattern);
/* Says whether @pattern is a rule's name, or one with '*' that means some, alone or with a path. */
bool change_is_pattern(const char *pattern);
/* Returns how many changes there are of a severity that are @allowed, or are not. */
size_t change_count(const change_list *in, severity breaks, bool allowed);

#endif /* KUBEGEN_DIFF_CHANGE_H */
