/* One request to the running wrapper, to be copied: C11, Windows, Linux or macOS, without a library.
 *
 *   service_pipe <process id> <command> [<arguments>]     the arguments are one JSON object
 *
 * gcc -std=c11 service_pipe.c -o service_pipe           cl /std:c11 /utf-8 service_pipe.c advapi32.lib shell32.lib
 * x86_64-w64-mingw32-gcc -std=c11 service_pipe.c -o service_pipe.exe
 *
 * All text is UTF-8, on Windows too. find_wrapper.c says which process id it is there.
 */
#ifdef _WIN32
#define _CRT_SECURE_NO_WARNINGS
#include <windows.h>
#include <aclapi.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <wchar.h>
#else
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_MS 35000
#define MAX_REPLY (16 * 1024 * 1024)

/* What came of a call. REFUSED: the reply is {"error":"<sentence>","code":"<ERR_…>"}. */
enum outcome { DONE, REFUSED, NOT_REACHED, OTHER_USER, BROKEN_OFF, TIME_OVER, NO_MEMORY };

#ifdef _WIN32

typedef struct { HANDLE pipe, event; ULONGLONG deadline; } connection;

/* Whether the pipe is this user's. Anybody can make a pipe of any name, but nobody one that belongs to somebody else. */
static int is_own(HANDLE pipe)
{
    union { TOKEN_OWNER token; BYTE room[256]; } mine;
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PSID owner = NULL;
    HANDLE token = NULL;
    DWORD length = 0;
    int own = GetSecurityInfo(pipe, SE_KERNEL_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL,
                              &descriptor) == ERROR_SUCCESS &&
              owner != NULL &&
              OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) &&
              GetTokenInformation(token, TokenOwner, &mine, sizeof mine, &length) &&
              EqualSid(owner, mine.token.Owner);
    if (token) CloseHandle(token);
    LocalFree(descriptor);
    return own;
}

static enum outcome open_pipe(connection *to, unsigned long pid)
{
    wchar_t name[64];
    ULONG server = 0;
    ULONGLONG seen = GetTickCount64();
    swprintf(name, sizeof name / sizeof *name, L"\\\\.\\pipe\\servicepipe.%lu", pid);
    to->deadline = seen + LIMIT_MS;
    for (;;) {
        /* SECURITY_ANONYMOUS: whoever serves the pipe cannot act as this user. */
        to->pipe = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                               FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, NULL);
        if (to->pipe != INVALID_HANDLE_VALUE) break;
        DWORD error = GetLastError();
        ULONGLONG now = GetTickCount64();
        if (error == ERROR_ACCESS_DENIED) return OTHER_USER;
        /* An older wrapper has one client at a time, and its pipe is not there between two. */
        if (error == ERROR_PIPE_BUSY) seen = now;
        else if (error != ERROR_FILE_NOT_FOUND || now - seen > 5000) return NOT_REACHED;
        if (now >= to->deadline) return NOT_REACHED;
        if (error != ERROR_PIPE_BUSY || !WaitNamedPipeW(name, 500)) Sleep(20);
    }
    to->event = CreateEventA(NULL, TRUE, FALSE, NULL);
    /* The process is looked at as well, so that a person does not go to another wrapper of this user. */
    if (to->event && is_own(to->pipe) && GetNamedPipeServerProcessId(to->pipe, &server) && server == pid) return DONE;
    if (to->event) CloseHandle(to->event);
    CloseHandle(to->pipe);
    return OTHER_USER;
}

static void close_pipe(connection *to)
{
    CloseHandle(to->event);
    CloseHandle(to->pipe);
}

