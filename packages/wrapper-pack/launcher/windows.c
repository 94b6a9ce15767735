/* Windows. */
#define WIN32_LEAN_AND_MEAN
#include "launcher.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

#define RtlGenRandom SystemFunction036
BOOLEAN NTAPI RtlGenRandom(PVOID bytes, ULONG size);
BOOL WINAPI GetUserProfileDirectoryW(HANDLE token, LPWSTR folder, LPDWORD size);

enum { max_wide = 32768 };

const char path_separator = '\\', address_beginning[] = "\\\\.\\pipe\\";

int64_t now_ms(void)
{
    return (int64_t)GetTickCount64();
}

bool random_bytes(void *bytes, size_t size)
{
    return RtlGenRandom(bytes, (ULONG)size);
}

void report(const char *bytes, size_t size)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), bytes, (DWORD)size, &written, NULL);
}

/* Appends a text of `size` units of UTF-16; a function of Windows gives another size if it has no room. Half a character is doubtful. */
static void put_wide(struct text *text, const WCHAR *units, DWORD size)
{
    static char utf8[3 * max_wide];
    if (size == 0) return;
    DWORD flags = WC_ERR_INVALID_CHARS;
    int written = size < max_wide ? WideCharToMultiByte(CP_UTF8, flags, units, (int)size, utf8, sizeof utf8, NULL, NULL) : 0;
    if (written == 0) is_doubtful = true;
    put(text, utf8, (size_t)written);
}

/* Returns units of UTF-16 that are valid until the next call. A text that is too long or not UTF-8 gives none. */
static const WCHAR *wide(const char *utf8)
{
    static WCHAR units[max_wide];
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, units, max_wide) > 0 ? units : L"";
}

/* The access list of the user's folder protects a record. A link is opened itself, and nothing is in it. */
size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit)
{
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, size = 0;
    (void)user_folder, (void)folder;
    HANDLE handle = CreateFileW(wide(file), GENERIC_READ, share, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (handle == INVALID_HANDLE_VALUE) return 0;
    bool is_read = ReadFile(handle, bytes, (DWORD)limit, &size, NULL);
    /* The wrapper replaces the file meanwhile. */
    CloseHandle(handle);
    return is_read && size < limit ? size : 0;
}

void allow_foreground(unsigned long pid)
{
    if (pid != 0) AllowSetForegroundWindow((DWORD)pid);
}

static HANDLE connection;
static OVERLAPPED transfer;

bool open_connection(const char *address, int64_t deadline)
{
    /* A server that has taken the name cannot act as this user. */
    DWORD flags = FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
    const WCHAR *name = wide(address);
    transfer.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    for (;;) {
        connection = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, flags, NULL);
        if (connection != INVALID_HANDLE_VALUE) return transfer.hEvent != NULL;
        DWORD reason = GetLastError(), left = (DWORD)left_ms(deadline);
        if (reason != ERROR_PIPE_BUSY || left == 0 || !WaitNamedPipeW(name, left)) return false;
    }
}

/* After a transfer that is late comes no other. */
static ptrdiff_t end_transfer(BOOL is_done, int64_t deadline)
{
    DWORD size;
    if (!is_done && GetLastError() != ERROR_IO_PENDING) return is_ended;
    if (WaitForSingleObject(transfer.hEvent, (DWORD)left_ms(deadline)) != WAIT_OBJECT_0) return is_late;
    return GetOverlappedResult(connection, &transfer, &size, FALSE) && size > 0 ? (ptrdiff_t)size : is_ended;
}

ptrdiff_t send_some(const char *bytes, size_t size, int64_t deadline)
{
    return end_transfer(WriteFile(connection, bytes, (DWORD)size, NULL, &transfer), deadline);
}

ptrdiff_t receive_some(char *bytes, size_t size, int64_t deadline)
{
    return end_transfer(ReadFile(connection, bytes, (DWORD)size, NULL, &transfer), deadline);
}

void put_variable(struct text *text, const char *name)
{
    static WCHAR value[max_wide];
    put_wide(text, value, GetEnvironmentVariableW(wide(name), value, max_wide));
}

/* With a drive or a server. */
bool is_absolute(const char *path)
{
    bool has_drive = ((path[0] | 32) >= 'a' && (path[0] | 32) <= 'z') && path[1] == ':';
    const char *behind = has_drive ? path + 2 : path;
    bool has_separator = *behind == '\\' || *behind == '/';
    return has_separator && (has_drive || ((path[1] == '\\' || path[1] == '/') && path[2] != 0 && !strchr("\\/", path[2])));
}

