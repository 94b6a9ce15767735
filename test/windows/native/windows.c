/*
 * The windows of a desktop. `windows list` prints those that are seen, from the front to the back, a line each: `>` for the one with the
 * keyboard, `_` for one that is minimized, place and size, class and title. `windows open <title>` opens one with the keyboard, and
 * `windows focus <title>` gives it the keyboard again; `windows click <title>` does so by a click of the mouse, as a user does.
 * `windows minimize <title>` and `windows close <title>` do what its buttons do, and `windows has <title>` ends with 0 if one is seen. `windows from <title> <program> <argument>...` starts a program from the process of such a window, as a partner does, waits for its
 * end, and ends with its exit code. `windows icon <title>` prints the place of the icon of a window in the notification area, and
 * `windows press <left|right> <x> <y>` clicks there.
 * `windows taskbar <file>` is a taskbar in front of the real one that answers nothing until there is such a file.
 */
#define WIN32_LEAN_AND_MEAN
#include <stdio.h>
#include <wchar.h>
#include <windows.h>
#include <shellapi.h>

enum { max_text = 256, max_line = 4096, wait_ms = 120000, focus_ms = 5000 };

static void print_window(HWND window)
{
    WCHAR class[max_text] = L"", title[max_text] = L"";
    char line[4 * max_text];
    RECT place = {0};
    GetClassNameW(window, class, max_text);
    GetWindowTextW(window, title, max_text);
    GetWindowRect(window, &place);
    const char *mark = IsIconic(window) ? "_" : window == GetForegroundWindow() ? ">" : " ";
    snprintf(line, sizeof line, "%s %ld,%ld,%ld,%ld %ls: %ls\n", mark, (long)place.left, (long)place.top,
             (long)(place.right - place.left), (long)(place.bottom - place.top), class, title);
    fputs(line, stdout);
}

static int list_windows(void)
{
    for (HWND window = GetTopWindow(NULL); window; window = GetWindow(window, GW_HWNDNEXT))
        if (IsWindowVisible(window)) print_window(window);
    return 0;
}

/* Starts the command line that another process has sent. The answer is the new process's id. */
static LRESULT CALLBACK handle(HWND window, UINT message, WPARAM word, LPARAM value)
{
    if (message != WM_COPYDATA) return DefWindowProcW(window, message, word, value);
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION started;
    WCHAR *line = ((COPYDATASTRUCT *)value)->lpData;
    if (!CreateProcessW(NULL, line, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &startup, &started)) return 0;
    CloseHandle(started.hThread);
    /* The handle stays open, so that the id stays that process's. */
    return (LRESULT)started.dwProcessId;
}

static int open_window(const WCHAR *title)
{
    MSG message;
    WNDCLASSW class = {.lpfnWndProc = handle, .lpszClassName = L"OfAPartner"};
    RegisterClassW(&class);
    HWND window = CreateWindowW(class.lpszClassName, title, WS_OVERLAPPEDWINDOW | WS_VISIBLE, 20, 20, 700, 500, NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
    return 0;
}

/* No argument has quotes, or a backslash at its end. */
static int start_from(HWND window, int count, WCHAR **arguments)
{
    static WCHAR line[max_line];
    size_t length = 0;
    DWORD code = 0;
    for (int index = 0; index < count; index++)
        length += (size_t)swprintf(line + length, max_line - length, L"\"%ls\" ", arguments[index]);
    COPYDATASTRUCT data = {.cbData = (DWORD)((length + 1) * sizeof *line), .lpData = line};
    DWORD pid = (DWORD)SendMessageW(window, WM_COPYDATA, 0, (LPARAM)&data);
    HANDLE process = pid ? OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid) : NULL;
    if (!process || WaitForSingleObject(process, wait_ms) != WAIT_OBJECT_0) return 250;
    return GetExitCodeProcess(process, &code) ? (int)code : 251;
}

static int press(int is_right, int x, int y)
{
    INPUT inputs[2] = {{.type = INPUT_MOUSE}, {.type = INPUT_MOUSE}};
    inputs[0].mi.dwFlags = is_right ? MOUSEEVENTF_RIGHTDOWN : MOUSEEVENTF_LEFTDOWN;
    inputs[1].mi.dwFlags = is_right ? MOUSEEVENTF_RIGHTUP : MOUSEEVENTF_LEFTUP;
    return !SetCursorPos(x, y) || SendInput(2, inputs, sizeof *inputs) != 2;
}

/* Only a click gives another process's window the keyboard in every case. It is above the others meanwhile. */
static int click(HWND window)
{
    const UINT as_it_is = SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE;
    RECT place;
    if (!SetWindowPos(window, HWND_TOPMOST, 0, 0, 0, 0, as_it_is) || !GetWindowRect(window, &place)) return 1;
    int is_sent = press(0, (place.left + place.right) / 2, place.top + GetSystemMetrics(SM_CYFRAME) + GetSystemMetrics(SM_CYCAPTION) / 2);
    for (int waited = 0; waited < focus_ms && GetForegroundWindow() != window; waited += 20) Sleep(20);
    SetWindowPos(window, HWND_NOTOPMOST, 0, 0, 0, 0, as_it_is);
    return is_sent != 0 || GetForegroundWindow() != window;
}

/* The icon of the window, whose number is 1. */
static int find_icon(HWND window)
{
    NOTIFYICONIDENTIFIER icon = {.cbSize = sizeof icon, .hWnd = window, .uID = 1};
    RECT place;
    if (Shell_NotifyIconGetRect(&icon, &place) != S_OK) return 1;
    printf("%ld,%ld\n", (long)(place.left + place.right) / 2, (long)(place.top + place.bottom) / 2);
    return 0;
}

static int hang_as_taskbar(const WCHAR *end_file)
{
    WNDCLASSW class = {.lpfnWndProc = DefWindowProcW, .lpszClassName = L"Shell_TrayWnd"};
    RegisterClassW(&class);
    if (!CreateWindowExW(WS_EX_TOPMOST, class.lpszClassName, NULL, WS_POPUP, 0, 0, 1, 1, NULL, NULL, NULL, NULL)) return 1;
    fputs("hangs\n", stdout);
    fflush(stdout);
    while (GetFileAttributesW(end_file) == INVALID_FILE_ATTRIBUTES) Sleep(50);
    return 0;
}

int wmain(int count, WCHAR **arguments)
{
    if (count < 3) return list_windows();
    if (wcscmp(arguments[1], L"taskbar") == 0) return hang_as_taskbar(arguments[2]);
    if (wcscmp(arguments[1], L"open") == 0) return open_window(arguments[2]);
    if (wcscmp(arguments[1], L"press") == 0)
        return count < 5 || press(wcscmp(arguments[2], L"right") == 0, _wtoi(arguments[3]), _wtoi(arguments[4]));
    HWND window = FindWindowW(NULL, arguments[2]);
    if (wcscmp(arguments[1], L"from") == 0) return start_from(window, count - 3, arguments + 3);
    if (wcscmp(arguments[1], L"click") == 0) return click(window);
    if (wcscmp(arguments[1], L"has") == 0) return !window || !IsWindowVisible(window);
    if (wcscmp(arguments[1], L"close") == 0) return !PostMessageW(window, WM_CLOSE, 0, 0);
    if (wcscmp(arguments[1], L"minimize") == 0) return !PostMessageW(window, WM_SYSCOMMAND, SC_MINIMIZE, 0);
    if (wcscmp(arguments[1], L"icon") == 0) return find_icon(window);
    /* A click does both. */
    return !BringWindowToTop(window) || !SetForegroundWindow(window);
}