/* Reads or writes once; *moved is 0 at the end of the stream. */
static enum outcome move(connection *to, void *bytes, size_t count, size_t *moved, int is_write)
{
    OVERLAPPED call = {0};
    DWORD done = 0;
    ULONGLONG now = GetTickCount64();
    DWORD left = now < to->deadline ? (DWORD)(to->deadline - now) : 0;
    call.hEvent = to->event;
    *moved = 0;
    BOOL ok = is_write ? WriteFile(to->pipe, bytes, (DWORD)count, NULL, &call)
                       : ReadFile(to->pipe, bytes, (DWORD)count, NULL, &call);
    if (!ok && GetLastError() != ERROR_IO_PENDING) return is_write ? BROKEN_OFF : DONE;
    if (WaitForSingleObject(to->event, left) != WAIT_OBJECT_0) {
        CancelIoEx(to->pipe, &call);
        GetOverlappedResult(to->pipe, &call, &done, TRUE); /* until then the system may write to the buffer */
        return TIME_OVER;
    }
    /* The end of the stream is told as an error: ERROR_BROKEN_PIPE or ERROR_PIPE_NOT_CONNECTED. */
    if (!GetOverlappedResult(to->pipe, &call, &done, FALSE)) return is_write ? BROKEN_OFF : DONE;
    *moved = done;
    return DONE;
}

#else

typedef struct { int socket; long long deadline; } connection;

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum outcome open_pipe(connection *to, unsigned long pid)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    const char *folder = getenv("TMPDIR");
    long long give_up = now_ms() + 5000;
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/CoreFxPipe_servicepipe.%lu",
                          folder && *folder ? folder : "/tmp", pid);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) return NOT_REACHED;
    to->deadline = now_ms() + LIMIT_MS;
    for (;;) {
        struct stat found, later;
        if (lstat(address.sun_path, &found) == 0) {
            /* The folder is open to everybody: a socket, and this user's. */
            if (!S_ISSOCK(found.st_mode) || found.st_uid != getuid()) return OTHER_USER;
            to->socket = socket(AF_UNIX, SOCK_STREAM, 0);
            if (to->socket < 0) return NOT_REACHED;
            fcntl(to->socket, F_SETFL, O_NONBLOCK);
            int error = connect(to->socket, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
            /* The same before and after: then no other was connected to in between. */
            if (!error && lstat(address.sun_path, &later) == 0 && later.st_dev == found.st_dev &&
                later.st_ino == found.st_ino && later.st_ctime == found.st_ctime)
                return DONE;
            close(to->socket);
            if (error && error != ENOENT && error != ECONNREFUSED && error != EAGAIN) return NOT_REACHED;
        }
        /* Not there yet, busy, or between two clients. */
        if (now_ms() > give_up) return NOT_REACHED;
        nanosleep(&pause, NULL);
    }
}

static void close_pipe(connection *to)
{
    close(to->socket);
}

