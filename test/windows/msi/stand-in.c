#include <windows.h>
#include <stdio.h>

/* Stands in for a wrapper's executable: appends its arguments to a file on drive C. */
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, PWSTR arguments, int show)
{
    FILE *file = _wfopen(L"C:\\installer-runs.txt", L"ab");
    if (!file) return 1;
    char text[1024];
    int length = WideCharToMultiByte(CP_UTF8, 0, arguments, -1, text, sizeof text, NULL, NULL);
    if (length > 1) fwrite(text, 1, length - 1, file);
    fputc('\n', file);
    fclose(file);
    return 0;
}
