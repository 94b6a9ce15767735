/* Which wrapper to ask on Windows, to be copied: C11, without a library.
 *
 *   find_wrapper          the process id of the wrapper that runs in this login session, for service_pipe.c
 *   find_wrapper path     the executable to start where none runs
 *
 * cl /std:c11 /utf-8 find_wrapper.c advapi32.lib          x86_64-w64-mingw32-gcc -std=c11 find_wrapper.c -o find_wrapper.exe
 *
 * A wrapper of another brand has another name and another key: its maker tells them.
 */
#define _CRT_SECURE_NO_WARNINGS
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <tlhelp32.h>
#include <wchar.h>

#define EXECUTABLE L"Service.Client.WebWrapper.exe"
#define KEY L"Software\\Service\\Service.Client.WebWrapper"

typedef union { TOKEN_USER token; BYTE room[256]; } user;

static int read_user(HANDLE process, user *of)
{
    HANDLE token = NULL;
    DWORD length = 0;
    int known = OpenProcessToken(process, TOKEN_QUERY, &token) &&
                GetTokenInformation(token, TokenUser, of, sizeof *of, &length);
    if (token) CloseHandle(token);
    return known;
}

/* When a process of this user was started, or 0: it is another's, or has ended. */
static ULONGLONG started_by_me(DWORD pid)
{
    FILETIME began, others[3];
    user mine, found;
    ULONGLONG result = 0;
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
    if (!process) return 0;
    if (read_user(GetCurrentProcess(), &mine) && read_user(process, &found) &&
        EqualSid(mine.token.User.Sid, found.token.User.Sid) &&
        GetProcessTimes(process, &began, &others[0], &others[1], &others[2]))
        result = (ULONGLONG)began.dwHighDateTime << 32 | began.dwLowDateTime;
    CloseHandle(process);
    return result;
}

/* The wrapper of this login session, or 0. Later starts, which hand over to it, live for a moment: it is the oldest. */
DWORD find_wrapper(void)
{
    PROCESSENTRY32W each = {.dwSize = sizeof each};
    DWORD own = 0, session = 0, oldest = 0;
    ULONGLONG oldest_start = 0;
    if (!ProcessIdToSessionId(GetCurrentProcessId(), &own)) return 0;
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    if (list == INVALID_HANDLE_VALUE) return 0;
    for (BOOL more = Process32FirstW(list, &each); more; more = Process32NextW(list, &each)) {
        if (_wcsicmp(each.szExeFile, EXECUTABLE) != 0) continue;
        if (!ProcessIdToSessionId(each.th32ProcessID, &session) || session != own) continue;
        ULONGLONG start = started_by_me(each.th32ProcessID);
        if (start == 0 || (oldest_start != 0 && start >= oldest_start)) continue;
        oldest_start = start;
        oldest = each.th32ProcessID;
    }
    CloseHandle(list);
    return oldest;
}

/* The executable that this user started last, or its installer has put there; 0 where there is none, or no room for it. */
int find_executable(wchar_t *path, size_t room)
{
    DWORD bytes = (DWORD)(room * sizeof *path);
    /* A text with %variables% comes back with their values. */
    if (RegGetValueW(HKEY_CURRENT_USER, KEY, L"path", RRF_RT_REG_SZ, NULL, path, &bytes) != ERROR_SUCCESS) return 0;
    size_t length = wcslen(path);
    const wchar_t *between = length > 0 && path[length - 1] == L'\\' ? L"" : L"\\";
    if (length + wcslen(between) + wcslen(EXECUTABLE) >= room) return 0;
    wcscat(wcscat(path, between), EXECUTABLE);
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

int main(int count, char **arguments)
{
    wchar_t path[1024];
    char text[3 * 1024];
    _setmode(_fileno(stdout), _O_BINARY);
    if (count == 2 && strcmp(arguments[1], "path") == 0) {
        if (!find_executable(path, sizeof path / sizeof *path)) {
            fputs("No wrapper is installed for this user.\n", stderr);
            return 3;
        }
        WideCharToMultiByte(CP_UTF8, 0, path, -1, text, sizeof text, NULL, NULL);
        puts(text);
        return 0;
    }
    DWORD pid = find_wrapper();
    if (pid == 0) {
        fputs("No wrapper runs in this login session.\n", stderr);
        return 3;
    }
    printf("%lu\n", (unsigned long)pid);
    return 0;
}
