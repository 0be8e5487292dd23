/* SPDX-License-Identifier: Apache-2.0 */
#include "address.h"

#include "net/config/descriptor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 128, HOST_MAX = 256, PORT_MAX = 6 };

typedef struct host_and_port {
    char host[HOST_MAX]; /* "" = all interfaces */
    char port[PORT_MAX];
} host_and_port;

/* Returns the end of the host part, without brackets, or NULL if it is malformed. */
static const char *end_of_host(const char **host)
{
    if (**host == '[') {
        ++*host;
        return strchr(*host, ']');
    }
    return *host + strcspn(*host, ":");
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < PORT_MAX && !text[digits] && strtol(text, NULL, 10) <= 65535;
}

static bool split(const char *address, host_and_port *out)
{
    const char *host = address;
    const char *end = end_of_host(&host);
    const char *port = end;
    if (!end || (size_t)(end - host) >= sizeof out->host)
        return false;
    if (*port == ']')
        port++;
    if (*port != ':' || !is_port(port + 1))
        return false;
    snprintf(out->host, sizeof out->host, "%.*s", (int)(end - host), host);
    snprintf(out->port, sizeof out->port, "%s", port + 1);
    return true;
}

static int listen_at(const struct addrinfo *info)
{
    int yes = 1;
    int no = 0;
    int error;
    int fd = kube__socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        (info->ai_family != AF_INET6 ||
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) == 0) &&
        bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0 &&
        fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* All interfaces: one socket for IPv6 does for both, where there is IPv6. */
static int rank_of(const struct addrinfo *info, const char *host)
{
    return *host || info->ai_family == AF_INET6 ? 0 : 1;
}

static int listen_at_first(const struct addrinfo *all, const char *host)
{
    int error = EADDRNOTAVAIL;
    for (int rank = 0; rank <= 1; rank++) {
        for (const struct addrinfo *info = all; info; info = info->ai_next) {
            int fd = rank_of(info, host) == rank ? listen_at(info) : -1;
            if (fd >= 0)
                return fd;
            if (rank_of(info, host) == rank)
                error = errno;
        }
    }
    errno = error;
    return -1;
}

kube_code kube__address_listen(const char *address, const char *what, int *socket_fd,
                               kube_error *err)
{
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *all = NULL;
    host_and_port where;
    int error;
    *socket_fd = -1;
    if (!split(address, &where))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "%s: \"%s\" is not host:port, [address]:port or :port", what,
                              address);
    error = getaddrinfo(*where.host ? where.host : NULL, where.port, &hints, &all);
    if (error)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: %s: %s", what, where.host,
                              error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    *socket_fd = listen_at_first(all, where.host);
    error = errno;
    freeaddrinfo(all);
    if (*socket_fd < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: cannot listen on %s: %s", what, address,
                              strerror(error));
    return KUBE_OK;
}

kube_code kube__address_of(int socket_fd, char text[KUBE__ADDRESS_MAX], bool *loopback,
                           kube_error *err)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {0};
    socklen_t len = sizeof at;
    char host[INET6_ADDRSTRLEN] = "";

    if (getsockname(socket_fd, &at.any, &len) != 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "getsockname: %s", strerror(errno));
    if (at.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &at.v6.sin6_addr, host, sizeof host);
        snprintf(text, KUBE__ADDRESS_MAX, "[%s]:%u", host, (unsigned)ntohs(at.v6.sin6_port));
        *loopback = memcmp(&at.v6.sin6_addr, &in6addr_loopback, sizeof in6addr_loopback) == 0;
    } else {
        inet_ntop(AF_INET, &at.v4.sin_addr, host, sizeof host);
        snprintf(text, KUBE__ADDRESS_MAX, "%s:%u", host, (unsigned)ntohs(at.v4.sin_port));
        *loopback = ntohl(at.v4.sin_addr.s_addr) >> 24 == 127;
    }
    return KUBE_OK;
}
