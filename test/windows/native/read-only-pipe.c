/* Serves a pipe that clients may read from and not write to: what a process without administrator rights has of the pipe of one that
 * has them. Takes its name; says `listens <process id>` when it is there. */
#include <stdio.h>
#include <windows.h>

int main(int count, char **arguments)
{
    if (count != 2) return 2;
    for (int clients = 0;; clients++) {
        HANDLE pipe = CreateNamedPipeA(arguments[1], PIPE_ACCESS_OUTBOUND, PIPE_TYPE_BYTE | PIPE_WAIT, PIPE_UNLIMITED_INSTANCES,
                                       65536, 65536, 0, NULL);
        if (pipe == INVALID_HANDLE_VALUE) return 3;
        if (clients == 0) printf("listens %lu\n", GetCurrentProcessId());
        fflush(stdout);
        ConnectNamedPipe(pipe, NULL);
    }
}
