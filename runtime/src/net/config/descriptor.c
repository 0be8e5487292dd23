/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef SOCK_CLOEXEC

int kube__socket(int family, int type, int protocol)
{
    return socket(family, type | SOCK_CLOEXEC, protocol);
}

int kube__pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

#else

int kube__socket(int family, int type, int protocol)
{
    int fd = socket(family, type, protocol);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

int kube__pipe(int ends[2])
{
    int result = pipe(ends);
    for (int i = 0; result == 0 && i < 2; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return result;
}

#endif
