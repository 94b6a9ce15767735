/*
 * Replaces tasklist.exe /FO CSV /NH, which prints nothing in Wine 8: all processes, in the columns of Windows.
 */
#include <stdio.h>
#include <windows.h>
#include <tlhelp32.h>

int main(void)
{
    HANDLE processes = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32 entry;
    DWORD session;

    entry.dwSize = sizeof(entry);
    if (processes == INVALID_HANDLE_VALUE || !Process32First(processes, &entry)) return 1;
    do {
        if (ProcessIdToSessionId(entry.th32ProcessID, &session))
            printf("\"%s\",\"%lu\",\"Console\",\"%lu\",\"1 K\"\n", entry.szExeFile, entry.th32ProcessID, session);
    } while (Process32Next(processes, &entry));
    return 0;
}
