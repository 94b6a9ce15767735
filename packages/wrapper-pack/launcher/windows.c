/* Windows. */
#define WIN32_LEAN_AND_MEAN
#include "launcher.h"

#include <string.h>
#include <windows.h>

#define RtlGenRandom SystemFunction036
BOOLEAN NTAPI RtlGenRandom(PVOID bytes, ULONG size);
BOOL WINAPI GetUserProfileDirectoryW(HANDLE token, LPWSTR folder, LPDWORD size);

enum { max_line = 32768, max_path = 4096 };

const char path_separator = '\\';
const char address_beginning[] = "\\\\.\\pipe\\";

int64_t now_ms(void)
{
    return (int64_t)GetTickCount64();
}

int64_t unix_ms(void)
{
    FILETIME time;
    GetSystemTimeAsFileTime(&time);
    return ((int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) / 10000 - 11644473600000;
}

uint32_t process_id(void)
{
    return GetCurrentProcessId();
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
}

static bool to_wide(const char *utf8, WCHAR *units, int limit)
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, units, limit) > 0;
}

/* The access list of the user's folder protects a record. A link is not followed. */
size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit)
{
    static WCHAR path[max_path];
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, size = 0;
    BY_HANDLE_FILE_INFORMATION found;
    (void)user_folder, (void)folder;
    if (!to_wide(file, path, max_path)) return 0;
    HANDLE handle = CreateFileW(path, GENERIC_READ, share, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (handle == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(handle, &found)) return 0;
    DWORD refused = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY;
    if ((found.dwFileAttributes & refused) || found.nFileSizeHigh || found.nFileSizeLow > limit) return 0;
    bool is_read = ReadFile(handle, bytes, (DWORD)limit, &size, NULL);
    /* The wrapper replaces the file meanwhile. */
    CloseHandle(handle);
    return is_read ? size : 0;
}

static HANDLE connection;
static OVERLAPPED transfer;

static DWORD left_ms(int64_t deadline)
{
    int64_t left = deadline - now_ms();
    return left > 0 ? (DWORD)left : 0;
}

bool open_connection(const char *address, int64_t deadline)
{
    static WCHAR name[max_path];
    /* A server that has taken the name cannot act as this user. */
    DWORD flags = FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
    if (!to_wide(address, name, max_path)) return false;
    transfer.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    for (;;) {
        connection = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, flags, NULL);
        if (connection != INVALID_HANDLE_VALUE) return transfer.hEvent != NULL;
        DWORD left = left_ms(deadline);
        if (GetLastError() != ERROR_PIPE_BUSY || left == 0 || !WaitNamedPipeW(name, left)) return false;
    }
}

static ptrdiff_t end_transfer(BOOL is_done, int64_t deadline)
{
    DWORD size = 0;
    if (!is_done && GetLastError() != ERROR_IO_PENDING) return connection_ended;
    if (WaitForSingleObject(transfer.hEvent, left_ms(deadline)) != WAIT_OBJECT_0) {
        CancelIo(connection);
        /* It may have ended meanwhile. */
        if (GetOverlappedResult(connection, &transfer, &size, TRUE) && size > 0) return (ptrdiff_t)size;
        return deadline_over;
    }
    return GetOverlappedResult(connection, &transfer, &size, FALSE) ? (ptrdiff_t)size : connection_ended;
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

/* The behaviour of the C run-time library that Node has: the name has no escapes. Returns the place behind it. */
static const WCHAR *after_program(const WCHAR *line)
{
    for (bool is_quoted = false; *line && (is_quoted || (*line != ' ' && *line != '\t')); line++)
        if (*line == '"') is_quoted = !is_quoted;
    return line;
}

/* Splits a line into arguments as that library does. Returns their number. */
static size_t split_line(const WCHAR *line, struct text *all, const char **arguments)
{
    static WCHAR argument[max_line];
    for (size_t count = 0;; count++) {
        while (*line == ' ' || *line == '\t') line++;
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
            if (!*line || (!is_quoted && (*line == ' ' || *line == '\t'))) break;
            if (is_kept) argument[size++] = *line;
        }
        arguments[count] = all->at + all->size;
        put_wide(all, argument, size);
        put(all, "", 1);
    }
}

static void put_variable(struct text *text, const WCHAR *name)
{
    static WCHAR value[max_line];
    put_wide(text, value, (int)GetEnvironmentVariableW(name, value, max_line));
}

