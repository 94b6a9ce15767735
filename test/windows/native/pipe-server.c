/* A foreign pipe server: Win32, classic mode only, one pipe instance, one client at a time.
 *
 *   pipe-server <prefix> <manner>
 *
 * Its pipe is <prefix>.<process id>. It writes "listens <process id>", then a line for each request. Manners:
 * keeps: disconnects its client after the reply is read, and serves the next one on the same pipe;
 * anew: closes its pipe without waiting for the client, and makes another;
 * slow: like keeps, but sends the reply late and in parts;
 * silent: never answers.
 */
#include <windows.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HANDLE make_pipe(const char *name)
{
    HANDLE pipe = CreateNamedPipeA(name, PIPE_ACCESS_DUPLEX, PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT, 1, 65536, 65536,
                                   0, NULL);
    if (pipe == INVALID_HANDLE_VALUE) exit(6);
    return pipe;
}

static int read_all(HANDLE pipe, void *bytes, DWORD count)
{
    DWORD done = 0;
    for (DWORD at = 0; at < count; at += done)
        if (!ReadFile(pipe, (char *)bytes + at, count - at, &done, NULL) || done == 0) return 0;
    return 1;
}

static void reply(HANDLE pipe, const char *text, int is_slow)
{
    DWORD done, length = (DWORD)strlen(text), part;
    char frame[512];
    memcpy(frame, &length, 4);
    memcpy(frame + 4, text, length);
    for (DWORD at = 0; at < length + 4; at += part) {
        part = is_slow ? 1 : length + 4;
        if (is_slow) Sleep(5);
        if (!WriteFile(pipe, frame + at, part, &done, NULL)) return;
    }
}

/* The text of a member's value without quotes and escapes. */
static const char *member(const char *json, const char *name, char *value, size_t room)
{
    const char *found = strstr(json, name);
    size_t length = 0;
    *value = 0;
    if (!found) return value;
    found += strlen(name);
    found += strspn(found, "\":");
    while (length + 1 < room && found[length] && !strchr("\",}", found[length])) length++;
    memcpy(value, found, length);
    value[length] = 0;
    return value;
}

static void serve(HANDLE pipe, int is_slow, int is_silent)
{
    char request[4096], method[64], id[64], text[256];
    uint32_t length = 0;
    if (!read_all(pipe, &length, 4) || length >= sizeof request || !read_all(pipe, request, length)) return;
    request[length] = 0;
    member(request, "\"Method\"", method, sizeof method);
    member(request, strstr(request, "\"customid\"") ? "\"customid\"" : "\"id\"", id, sizeof id);
    printf("%s %s\n", method, id);
    fflush(stdout);
    if (is_silent) Sleep(INFINITE);
    if (strcmp(method, "version") == 0) reply(pipe, "2.1.4.19787", is_slow);
    if (strcmp(method, "getlistofusers") == 0) {
        snprintf(text, sizeof text, "[{\"id\":%u,\"customId\":\"%s\"}]", (unsigned)strlen(id), id);
        reply(pipe, text, is_slow);
    }
}

int main(int count, char **arguments)
{
    char name[128];
    if (count != 3) return 2;
    int is_anew = strcmp(arguments[2], "anew") == 0, is_slow = strcmp(arguments[2], "slow") == 0;
    int is_silent = strcmp(arguments[2], "silent") == 0;
    snprintf(name, sizeof name, "\\\\.\\pipe\\%s.%lu", arguments[1], GetCurrentProcessId());
    HANDLE pipe = make_pipe(name);
    printf("listens %lu\n", GetCurrentProcessId());
    fflush(stdout);
    for (;;) {
        if (ConnectNamedPipe(pipe, NULL) || GetLastError() == ERROR_PIPE_CONNECTED)
            serve(pipe, is_slow, is_silent);
        if (!is_anew) FlushFileBuffers(pipe);
        if (!is_anew) DisconnectNamedPipe(pipe);
        else CloseHandle(pipe), pipe = make_pipe(name);
    }
}