/* Profile folder and name of the user, as `currentUser` takes them from the system. */
void put_user(struct text *user)
{
    WCHAR profile[MAX_PATH + 1] = L"", name[257] = L"";
    NEW_TEXT(folder, 3 * MAX_PATH);
    NEW_TEXT(login, 1024);
    HANDLE token = NULL;
    DWORD profile_size = MAX_PATH + 1, name_size = 257;
    OpenProcessToken(GetCurrentProcess(), TOKEN_READ, &token);
    GetUserProfileDirectoryW(token, profile, &profile_size);
    GetUserNameW(name, &name_size);
    put_wide(&folder, profile, (DWORD)lstrlenW(profile));
    put_wide(&login, name, (DWORD)lstrlenW(name));
    put_list(user, 2, (const char *const[]){folder.at, login.at});
}

/* Windows' number of the desktop, as `ownDesktop` asks for it; nothing for services, which have none. */
void put_desktop(struct text *desktop)
{
    DWORD session = 0;
    if (!ProcessIdToSessionId(GetCurrentProcessId(), &session)) is_doubtful = true;
    if (session != 0) put_format(desktop, "%lu", session);
}

void put_data_folder(struct text *folder)
{
    put_folder_variable(folder, "LOCALAPPDATA");
}

void put_working_directory(struct text *directory)
{
    static WCHAR path[max_wide];
    DWORD size = GetCurrentDirectoryW(max_wide, path);
    if (size == 0) is_doubtful = true;
    put_wide(directory, path, size > 3 && size < max_wide && path[size - 1] == '\\' ? size - 1 : size);
}

static bool ends_argument(WCHAR unit)
{
    return unit == ' ' || unit == '\t' || unit == 0;
}

/* The rules of the C run-time library that Node has: the name has no escapes. Returns the place behind it. */
static const WCHAR *after_program(const WCHAR *line)
{
    for (bool is_quoted = false; *line && (is_quoted || !ends_argument(*line)); line++)
        if (*line == '"') is_quoted = !is_quoted;
    return line;
}

/* Appends one argument as that library reads it, and NUL. Returns the place behind it. */
static const WCHAR *put_argument(struct text *all, const WCHAR *line)
{
    static WCHAR argument[max_wide];
    DWORD size = 0;
    for (bool is_quoted = false; is_quoted ? *line != 0 : !ends_argument(*line);) {
        size_t slashes = wcsspn(line, L"\\");
        line += slashes;
        /* In front of a mark each pair is one, and one that is left makes the mark a letter. */
        for (size_t kept = *line == '"' ? slashes / 2 : slashes; kept > 0; kept--) argument[size++] = '\\';
        if (*line == '"' && slashes % 2 == 0) {
            line++;
            if (is_quoted && *line == '"') argument[size++] = *line++;
            else is_quoted = !is_quoted;
        } else if (*line == '"' || slashes == 0) {
            argument[size++] = *line++;
        }
    }
    put_wide(all, argument, size);
    put(all, "", 1);
    return line;
}

/* Starts the executable beside this file with the same arguments, handles and window, and waits for its end. */
static int run_executable(const WCHAR *arguments)
{
    static WCHAR folder[max_wide], file[max_wide], line[max_wide];
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    DWORD exit_code;
    DWORD size = GetModuleFileNameW(NULL, folder, max_wide);
    while (size > 0 && folder[size - 1] != '\\') size--;
    folder[size] = 0;
    /* One unit remains for the end: this library writes none behind a text that fills its room. */
    bool is_short = _snwprintf(file, max_wide - 1, L"%ls%ls.exe", folder, wide(brand_application())) > 0 &&
                    _snwprintf(line, max_wide - 1, L"\"%ls\"%ls", file, arguments) > 0;
    GetStartupInfoW(&startup);
    if (!is_short || !CreateProcessW(file, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) return fail(MISSING);
    /* The user has started this process, and the executable is to have its window in front. */
    allow_foreground(process.dwProcessId);
    /* Nobody can remove a folder in which a process works. */
    SetCurrentDirectoryW(folder);
    WaitForSingleObject(process.hProcess, INFINITE);
    return GetExitCodeProcess(process.hProcess, &exit_code) ? (int)exit_code : fail(MISSING);
}

int main(void)
{
    NEW_TEXT(all, 4 * max_wide);
    static const char *list[max_wide / 2];
    const WCHAR *arguments = after_program(GetCommandLineW()), *line = arguments;
    size_t count = 0;
    while (*(line += wcsspn(line, L" \t"))) {
        list[count++] = all.at + all.size;
        line = put_argument(&all, line);
    }
    int exit_code = is_doubtful ? not_handed_over : hand_over(count, list);
    return exit_code == not_handed_over ? run_executable(arguments) : exit_code;
}
