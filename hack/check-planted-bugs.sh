#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether the tests can fail: plants one bug after another into a copy of the tree and wants a test
# to notice. Says for each which test did; fails when none did, when a bug no longer fits the source,
# or when a test fails without any.
#
#   hack/check-planted-bugs.sh [WORD…]    all bugs, or those with one of the words in their names
#   hack/check-planted-bugs.sh --fit      plants none: whether each still fits the source
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-bugs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tree=$work/tree
build=$work/build
seconds=15 # a planted bug may make a test wait for ever; that counts as noticed
names=() files=() olds=() news=() tests=()

die() {
    printf 'check-planted-bugs: %s\n' "$*" >&2
    exit 1
}

# bug NAME FILE OLD NEW TEST…: in FILE, where OLD stands once, NEW is the bug.
bug() {
    names+=("$1")
    files+=("$2")
    olds+=("$3")
    news+=("$4")
    shift 4
    tests+=("$*")
}

# ---- the bugs --------------------------------------------------------------------------------

bug 'a watch ignores that its version has expired (410)' runtime/src/cache/reflector_watch.c \
    '    if (may_retry_internal_error(r, err))
        return KUBE__REFLECTOR_WATCH_OPEN;
    return kube__reflector_back_off(r, err, KUBE__REFLECTOR_START);' \
    '    return kube__reflector_back_off(r, err, KUBE__REFLECTOR_WATCH_OPEN);' \
    test_reflector_list test_streaming_list

bug 'a list that expired (410) is asked for again in the same version' \
    runtime/src/cache/reflector_list.c \
    'kube__set_text(&r->ask_version, ""))
            return' \
    'kube__set_text(&r->ask_version, r->ask_version))
            return' \
    test_reflector_list test_streaming_list

bug 'a new list loses the deletes' runtime/src/cache/store.c \
    '            kube__batch_add(batch, (kube__change){.old_object = object});' \
    '            kube_object_unref(object);' \
    test_store

bug 'a refused connection leads to a new list' runtime/src/cache/reflector_watch.c \
    'bool same = kube__is_reopenable(&err);' \
    'bool same = false;' \
    test_reflector_watch

bug 'a failed round is tried again without a wait' runtime/src/cache/reflector_state.c \
    'r->backoff_until_ns = now + delay * KUBE__NS_PER_MS;' \
    'r->backoff_until_ns = now;' \
    test_backoff test_reflector

bug 'a late handler is not told what is cached' runtime/src/cache/informer.c \
    '    if (atomic_load(&informer->synced))
        rc = kube__store_snapshot' \
    '    if (false)
        rc = kube__store_snapshot' \
    test_informer

bug 'a byte is missed at each border of chunks' runtime/src/object/stream/stream_unit.c \
    ': s->len;
    s->ended' \
    ': s->len + 1;
    s->ended' \
    test_object_stream

bug 'what was searched is not moved along with the buffer' runtime/src/object/stream/stream.c \
    '        s->searched -= s->searched < s->at ? s->searched : s->at;' \
    '' \
    test_object_stream

bug 'a string across a border of blocks is forgotten' runtime/src/object/stream/extent.c \
    'inside >> 63 ? ~UINT64_C(0) : 0' \
    '0' \
    test_object_stream

bug 'an unknown member is dropped in silence' runtime/src/object/codec/decode_member.c \
    '        note_loss(d, known);' \
    '        (void)known;' \
    test_object_decode

bug 'an object that was replaced is never given back' runtime/src/cache/batch.c \
    '        kube_object_unref(batch->items[i].old_object);
' \
    '' \
    test_store

bug 'an object is given back twice' runtime/src/cache/batch.c \
    '        kube_object_unref(batch->items[i].old_object);' \
    '        kube_object_unref(batch->items[i].old_object);
        kube_object_unref(batch->items[i].old_object);' \
    test_store

bug 'a key added while it is processed is lost' runtime/src/control/queue/workqueue.c \
    '            push(queue, e);
        } else {' \
    '        } else {' \
    test_workqueue

bug 'two workers get the same key' runtime/src/control/queue/workqueue.c \
    '    if (e->processing)
        queue->again++;
    else
        push(queue, e);' \
    '    push(queue, e);' \
    test_workqueue

bug 'a delayed key is postponed by a later delay' runtime/src/control/queue/workqueue.c \
    '    } else if (ready_ns >= queue->heap[index].ready_ns) {
        return true;
    }' \
    '    }' \
    test_workqueue

