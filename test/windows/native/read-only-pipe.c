/* Serves a read-only pipe, like the pipe of a process with administrator rights as seen by one without. Argument: the pipe's
 * name. Prints `listens <process id>` when the pipe is there. */
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