/* Profile folder and name of the user, as `currentUser` takes them from the system. */
static bool read_user(struct text *user)
{
    WCHAR profile[MAX_PATH + 1], name[257];
    static char bytes[4 * max_path];
    struct text parts = {bytes, 0, sizeof bytes - 1, false};
    HANDLE token;
    DWORD profile_size = MAX_PATH + 1, name_size = 257;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_READ, &token)) return false;
    if (!GetUserProfileDirectoryW(token, profile, &profile_size) || !GetUserNameW(name, &name_size)) return false;
    put(user, "[\"", 2);
    put_wide(&parts, profile, lstrlenW(profile));
    put(&parts, "", 1);
    size_t name_at = parts.size;
    put_wide(&parts, name, lstrlenW(name));
    if (parts.is_spoiled) return false;
    put_escaped(user, bytes);
    put(user, "\",\"", 3);
    put_escaped(user, bytes + name_at);
    put(user, "\"]", 2);
    return !user->is_spoiled;
}

/* The number of the session on a terminal server ends the folder of temporary files: `3` of `C:\Temp\3`. */
static bool read_session(struct text *session)
{
    static char bytes[3 * max_line];
    struct text folder = {bytes, 0, sizeof bytes - 1, false};
    put_variable(&folder, L"TEMP");
    size_t end = folder.size, begin;
    if (end > 0 && (bytes[end - 1] == '\\' || bytes[end - 1] == '/')) end--;
    for (begin = end; begin > 0 && bytes[begin - 1] >= '0' && bytes[begin - 1] <= '9';) begin--;
    if (begin > 0 && (bytes[begin - 1] == '\\' || bytes[begin - 1] == '/')) put(session, bytes + begin, end - begin);
    return !folder.is_spoiled;
}

/* Whether Node would not resolve a path to another text: a drive, and no part that is empty or begins with a dot. */
static bool is_resolved(const char *path)
{
    size_t size = strlen(path);
    if (size < 4 || path[1] != ':' || path[2] != '\\' || path[size - 1] == '\\') return false;
    for (const char *at = path + 2; *at; at++)
        if (*at == '/' || (*at == '\\' && (at[1] == '\\' || at[1] == '.'))) return false;
    return true;
}

static bool read_folder(struct text *folder)
{
    put_variable(folder, L"SERVICE_WRAPPER_DATA");
    if (folder->size == 0) {
        put_variable(folder, L"LOCALAPPDATA");
        if (folder->size == 0) return false;
        put(folder, "\\", 1);
        put_word(folder, brand_vendor());
        put(folder, "\\", 1);
        put_word(folder, brand_application());
    }
    return !folder->is_spoiled && is_resolved(folder->at);
}

static bool read_working_directory(struct text *directory)
{
    static WCHAR path[max_line];
    DWORD size = GetCurrentDirectoryW(max_line, path);
    if (size == 0 || size >= max_line) return false;
    if (size > 3 && path[size - 1] == '\\') size--;
    put_wide(directory, path, (int)size);
    return !directory->is_spoiled;
}

static int try_hand_over(const WCHAR *line)
{
    static char user_bytes[2048], session_bytes[64], folder_bytes[max_path_bytes], directory_bytes[3 * max_line];
    static char argument_bytes[4 * max_line];
    static const char *arguments[max_line / 2];
    struct text user = {user_bytes, 0, sizeof user_bytes - 1, false};
    struct text session = {session_bytes, 0, sizeof session_bytes - 1, false};
    struct text folder = {folder_bytes, 0, sizeof folder_bytes - 1, false};
    struct text directory = {directory_bytes, 0, sizeof directory_bytes - 1, false};
    struct text all = {argument_bytes, 0, sizeof argument_bytes, false};
    size_t count = split_line(line, &all, arguments);
    bool is_known = read_user(&user) && read_session(&session) && read_folder(&folder) && read_working_directory(&directory);
    if (!is_known || all.is_spoiled || session.is_spoiled) return not_handed_over;
    return hand_over(&(struct start){count, arguments, user_bytes, session_bytes, folder_bytes, directory_bytes});
}

/* Starts the executable beside this file with the same arguments, handles and window, and waits for its end. */
static int run_executable(const WCHAR *arguments)
{
    static WCHAR file[max_path], line[max_line];
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    DWORD size = GetModuleFileNameW(NULL, file, max_path), exit_code;
    while (size > 0 && file[size - 1] != '\\') size--;
    if (!to_wide(brand_application(), file + size, (int)(max_path - size) - 4)) return report_missing_executable();
    lstrcatW(file, L".exe");
    if (lstrlenW(file) + lstrlenW(arguments) + 3 > max_line) return report_missing_executable();
    lstrcatW(lstrcatW(lstrcatW(lstrcatW(line, L"\""), file), L"\""), arguments);
    GetStartupInfoW(&startup);
    if (!CreateProcessW(file, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) return report_missing_executable();
    WaitForSingleObject(process.hProcess, INFINITE);
    return GetExitCodeProcess(process.hProcess, &exit_code) ? (int)exit_code : 1;
}

int main(void)
{
    const WCHAR *arguments = after_program(GetCommandLineW());
    int exit_code = try_hand_over(arguments);
    ExitProcess((UINT)(exit_code == not_handed_over ? run_executable(arguments) : exit_code));
}
