/* One request to the running wrapper in the classic mode, to be copied: C11 for Windows, without a library. The
 * tests on Windows run it.
 *
 *   service_pipe [<process id>] <command> [<arguments>]     the arguments are one JSON object
 *
 * cl /std:c11 /utf-8 service_pipe.c shell32.lib user32.lib
 * x86_64-w64-mingw32-gcc -std=c11 service_pipe.c -o service_pipe.exe
 *
 * All text is UTF-8. find_executable.c says which program to start where no wrapper runs.
 */
#define _CRT_SECURE_NO_WARNINGS
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <wchar.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_MS 35000
#define MAX_REPLY (16 * 1024 * 1024)

/* The names of the wrapper's maker and of the wrapper. Those of another brand have others. */
#define VENDOR "Service"
#define APPLICATION "Service.Client.WebWrapper"

/* What came of a call. REFUSED: the reply is {"error":"<sentence>","code":"<ERR_...>"}. */
enum outcome { DONE, REFUSED, NO_RECORD, NOT_REACHED, UNPROVEN, BROKEN_OFF, TIME_OVER, NO_MEMORY };

/* The record of a running wrapper. */
typedef struct { unsigned long pid, browser; char desktop[256], address[1024], ask[80], answer[80]; } record;

/* Copies a member of a JSON object that is text. 0 if it is missing or too long. */
static int read_text(const char *json, const char *name, char *text, size_t room)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *from = strstr(json, quoted);
    size_t length = 0;
    if (!from) return 0;
    from += strlen(quoted);
    from += strspn(from, " \t\r\n");
    if (*from++ != ':') return 0;
    from += strspn(from, " \t\r\n");
    if (*from++ != '"') return 0;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\') from++; /* before a quote or another backslash */
        if (!*from || length + 1 >= room) return 0;
        text[length++] = *from;
    }
    text[length] = 0;
    return *from == '"';
}

/* Returns a process id; 0 if it is missing. */
static unsigned long read_pid(const char *json, const char *quoted)
{
    const char *found = strstr(json, quoted);
    unsigned long id = found ? strtoul(found + strcspn(found, "0123456789"), NULL, 10) : 0;
    /* The highest number means every process to Windows. */
    return id < 0xffffffff ? id : 0;
}

static int parse_record(const char *json, record *to)
{
    to->pid = read_pid(json, "\"pid\"");
    to->browser = read_pid(json, "\"browserPid\"");
    return to->pid != 0 && read_text(json, "desktop", to->desktop, sizeof to->desktop) &&
           read_text(json, "address", to->address, sizeof to->address) &&
           read_text(json, "ask", to->ask, sizeof to->ask) && read_text(json, "answer", to->answer, sizeof to->answer);
}

/* 2: the process, or the desktop, that is looked for; 1: a desktop that will do: none, or any where the program has none. */
static int fitness(const record *each, unsigned long pid, const char *desktop)
{
    if (pid) return each->pid == pid ? 2 : 0;
    if (strcmp(each->desktop, desktop) == 0) return 2;
    return !*desktop || !*each->desktop ? 1 : 0;
}


typedef struct { HANDLE pipe, event; ULONGLONG deadline; } connection;

/* Windows' number of the desktop; empty for services, which have none. 0 if Windows does not tell. */
static int own_desktop(char *desktop, size_t room)
{
    DWORD session;
    if (!ProcessIdToSessionId(GetCurrentProcessId(), &session)) return 0;
    desktop[0] = 0;
    if (session != 0) snprintf(desktop, room, "%lu", session);
    return 1;
}

/* Windows protects the folders of a user itself. */
static int find_record(unsigned long pid, record *found)
{
    wchar_t folder[1024], pattern[1100], path[1400];
    char desktop[256], json[4096 + 1];
    WIN32_FIND_DATAW each;
    DWORD length = GetEnvironmentVariableW(L"SERVICE_WRAPPER_DATA", folder, 1024);
    if (length == 0) {
        length = GetEnvironmentVariableW(L"LOCALAPPDATA", folder, 900);
        if (length == 0 || length >= 900) return 0;
        wcscat(folder, L"\\" L"" VENDOR L"\\" L"" APPLICATION);
    } else if (length >= 1024) return 0;
    if (!own_desktop(desktop, sizeof desktop)) return 0;
    swprintf(pattern, 1100, L"%ls\\run\\*.json", folder);
    HANDLE list = FindFirstFileW(pattern, &each);
    int best = 0;
    record candidate;
    for (BOOL more = list != INVALID_HANDLE_VALUE; more && best < 2; more = FindNextFileW(list, &each)) {
        DWORD count = 0;
        swprintf(path, 1400, L"%ls\\run\\%ls", folder, each.cFileName);
        HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
        if (file == INVALID_HANDLE_VALUE) continue;
        BOOL ok = ReadFile(file, json, sizeof json - 1, &count, NULL);
        CloseHandle(file);
        json[ok ? count : 0] = 0;
        int fits = parse_record(json, &candidate) ? fitness(&candidate, pid, desktop) : 0;
        if (fits > best) *found = candidate, best = fits;
    }
    if (list != INVALID_HANDLE_VALUE) FindClose(list);
    return best > 0;
}

/* Windows lets a wrapper in the background come to the front only if the program in front allows it. The last allowance counts. */
static void allow_front(const record *of)
{
    if (of->browser) AllowSetForegroundWindow(of->browser);
    AllowSetForegroundWindow(of->pid);
}

