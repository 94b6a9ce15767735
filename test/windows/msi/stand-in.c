#include <windows.h>
#include <stdio.h>

/* Makes the settings beside it of those that were delivered, or removes them. */
static BOOL settle(PCWSTR arguments)
{
    WCHAR settings[MAX_PATH], delivered[MAX_PATH];
    GetModuleFileNameW(NULL, settings, MAX_PATH - 16);
    wcscat(settings, L".config");
    wcscpy(delivered, settings);
    wcscat(delivered, L".default");
    if (wcsstr(arguments, L"installer settle")) return CopyFileW(delivered, settings, FALSE);
    return !wcsstr(arguments, L"installer forget") || DeleteFileW(settings);
}

/* Stands in for a wrapper's executable: notes what it is started with, in a file on drive C, and does with the settings as one does. */
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, PWSTR arguments, int show)
{
    FILE *file = _wfopen(L"C:\\installer-runs.txt", L"ab");
    if (!file) return 1;
    char text[1024];
    int length = WideCharToMultiByte(CP_UTF8, 0, arguments, -1, text, sizeof text, NULL, NULL);
    if (length > 1) fwrite(text, 1, length - 1, file);
    fputc('\n', file);
    fclose(file);
    return !settle(arguments);
}
