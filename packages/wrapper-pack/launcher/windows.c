/* Windows. */
#define WIN32_LEAN_AND_MEAN
#include "launcher.h"

#include <string.h>
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

/* Appends a text of `size` units of UTF-16. Half a character spoils it. */
static void put_wide(struct text *text, const WCHAR *units, int size)
{
    if (size == 0 || text->is_spoiled) return;
    int room = (int)(text->limit - text->size);
    int written = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, units, size, text->at + text->size, room, NULL, NULL);
    if (written == 0) text->is_spoiled = true;
    text->size += (size_t)written;
    text->at[text->size] = 0;
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

static ptrdiff_t end_transfer(BOOL is_done, int64_t deadline)
{
    DWORD size = 0;
    if (!is_done && GetLastError() != ERROR_IO_PENDING) return connection_ended;
    bool is_late = WaitForSingleObject(transfer.hEvent, (DWORD)left_ms(deadline)) != WAIT_OBJECT_0;
    if (is_late) CancelIo(connection);
    /* A transfer that is late may have ended meanwhile. */
    bool is_complete = GetOverlappedResult(connection, &transfer, &size, is_late) && size > 0;
    return is_complete ? (ptrdiff_t)size : is_late ? deadline_over : connection_ended;
}

ptrdiff_t send_bytes(const char *bytes, size_t size, int64_t deadline)
{
    for (size_t sent = 0; sent < size;) {
        BOOL is_done = WriteFile(connection, bytes + sent, (DWORD)(size - sent), NULL, &transfer);
        ptrdiff_t more = end_transfer(is_done, deadline);
        if (more <= 0) return more;
        sent += (size_t)more;
    }
    return (ptrdiff_t)size;
}

ptrdiff_t receive_bytes(char *bytes, size_t size, int64_t deadline)
{
    return end_transfer(ReadFile(connection, bytes, (DWORD)size, NULL, &transfer), deadline);
}

void put_variable(struct text *text, const char *name)
{
    static WCHAR value[max_wide];
    put_wide(text, value, (int)GetEnvironmentVariableW(wide(name), value, max_wide));
}

/* Profile folder and name of the user, as `currentUser` takes them from the system. */
void put_user(struct text *user)
{
    WCHAR profile[MAX_PATH + 1], name[257];
    NEW_TEXT(folder, 4 * MAX_PATH);
    NEW_TEXT(login, 1024);
    HANDLE token = NULL;
    DWORD profile_size = MAX_PATH + 1, name_size = 257;
    OpenProcessToken(GetCurrentProcess(), TOKEN_READ, &token);
    if (GetUserProfileDirectoryW(token, profile, &profile_size)) put_wide(&folder, profile, lstrlenW(profile));
    if (GetUserNameW(name, &name_size)) put_wide(&login, name, lstrlenW(name));
    put_list(user, 2, (const char *const[]){folder.at, login.at});
}

/* The number of the session on a terminal server ends the folder of temporary files: `3` of `C:\Temp\3`. */
void put_login_session(struct text *session)
{
    NEW_TEXT(folder, 3 * max_wide);
    put_variable(&folder, "TEMP");
    size_t end = folder.size, begin;
    if (end > 0 && strchr("\\/", folder.at[end - 1])) end--;
    for (begin = end; begin > 0 && strchr("0123456789", folder.at[begin - 1]);) begin--;
    if (begin > 0 && strchr("\\/", folder.at[begin - 1])) put(session, folder.at + begin, end - begin);
    if (folder.is_spoiled) session->is_spoiled = true;
}

void put_data_folder(struct text *folder)
{
    put_variable(folder, "LOCALAPPDATA");
}

void put_working_directory(struct text *directory)
{
    static WCHAR path[max_wide];
    DWORD size = GetCurrentDirectoryW(max_wide, path);
    if (size == 0 || size >= max_wide) directory->is_spoiled = true;
    else put_wide(directory, path, (int)(size > 3 && path[size - 1] == '\\' ? size - 1 : size));
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

/* Splits a line into arguments as that library does. Returns their number. */
static size_t split_line(const WCHAR *line, struct text *all, const char **arguments)
{
    static WCHAR argument[max_wide];
    for (size_t count = 0;; count++) {
        while (*line && ends_argument(*line)) line++;
        if (!*line) return count;
        int size = 0;
        for (bool is_quoted = false;; line++) {
            int slashes = 0;
            bool is_kept = true;
            for (; *line == '\\'; line++) slashes++;
            if (*line == '"') {
                is_kept = slashes % 2 == 1;
                if (!is_kept && is_quoted && line[1] == '"') is_kept = *++line;
                else if (!is_kept) is_quoted = !is_quoted;
                slashes /= 2;
            }
            while (slashes-- > 0) argument[size++] = '\\';
            if (!*line || (!is_quoted && ends_argument(*line))) break;
            if (is_kept) argument[size++] = *line;
        }
        arguments[count] = all->at + all->size;
        put_wide(all, argument, size);
        put(all, "", 1);
    }
}

/* Starts the executable beside this file with the same arguments, handles and window, and waits for its end. */
static int run_executable(const WCHAR *arguments)
{
    static WCHAR file[max_wide], line[max_wide];
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    DWORD size = GetModuleFileNameW(NULL, file, MAX_PATH), exit_code = 1;
    while (size > 0 && file[size - 1] != '\\') size--;
    file[size] = 0;
    lstrcatW(lstrcatW(file, wide(brand_application())), L".exe");
    if (lstrlenW(file) + lstrlenW(arguments) + 3 > max_wide) return fail(MISSING);
    lstrcatW(lstrcatW(lstrcatW(lstrcatW(line, L"\""), file), L"\""), arguments);
    GetStartupInfoW(&startup);
    if (!CreateProcessW(file, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) return fail(MISSING);
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &exit_code);
    return (int)exit_code;
}

int main(void)
{
    NEW_TEXT(all, 4 * max_wide);
    static const char *list[max_wide / 2];
    const WCHAR *arguments = after_program(GetCommandLineW());
    size_t count = split_line(arguments, &all, list);
    int exit_code = all.is_spoiled ? not_handed_over : hand_over(count, list);
    return exit_code == not_handed_over ? run_executable(arguments) : exit_code;
}
