/* Writes its arguments, one per line, as UTF-16 in hexadecimal digits: "R" those of the C run-time library, "S" those of
 * CommandLineToArgvW. Output: standard output, or the file of ARGUMENTS_FILE. Needs -municode. */
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <wchar.h>

/* Keeps stars and question marks in arguments unexpanded. */
int _dowildcard = 0;

static void write_all(FILE *file, char by, int count, wchar_t **arguments)
{
    for (int index = 1; index < count; index++) {
        fprintf(file, "%c ", by);
        for (const wchar_t *unit = arguments[index]; *unit; unit++) fprintf(file, "%04x", (unsigned)*unit);
        fputc('\n', file);
    }
}

int wmain(int count, wchar_t **arguments)
{
    const wchar_t *name = _wgetenv(L"ARGUMENTS_FILE");
    FILE *file = name && *name ? _wfopen(name, L"wb") : stdout;
    int split_count = 0;
    wchar_t **split = CommandLineToArgvW(GetCommandLineW(), &split_count);
    if (!file || !split) return 5;
    write_all(file, 'R', count, arguments);
    write_all(file, 'S', split_count, split);
    return fclose(file) == 0 ? 0 : 6;
}
