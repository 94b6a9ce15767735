/* Sends bytes, in hexadecimal digits, to the pipe of a process and writes the raw answer: a native program without knowledge of
 * frames. With "leave" it ends at once and reads nothing.
 *
 *   send-bytes <process id> <bytes> [leave]
 */
#include <windows.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    char name[64], buffer[4096];
    unsigned char bytes[4096];
    DWORD length = 0, done = 0;
    if (count < 3) return 2;
    for (const char *digits = arguments[2]; length < sizeof bytes; digits += 2) {
        unsigned byte;
        if (sscanf(digits, "%2x", &byte) != 1) break;
        bytes[length++] = (unsigned char)byte;
    }
    snprintf(name, sizeof name, "\\\\.\\pipe\\servicepipe.%s", arguments[1]);
    HANDLE pipe;
    /* The wrapper keeps a few pipe instances ready, and adds more as they are taken. */
    while ((pipe = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL)) == INVALID_HANDLE_VALUE)
        if (GetLastError() != ERROR_PIPE_BUSY || !WaitNamedPipeA(name, 20000)) return 5;
    if (length > 0 && (!WriteFile(pipe, bytes, length, &done, NULL) || done != length)) return 6;
    while (count < 4 && ReadFile(pipe, buffer, sizeof buffer, &done, NULL) && done > 0)
        for (DWORD index = 0; index < done; index++) printf("%02x", (unsigned char)buffer[index]);
    return 0;
}