/* Reads or writes once; *moved is 0 at the end of the stream. */
static enum outcome move(connection *to, void *bytes, size_t count, size_t *moved, int is_write)
{
    *moved = 0;
    for (;;) {
        struct pollfd ready = {.fd = to->socket, .events = is_write ? POLLOUT : POLLIN};
        long long left = to->deadline - now_ms();
        int found = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (found == 0) return TIME_OVER;
        if (found < 0 && errno != EINTR) return BROKEN_OFF;
        if (found < 0) continue;
        ssize_t done = is_write ? write(to->socket, bytes, count) : read(to->socket, bytes, count);
        if (done < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (done < 0) return BROKEN_OFF;
        *moved = (size_t)done;
        return DONE;
    }
}

#endif

/* Reads or writes so many bytes; *moved is less where the stream ended before. */
static enum outcome move_all(connection *to, void *bytes, size_t count, size_t *moved, int is_write)
{
    size_t part = 0;
    enum outcome outcome = DONE;
    for (*moved = 0; outcome == DONE && *moved < count; *moved += part) {
        outcome = move(to, (char *)bytes + *moved, count - *moved, &part, is_write);
        if (part == 0) break;
    }
    return outcome;
}

static enum outcome exchange(connection *to, unsigned char *frame, size_t frame_length, char **reply)
{
    unsigned char header[4];
    size_t moved = 0;
    enum outcome outcome = move_all(to, frame, frame_length, &moved, 1);
    if (outcome == DONE) outcome = move_all(to, header, 4, &moved, 0);
    if (outcome != DONE || moved == 0) return outcome;
    uint32_t length = header[0] | (uint32_t)header[1] << 8 | (uint32_t)header[2] << 16 | (uint32_t)header[3] << 24;
    if (moved < 4 || length < 1 || length > MAX_REPLY) return BROKEN_OFF;
    *reply = malloc((size_t)length + 1);
    if (!*reply) return NO_MEMORY;
    (*reply)[length] = 0;
    outcome = move_all(to, *reply, length, &moved, 0);
    if (outcome == DONE && moved < length) outcome = BROKEN_OFF;
    if (outcome == DONE) return DONE;
    free(*reply);
    *reply = NULL;
    return outcome;
}

/* Whether it is an object with a member error. Inside of a text a quote is escaped, so that this is not found there. */
static int is_failure(const char *reply)
{
    const char *found = reply + strspn(reply, " \t\r\n");
    if (*found != '{') return 0;
    while ((found = strstr(found, "\"error\"")) != NULL) {
        found += strlen("\"error\"");
        if (found[strspn(found, " \t\r\n")] == ':') return 1;
    }
    return 0;
}

/* Asks the wrapper with this process id; args is a JSON object, or NULL. The reply is text that the caller frees, NULL where
 * the command has none. At most 35 seconds. On Linux and macOS let SIGPIPE be ignored, as main does. */
enum outcome service_pipe_call(unsigned long pid, const char *method, const char *args, char **reply)
{
    connection to;
    size_t room = strlen(method) + (args ? strlen(args) : 0) + 64;
    unsigned char *frame = malloc(room);
    *reply = NULL;
    if (!frame) return NO_MEMORY;
    uint32_t length = (uint32_t)snprintf((char *)frame + 4, room - 4, "{\"Method\":\"%s\"%s%s}", method,
                                         args ? ",\"Args\":" : "", args ? args : "");
    for (int index = 0; index < 4; index++) frame[index] = (unsigned char)(length >> 8 * index);
    enum outcome outcome = open_pipe(&to, pid);
    if (outcome == DONE) {
        outcome = exchange(&to, frame, (size_t)length + 4, reply);
        close_pipe(&to);
    }
    free(frame);
    return outcome == DONE && *reply && is_failure(*reply) ? REFUSED : outcome;
}

#ifdef _WIN32
/* The arguments as UTF-8; main has them in the code page of the system. NULL where there is no memory. */
static char **utf8_arguments(int *count)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    char **texts = wide ? calloc((size_t)*count + 1, sizeof *texts) : NULL;
    for (int index = 0; texts && index < *count; index++) {
        int length = WideCharToMultiByte(CP_UTF8, 0, wide[index], -1, NULL, 0, NULL, NULL);
        texts[index] = malloc((size_t)length + 1);
        if (!texts[index]) return NULL;
        WideCharToMultiByte(CP_UTF8, 0, wide[index], -1, texts[index], length, NULL, NULL);
    }
    LocalFree(wide);
    return texts;
}
#endif

int main(int count, char **arguments)
{
    static const char *const problems[] = {
        [NOT_REACHED] = "The pipe is not there, or does not take a connection.",
        [OTHER_USER] = "The pipe is not this user's, or is served by another process.",
        [BROKEN_OFF] = "The connection broke, or the reply is not a frame.",
        [TIME_OVER] = "The wrapper did not answer in time. Whether it did what was asked is not known.",
        [NO_MEMORY] = "There is no memory for the reply.",
    };
    char *reply = NULL;
#ifdef _WIN32
    arguments = utf8_arguments(&count);
    if (!arguments) return 3;
    /* The reply goes out byte for byte. */
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
#else
    signal(SIGPIPE, SIG_IGN);
#endif
    if (count < 3 || count > 4) {
        fputs("service_pipe <process id> <command> [<arguments as JSON>]\n", stderr);
        return 2;
    }
    enum outcome outcome = service_pipe_call(strtoul(arguments[1], NULL, 10), arguments[2],
                                             count > 3 ? arguments[3] : NULL, &reply);
    if (outcome != DONE && outcome != REFUSED) {
        fprintf(stderr, "The wrapper was not reached: %s\n", problems[outcome]);
        return 3;
    }
    fputs(reply ? reply : "", outcome == DONE ? stdout : stderr);
    free(reply);
    return outcome == DONE ? 0 : 4;
}
