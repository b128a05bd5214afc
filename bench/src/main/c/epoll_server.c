/*
 * The floor: one thread, epoll, one read and one write a request, a constant answer of 840 body bytes. Serves keep-alive
 * requests that arrive whole and without a body, which is all the benches send.
 * cc -O2 -o epoll_server epoll_server.c; epoll_server PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BODY_BYTES 840
#define EVENTS 512

static char answer[2048];
static size_t answer_bytes;

static void make_answer(void) {
    char body[BODY_BYTES + 1];
    memset(body, 'x', BODY_BYTES);
    body[BODY_BYTES] = 0;
    answer_bytes = (size_t) snprintf(answer, sizeof answer,
        "HTTP/1.1 200 \r\nETag: \"abcdefghijklmnopqrstuv\"\r\nContent-Type: application/json\r\n"
        "Content-Length: %d\r\nDate: Mon, 30 Nov 2026 00:00:00 GMT\r\n\r\n%s", BODY_BYTES, body);
}

static int listen_on(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short) port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof address) || listen(fd, 1024)) {
        perror("listen");
        exit(1);
    }
    return fd;
}

static void accept_all(int epoll, int server) {
    for (;;) {
        int fd = accept4(server, NULL, NULL, SOCK_NONBLOCK), on = 1;
        if (fd < 0) {
            return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

static void serve(int fd) {
    char request[8192];
    ssize_t n = recv(fd, request, sizeof request, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    int whole = n > 4 && memcmp(request + n - 4, "\r\n\r\n", 4) == 0;
    if (!whole || send(fd, answer, answer_bytes, MSG_NOSIGNAL) != (ssize_t) answer_bytes) {
        close(fd);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: epoll_server PORT\n");
        return 64;
    }
    make_answer();
    int server = listen_on(atoi(argv[1])), epoll = epoll_create1(0);
    struct epoll_event events[EVENTS], event = {.events = EPOLLIN, .data.fd = server};
    epoll_ctl(epoll, EPOLL_CTL_ADD, server, &event);
    for (;;) {
        int n = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            if (events[i].data.fd == server) {
                accept_all(epoll, server);
            } else {
                serve(events[i].data.fd);
            }
        }
    }
}
