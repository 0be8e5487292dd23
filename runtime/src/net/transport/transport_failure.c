/* SPDX-License-Identifier: Apache-2.0 */
#include "transport_failure.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static kube__transport_failure describe_connect(long os_error)
{
    switch (os_error) {
    case ECONNREFUSED:
        return (kube__transport_failure){"ConnectionRefused", "connection refused"};
    case ETIMEDOUT:
        return (kube__transport_failure){"ConnectionTimedOut", "connection timed out"};
    case EHOSTUNREACH:
        return (kube__transport_failure){"Unreachable", "no route to host"};
    case ENETUNREACH:
        return (kube__transport_failure){"Unreachable", "network is unreachable"};
    case ECONNRESET:
        return (kube__transport_failure){"ConnectionReset", "connection reset"};
    case EMFILE:
    case ENFILE:
        return (kube__transport_failure){"Resources", "too many open files"};
    case ENOMEM:
    case ENOBUFS:
        return (kube__transport_failure){"Resources", "the system has no memory left"};
    default:
        return (kube__transport_failure){"Unreachable", NULL};
    }
}

static kube__transport_failure describe_loss(long os_error)
{
    if (os_error == ETIMEDOUT) {
        return (kube__transport_failure){"ConnectionTimedOut",
                                         "the connection is dead: the server acknowledges nothing"};
    }
    return (kube__transport_failure){"ConnectionReset", NULL};
}

/* What happened, in one word and, unless curl's own words are better, in a text. */
static kube__transport_failure describe(CURLcode result, long os_error)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return (kube__transport_failure){"NameResolution", NULL};
    case CURLE_COULDNT_CONNECT:
        return describe_connect(os_error);
    case CURLE_OPERATION_TIMEDOUT:
        return (kube__transport_failure){"ConnectionTimedOut", "no connection within 30 s"};
    case CURLE_PEER_FAILED_VERIFICATION:
        return (kube__transport_failure){"Certificate", NULL};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
        return (kube__transport_failure){"TLS", NULL};
    case CURLE_GOT_NOTHING:
        return (kube__transport_failure){"ConnectionClosed",
                                         "the server closed the connection without an answer"};
    case CURLE_SEND_FAIL_REWIND:
        return (kube__transport_failure){"ConnectionReset",
                                         "the connection was lost before the answer; the server "
                                         "may have carried out the request"};
    case CURLE_PARTIAL_FILE:
        return (kube__transport_failure){"Truncated", NULL};
    case CURLE_BAD_CONTENT_ENCODING:
        return (kube__transport_failure){"Transport", "the answer is said to be gzip, and is not"};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        return describe_loss(os_error);
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return (kube__transport_failure){"ConnectionReset", NULL};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return (kube__transport_failure){"NotHTTP", "the server does not speak HTTP"};
    default:
        return (kube__transport_failure){"Transport", NULL};
    }
}

static bool is_loss(CURLcode result)
{
    return result == CURLE_GOT_NOTHING || result == CURLE_SEND_ERROR ||
           result == CURLE_RECV_ERROR || result == CURLE_HTTP2 || result == CURLE_HTTP2_STREAM;
}

bool kube__transport_lacks_files(int result)
{
    int fds[4]; /* as many as a connection may need at once */
    size_t count = 0;
    bool lacks = false;
    if (result != CURLE_COULDNT_RESOLVE_HOST && result != CURLE_COULDNT_RESOLVE_PROXY &&
        result != CURLE_SSL_CACERT_BADFILE && result != CURLE_SSL_CERTPROBLEM &&
        result != CURLE_SSL_CONNECT_ERROR)
        return false;
    while (!lacks && count < sizeof fds / sizeof *fds) {
        fds[count] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        lacks = fds[count] < 0 && (errno == EMFILE || errno == ENFILE);
        count++;
    }
    while (count > 0) {
        if (fds[--count] >= 0)
            close(fds[count]);
    }
    return lacks;
}

kube__transport_failure kube__transport_describe(int result, long os_error)
{
    return describe((CURLcode)result, os_error);
}

bool kube__transport_is_loss(int result)
{
    return is_loss((CURLcode)result);
}