static enum outcome open_pipe(connection *to, const record *of)
{
    wchar_t name[1024];
    to->deadline = GetTickCount64() + LIMIT_MS;
    if (!MultiByteToWideChar(CP_UTF8, 0, of->address, -1, name, 1024)) return NOT_REACHED;
    /* Its instances may all be taken for a moment. */
    for (int left = 10;; left--) {
        /* SECURITY_ANONYMOUS: whoever serves the pipe cannot act as this user. */
        to->pipe = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                               FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, NULL);
        if (to->pipe != INVALID_HANDLE_VALUE) break;
        if (GetLastError() != ERROR_PIPE_BUSY || left == 0) return NOT_REACHED;
        WaitNamedPipeW(name, 500);
    }
    to->event = CreateEventA(NULL, TRUE, FALSE, NULL);
    if (to->event) return DONE;
    CloseHandle(to->pipe);
    return NO_MEMORY;
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

/* Sends a text as one frame. */
static enum outcome send_text(connection *to, const char *text)
{
    size_t length = strlen(text), moved = 0;
    unsigned char *frame = malloc(length + 4);
    if (!frame) return NO_MEMORY;
    for (int index = 0; index < 4; index++) frame[index] = (unsigned char)(length >> 8 * index);
    memcpy(frame + 4, text, length);
    enum outcome outcome = move_all(to, frame, length + 4, &moved, 1);
    free(frame);
    return outcome;
}

/* Reads one frame, which the caller frees; NULL where the stream ends before it. */
static enum outcome read_frame(connection *to, char **reply)
{
    unsigned char header[4];
    size_t moved = 0;
    *reply = NULL;
    enum outcome outcome = move_all(to, header, 4, &moved, 0);
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

/* The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else. */
static enum outcome prove(connection *to, const record *of)
{
    char question[128], told[80] = "", *answer = NULL;
    snprintf(question, sizeof question, "{\"ask\":\"%s\"}", of->ask);
    enum outcome outcome = send_text(to, question);
    if (outcome == DONE) outcome = read_frame(to, &answer);
    if (outcome != DONE) return outcome;
    int is_proven = answer && read_text(answer, "answer", told, sizeof told) && strcmp(told, of->answer) == 0;
    free(answer);
    return is_proven ? DONE : UNPROVEN;
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

/* Commands that bring the window to the front. */
static const char *const raising[] = {"show", "openworkout", "selectperson", "queryexercises", "queryworkouts"};

static int is_raising(const char *method)
{
    for (size_t i = 0; i < sizeof raising / sizeof *raising; i++)
        if (strcmp(method, raising[i]) == 0) return 1;
    return 0;
}

/* Asks the wrapper with this process id, or with 0 the one of this desktop; args is a JSON object, or NULL. The reply is
 * text that the caller frees, NULL where the command has none. At most 35 seconds. */
enum outcome service_pipe_call(unsigned long pid, const char *method, const char *args, char **reply)
{
    record of;
    connection to;
    size_t room = strlen(method) + (args ? strlen(args) : 0) + 64;
    char *request = malloc(room);
    *reply = NULL;
    if (!request) return NO_MEMORY;
    snprintf(request, room, "{\"Method\":\"%s\"%s%s}", method, args ? ",\"Args\":" : "", args ? args : "");
    enum outcome outcome = find_record(pid, &of) ? open_pipe(&to, &of) : NO_RECORD;
    if (outcome == DONE) {
        outcome = prove(&to, &of);
        if (outcome == DONE && is_raising(method)) allow_front(&of);
        if (outcome == DONE) outcome = send_text(&to, request);
        if (outcome == DONE) outcome = read_frame(&to, reply);
        close_pipe(&to);
    }
    free(request);
    return outcome == DONE && *reply && is_failure(*reply) ? REFUSED : outcome;
}

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

int main(int count, char **arguments)
{
    static const char *const problems[] = {
        [NO_RECORD] = "No wrapper runs on this desktop, or none as this process.",
        [NOT_REACHED] = "The pipe is not there, or does not take a connection.",
        [UNPROVEN] = "This is not the wrapper of the record. Tell your administrator.",
        [BROKEN_OFF] = "The connection broke, or the reply is not a frame.",
        [TIME_OVER] = "The wrapper did not answer in time. Whether it did what was asked is not known.",
        [NO_MEMORY] = "There is no memory for the reply.",
    };
    char *reply = NULL;
    arguments = utf8_arguments(&count);
    if (!arguments) return 3;
    /* The reply goes out byte for byte. */
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    int first = count > 1 && isdigit((unsigned char)arguments[1][0]) ? 2 : 1;
    if (count <= first || count > first + 2) {
        fputs("service_pipe [<process id>] <command> [<arguments as JSON>]\n", stderr);
        return 2;
    }
    enum outcome outcome = service_pipe_call(first == 2 ? strtoul(arguments[1], NULL, 10) : 0, arguments[first],
                                             count > first + 1 ? arguments[first + 1] : NULL, &reply);
    if (outcome != DONE && outcome != REFUSED) {
        fprintf(stderr, "The wrapper was not reached: %s\n", problems[outcome]);
        return 3;
    }
    fputs(reply ? reply : "", outcome == DONE ? stdout : stderr);
    free(reply);
    return outcome == DONE ? 0 : 4;
}