bug 'a retry fires although the key has run meanwhile' runtime/src/control/queue/workqueue.c \
    '    if (e->heap_place)
        heap_remove(queue, e); /* now is earlier */
' \
    '' \
    test_workqueue

bug 'what is listed comes before what happens' runtime/src/control/controller/source.c \
    'is_resync ? KUBE_PRIORITY_LOW' \
    'is_resync ? KUBE_PRIORITY_NORMAL' \
    test_controller_unit

bug 'what happens to a stopped controller is forgotten' runtime/src/control/controller/source.c \
    '        missed = kube__missed_new(change);
    if (missed)
        kube__missed_put(&source->missed, missed, true);' \
    '        missed = kube__missed_new(change);
    kube__missed_free(missed);' \
    test_controller_life

bug 'a change whose mapping fails is lost' runtime/src/control/controller/source.c \
    '    hold_failed(source, missed, true);
}' \
    '    kube__missed_free(missed);
}' \
    test_source

bug 'a failed reconcile is tried again without a wait' runtime/src/control/controller/run.c \
    'kube_workqueue_add_after(queue, key, retry_ms(run), &err)' \
    'kube_workqueue_add(queue, key, &err)' \
    test_controller_unit

bug 'a resync hides why an object has to be looked at' runtime/src/control/controller/reason.c \
    '    return e->what == KUBE_REASON_RESYNC ? 0 : 2;' \
    '    return 2;' \
    test_controller_unit test_reason

bug 'the owner that an object had before is not told' runtime/src/control/controller/source.c \
    '    rc = emit_keys(m, change->old_object, &err);' \
    '    rc = KUBE_OK;' \
    test_source

bug 'a key whose run was interrupted is lost' runtime/src/control/controller/run.c \
    'return kube_workqueue_add(run->controller->queue, run->request.key, err);' \
    'return KUBE_OK;' \
    test_controller_life

bug 'a repeated event is made anew' runtime/src/control/events/event_correlator.c \
    '        event->count = s->count;
        event->first_ns' \
    '        event->first_ns' \
    test_event_correlator test_recorder

bug 'the last event of a term is left to a fence that has closed' runtime/src/control/election/elector.c \
    '    if (!lost)
        send_events(elector);' \
    '' \
    test_elector

bug 'a lease that another has by now is given back' runtime/src/control/election/elector_lease.c \
    '    if (!kube__elector_is_ours(elector, elector->lease))
        return KUBE_OK;' \
    '' \
    test_elector_end

bug 'a renewal counts from its answer' runtime/src/control/election/elector_lease.c \
    'kube__fence_open_until(elector->fence, begun + elector->renew_ns, asleep);' \
    'kube__fence_open_until(elector->fence, elector->observed_ns + elector->renew_ns - asleep,
                                   asleep + 0 * begun);' \
    test_elector_end

bug 'writes pass a closed fence' runtime/src/net/client/request.c \
    'http.fenced = client->fence && strcmp(request->method, "GET") != 0;' \
    'http.fenced = false;' \
    test_net_fence

bug 'a write goes on when the fence closes under it' runtime/src/net/transport/transport_fence.c \
    '    if (!t->fence || kube__fence_is_open(t->fence))
        return;' \
    '    if (t->running)
        return;' \
    test_net_fence

# The soak finds them in the whole: controller, cache, client, network and server.
export KUBEGEN_SOAK_SEEDS=60 # a seed has many faults: these bugs are found by one of the first

bug 'soak: a watch ignores that its version has expired (410)' \
    runtime/src/cache/reflector_watch.c \
    '    if (may_retry_internal_error(r, err))
        return KUBE__REFLECTOR_WATCH_OPEN;
    return kube__reflector_back_off(r, err, KUBE__REFLECTOR_START);' \
    '    return kube__reflector_back_off(r, err, KUBE__REFLECTOR_WATCH_OPEN);' \
    test_soak

bug 'soak: a new list loses the deletes' runtime/src/cache/store.c \
    '            kube__batch_add(batch, (kube__change){.old_object = object});' \
    '            kube_object_unref(object);' \
    test_soak

