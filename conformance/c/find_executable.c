/* Which executable to start on Windows where no wrapper runs, to be copied: C11, without a library.
 *
 * cl /std:c11 /utf-8 find_executable.c advapi32.lib
 * x86_64-w64-mingw32-gcc -std=c11 find_executable.c -o find_executable.exe
 *
 * A wrapper of another brand has another name and another key: its maker tells them.
 */
#define _CRT_SECURE_NO_WARNINGS
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <wchar.h>

#define EXECUTABLE L"Service.Client.WebWrapper.exe"
#define KEY L"Software\\Service\\Service.Client.WebWrapper"

static int find_below(HKEY root, wchar_t *path, size_t room)
{
    DWORD bytes = (DWORD)(room * sizeof *path);
    /* A text with %variables% comes back with their values. Programs of 32 bits too read what those of 64 bits see. */
    DWORD flags = RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY;
    if (RegGetValueW(root, KEY, L"path", flags, NULL, path, &bytes) != ERROR_SUCCESS) return 0;
    size_t length = wcslen(path);
    const wchar_t *between = length > 0 && path[length - 1] == L'\\' ? L"" : L"\\";
    if (length + wcslen(between) + wcslen(EXECUTABLE) >= room) return 0;
    wcscat(wcscat(path, between), EXECUTABLE);
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

/* The executable of this user, else that of all users; 0 where there is none, or no room for it. */
int find_executable(wchar_t *path, size_t room)
{
    return find_below(HKEY_CURRENT_USER, path, room) || find_below(HKEY_LOCAL_MACHINE, path, room);
}

int main(void)
{
    wchar_t path[1024];
    char text[3 * 1024];
    if (!find_executable(path, sizeof path / sizeof *path)) {
        fputs("No wrapper is installed for this user.\n", stderr);
        return 3;
    }
    _setmode(_fileno(stdout), _O_BINARY);
    WideCharToMultiByte(CP_UTF8, 0, path, -1, text, sizeof text, NULL, NULL);
    puts(text);
    return 0;
}
