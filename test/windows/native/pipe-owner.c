/* Wine gives a pipe that was made without a choice of its owner none. Windows gives it the default owner of the process that makes
 * it, which is what this answers in that case. Linked into a program, it takes the place of GetSecurityInfo of the system. */
#include <windows.h>
#include <aclapi.h>

typedef DWORD WINAPI get_security_info(HANDLE, SE_OBJECT_TYPE, SECURITY_INFORMATION, PSID *, PSID *, PACL *, PACL *,
                                       PSECURITY_DESCRIPTOR *);

static DWORD WINAPI with_owner(HANDLE pipe, SE_OBJECT_TYPE type, SECURITY_INFORMATION what, PSID *owner, PSID *group,
                               PACL *access, PACL *audit, PSECURITY_DESCRIPTOR *descriptor)
{
    static union { TOKEN_OWNER token; BYTE room[256]; } found;
    ULONG server = 0;
    DWORD length = 0;
    HANDLE token = NULL;
    union { FARPROC address; get_security_info *call; } real;
    real.address = GetProcAddress(GetModuleHandleA("advapi32.dll"), "GetSecurityInfo");
    DWORD error = real.call(pipe, type, what, owner, group, access, audit, descriptor);
    if (error != ERROR_SUCCESS || *owner != NULL || !GetNamedPipeServerProcessId(pipe, &server)) return error;
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, server);
    if (OpenProcessToken(process, TOKEN_QUERY, &token) &&
        GetTokenInformation(token, TokenOwner, &found, sizeof found, &length))
        *owner = found.token.Owner;
    if (token) CloseHandle(token);
    CloseHandle(process);
    return error;
}

get_security_info *__imp_GetSecurityInfo = with_owner;