bug 'soak: the version is one ahead of the last event' runtime/src/cache/reflector_watch.c \
    '    char *copy = version ? strdup(version) : NULL;' \
    '    char *copy = version ? strdup(version) : NULL;
    if (copy && copy[strlen(copy) - 1] < "9"[0])
        copy[strlen(copy) - 1]++;' \
    test_soak

bug 'soak: a watch that ended is not opened again' runtime/src/cache/reflector_watch.c \
    '        if (r->short_feeds <= SHORT_FEEDS_MAX)
            return KUBE__REFLECTOR_WATCH_OPEN;' \
    '        if (r->short_feeds <= SHORT_FEEDS_MAX)
            return code == KUBE_ERR_CLOSED ? KUBE__REFLECTOR_STOPPED : KUBE__REFLECTOR_WATCH_OPEN;' \
    test_soak

# ---- planting them ---------------------------------------------------------------------------

selected() {
    [ $# -gt 1 ] || return 0
    local name=$1 word
    shift
    for word; do
        [[ $name != *"$word"* ]] || return 0
    done
    return 1
}

# find_place FILE OLD: sets head and tail to what stands around OLD in FILE. There is exactly one
# place, or the bug is out of date.
find_place() {
    local text
    text=$(cat "$1" && printf x)
    text=${text%x}
    head=${text%%"$2"*}
    [ "$head" != "$text" ] || die "$1 no longer has: $2"
    tail=${text:$((${#head} + ${#2}))}
    [[ $tail != *"$2"* ]] || die "$1 has more than once: $2"
}

# plant FILE OLD NEW
plant() {
    find_place "$tree/$1" "$2"
    printf '%s' "$head$3$tail" >"$tree/$1"
}

compile() {
    # shellcheck disable=SC2086 # words
    ninja -C "$build" --quiet $1 >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log" >&2
        die "$2 does not build"
    }
}

passes() {
    ctest --test-dir "$build" -R "^$1\$" --no-tests=error --output-on-failure \
        >"$work/test.log" 2>&1
}

if [ "${1-}" = --fit ]; then
    status=0
    for i in "${!names[@]}"; do
        (find_place "${files[i]}" "${olds[i]}") || status=1
    done
    exit $status
fi

chosen=() needed=''
for i in "${!names[@]}"; do
    if selected "${names[i]}" "$@"; then
        chosen+=("$i")
        needed+=" ${tests[i]}"
    fi
done
[ ${#chosen[@]} -gt 0 ] || die "no such bug: $*"
needed=$(printf '%s\n' $needed | sort -u | tr '\n' ' ')

mkdir "$tree"
tar -cf - --exclude=./.git --exclude=./build . | tar -xf - -C "$tree"
plant hack/cmake/KubegenTest.cmake 'set(arg_TIMEOUT 120)' "set(arg_TIMEOUT $seconds)"
# With the address sanitizer, what is not given back, or used after, fails as well. Bugs may leave
# something unused, which is no error here.
cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 \
    -DKUBEGEN_SANITIZE=address -DKUBEGEN_WERROR=OFF -DKUBEGEN_BUILD_EXAMPLES=OFF \
    >"$work/cmake.log" 2>&1 || {
    cat "$work/cmake.log" >&2
    exit 1
}
compile "$needed" "the tree"
for test in $needed; do
    passes "$test" || {
        cat "$work/test.log" >&2
        die "$test fails without a bug"
    }
done

missed=0
for i in "${chosen[@]}"; do
    cp -- "$tree/${files[i]}" "$work/original"
    plant "${files[i]}" "${olds[i]}" "${news[i]}"
    compile "${tests[i]}" "${names[i]}"
    caught=''
    for test in ${tests[i]}; do
        if ! passes "$test"; then
            caught=$test
            break
        fi
    done
    if [ -n "$caught" ]; then
        printf '%s: caught by %s\n' "${names[i]}" "$caught"
    else
        printf '%s: NOT CAUGHT\n' "${names[i]}"
        missed=$((missed + 1))
    fi
    cp -- "$work/original" "$tree/${files[i]}"
done
[ "$missed" -eq 0 ] || die "$missed of ${#chosen[@]} bugs were not caught"
