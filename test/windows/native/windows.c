/*
 * The windows of a desktop. `windows list` prints those that are seen, from the front to the back, a line each: `>` for the one with the
 * keyboard, `_` for one that is minimized, place and size, class and title. `windows open <title>` opens one with the keyboard, and
 * `windows focus <title>` gives it the keyboard again.
 */
#define WIN32_LEAN_AND_MEAN
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

enum { max_text = 256 };

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

static int open_window(const WCHAR *title)
{
    MSG message;
    WNDCLASSW class = {.lpfnWndProc = DefWindowProcW, .lpszClassName = L"OfAPartner"};
    RegisterClassW(&class);
    HWND window = CreateWindowW(class.lpszClassName, title, WS_OVERLAPPEDWINDOW | WS_VISIBLE, 20, 20, 700, 500, NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
    return 0;
}

int wmain(int count, WCHAR **arguments)
{
    if (count < 3) return list_windows();
    if (wcscmp(arguments[1], L"open") == 0) return open_window(arguments[2]);
    HWND window = FindWindowW(NULL, arguments[2]);
    /* A click does both. */
    return !BringWindowToTop(window) || !SetForegroundWindow(window);
}
