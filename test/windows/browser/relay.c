/*
 * A Windows browser whose pages are drawn by a browser on the host. Like a browser with --remote-debugging-pipe it gets commands
 * on file descriptor 3 and answers on 4, which the C runtime inherits. It sends its arguments to the host by TCP, then relays
 * commands and answers. The variable BROWSER_RELAY has the port and a word known to this test run only: "45871:word".
 *
 * Where there is a display it has a frame, as the window of a browser is: beside it a bubble with an owner and a tool window.
 */
#include <winsock2.h>
#include <windows.h>
#include <shellapi.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

enum { commands = 3, answers = 4, cannotStart = 2, failed = 1 };

static SOCKET host;

static void sendAll(const char *bytes, int count)
{
    while (count > 0) {
        int sent = send(host, bytes, count, 0);
        if (sent <= 0)
            ExitProcess(failed);
        bytes += sent;
        count -= sent;
    }
}

static void sendText(const wchar_t *text)
{
    int count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *bytes = malloc(count);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, count, NULL, NULL);
    sendAll(bytes, count);
    free(bytes);
}

static int connectToHost(u_short port)
{
    WSADATA data;
    struct sockaddr_in address = {0};
    if (WSAStartup(MAKEWORD(2, 2), &data))
        return 0;
    host = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return !connect(host, (struct sockaddr *)&address, sizeof address);
}

/* The commands end with the wrapper, even when it was killed. */
static DWORD WINAPI passCommands(void *unused)
{
    static char bytes[65536];
    int count;
    (void)unused;
    while ((count = _read(commands, bytes, sizeof bytes)) > 0)
        sendAll(bytes, count);
    ExitProcess(0);
}

/* Closing is for the page, as in a browser. */
static LRESULT CALLBACK handle(HWND window, UINT message, WPARAM word, LPARAM value)
{
    return message == WM_CLOSE ? 0 : DefWindowProcW(window, message, word, value);
}

static DWORD WINAPI runWindows(void *unused)
{
    MSG message;
    WNDCLASSW class = {.lpfnWndProc = handle, .lpszClassName = L"Chrome_WidgetWin_1"};
    (void)unused;
    RegisterClassW(&class);
    CreateWindowW(L"STATIC", L"Helper of the browser", WS_POPUP | WS_VISIBLE, 0, 0, 9, 9, NULL, NULL, NULL, NULL);
    HWND frame = CreateWindowW(class.lpszClassName, L"Web app of a test", WS_OVERLAPPEDWINDOW, 60, 60, 500, 400, NULL, NULL, NULL, NULL);
    ShowWindow(frame, SW_SHOWNORMAL);
    CreateWindowW(class.lpszClassName, L"Bubble of the browser", WS_POPUP | WS_VISIBLE, 0, 0, 9, 9, frame, NULL, NULL, NULL);
    while (GetMessageW(&message, NULL, 0, 0) > 0)
        DispatchMessageW(&message);
    return 0;
}

int main(void)
{
    static char bytes[65536];
    wchar_t relay[128];
    int count, index;
    wchar_t **args = CommandLineToArgvW(GetCommandLineW(), &count);
    wchar_t *word = GetEnvironmentVariableW(L"BROWSER_RELAY", relay, 128) ? wcschr(relay, L':') : NULL;
    if (!word || !connectToHost((u_short)_wtoi(relay)))
        return cannotStart;
    if (_setmode(commands, _O_BINARY) == -1 || _setmode(answers, _O_BINARY) == -1)
        return cannotStart;
    sendText(word + 1);
    for (index = 1; index < count; index++)
        sendText(args[index]);
    /* An empty text ends the list. */
    sendText(L"");
    CreateThread(NULL, 0, passCommands, NULL, 0, NULL);
    CreateThread(NULL, 0, runWindows, NULL, 0, NULL);
    while ((count = recv(host, bytes, sizeof bytes, 0)) > 0)
        for (index = 0; index < count;) {
            int written = _write(answers, bytes + index, count - index);
            if (written <= 0)
                ExitProcess(0);
            index += written;
        }
    /* The host's browser has ended: in order, or by a crash when the connection broke. */
    ExitProcess(count < 0 ? failed : 0);
}
