/*
 * tasklist.exe /FO CSV /NH /FI "PID eq <pid>", which prints nothing in Wine 8: the process with this number, in the columns of Windows'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int argc, char **argv)
{
    DWORD pid = 0, session = 0, exit_code = 0, size = MAX_PATH;
    char path[MAX_PATH] = "";
    const char *name;
    HANDLE process;
    int i;

    for (i = 1; i + 1 < argc; i++)
        if (!_stricmp(argv[i], "/FI") && !strncmp(argv[i + 1], "PID eq ", 7)) pid = strtoul(argv[i + 1] + 7, NULL, 10);
    process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
    if (!process || !GetExitCodeProcess(process, &exit_code) || exit_code != STILL_ACTIVE ||
        !ProcessIdToSessionId(pid, &session)) {
        puts("INFO: No tasks are running which match the specified criteria.");
        return 0;
    }
    QueryFullProcessImageNameA(process, 0, path, &size);
    name = strrchr(path, '\\') ? strrchr(path, '\\') + 1 : path;
    printf("\"%s\",\"%lu\",\"Console\",\"%lu\",\"1 K\"\n", name, pid, session);
    return 0;
}
