/* Linux on x86-64, by system calls alone: one file for every release, without a C library to load. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>

const char path_separator = '/';
const char address_beginning[] = "/";

/* Returns the result, or the negative number of the error. */
static long call(long number, long a, long b, long c, long d, long e)
{
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long open_file(const char *file, int flags)
{
    return call(SYS_open, (long)file, O_RDONLY | O_CLOEXEC | flags, 0, 0, 0);
}

static int64_t clock_ms(long clock)
{
    struct timespec time = {0, 0};
    call(SYS_clock_gettime, clock, (long)&time, 0, 0, 0);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t now_ms(void)
{
    return clock_ms(CLOCK_MONOTONIC);
}

int64_t unix_ms(void)
{
    return clock_ms(CLOCK_REALTIME);
}

uint32_t process_id(void)
{
    return (uint32_t)call(SYS_getpid, 0, 0, 0, 0, 0);
}

bool random_bytes(void *bytes, size_t size)
{
    return call(SYS_getrandom, (long)bytes, (long)size, 0, 0, 0) == (long)size;
}

void report(const char *bytes, size_t size)
{
    while (size > 0) {
        long written = call(SYS_write, 2, (long)bytes, (long)size, 0, 0);
        if (written == -EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}

static long user_id(void)
{
    return call(SYS_getuid, 0, 0, 0, 0, 0);
}

/* Whether a file or folder of that type is this user's, and closed to others. */
static bool is_private(const struct stat *found, mode_t type)
{
    return (found->st_mode & S_IFMT) == type && found->st_uid == (uid_t)user_id() && (found->st_mode & 077) == 0;
}

size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit)
{
    struct stat found;
    if (call(SYS_stat, (long)user_folder, (long)&found, 0, 0, 0) != 0 || found.st_uid != (uid_t)user_id()) return 0;
    if (call(SYS_lstat, (long)folder, (long)&found, 0, 0, 0) != 0 || !is_private(&found, S_IFDIR)) return 0;
    long handle = open_file(file, O_NOFOLLOW | O_NONBLOCK);
    if (handle < 0 || call(SYS_fstat, handle, (long)&found, 0, 0, 0) != 0 || !is_private(&found, S_IFREG)) return 0;
    long size = call(SYS_read, handle, (long)bytes, (long)limit, 0, 0);
    return found.st_size > (off_t)limit || size < 0 ? 0 : (size_t)size;
}

static long connection;

static bool is_ready(short events, int64_t deadline)
{
    struct pollfd wanted = {(int)connection, events, 0};
    for (;;) {
        int64_t left = deadline - now_ms();
        long ready = call(SYS_poll, (long)&wanted, 1, left > 0 ? left : 0, 0, 0);
        if (ready != -EINTR) return ready != 0;
    }
}

bool open_connection(const char *address, int64_t deadline)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t size = strlen(address);
    (void)deadline;
    if (size >= sizeof to.sun_path) return false;
    memcpy(to.sun_path, address, size);
    connection = call(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0, 0);
    return connection >= 0 && call(SYS_connect, connection, (long)&to, sizeof to, 0, 0) == 0;
}

ptrdiff_t send_bytes(const char *bytes, size_t size, int64_t deadline)
{
    for (size_t sent = 0; sent < size;) {
        if (!is_ready(POLLOUT, deadline)) return deadline_over;
        long more = call(SYS_sendto, connection, (long)(bytes + sent), (long)(size - sent), MSG_NOSIGNAL, 0);
        if (more >= 0) sent += (size_t)more;
        else if (more != -EAGAIN && more != -EINTR) return connection_ended;
    }
    return (ptrdiff_t)size;
}

ptrdiff_t receive_bytes(char *bytes, size_t size, int64_t deadline)
{
    for (;;) {
        if (!is_ready(POLLIN, deadline)) return deadline_over;
        long more = call(SYS_read, connection, (long)bytes, (long)size, 0, 0);
        if (more != -EAGAIN && more != -EINTR) return more > 0 ? more : connection_ended;
    }
}

static const char *variable(char *const *environment, const char *name)
{
    size_t size = strlen(name);
    for (; *environment; environment++)
        if (begins_with(*environment, name) && (*environment)[size] == '=') return *environment + size + 1;
    return "";
}

/* The id of the user, and of the machine where it has one. */
static bool read_user(struct text *user)
{
    char digits[12], id[256];
    size_t at = sizeof digits, end = 0, begin = 0;
    unsigned long number = (unsigned long)user_id();
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put(user, digits + at, sizeof digits - at);
    long handle = open_file("/etc/machine-id", 0);
    long size = handle < 0 ? -1 : call(SYS_read, handle, (long)id, sizeof id, 0, 0);
    if (size < 0) return true;
    if (size == sizeof id) return false;
    for (end = (size_t)size; end > 0 && (id[end - 1] == ' ' || id[end - 1] == '\n');) end--;
    for (begin = 0; begin < end; begin++)
        if (id[begin] <= ' ' || id[begin] == 127) return false;
    put(user, "@", 1);
    put(user, id, end);
    return true;
}

/* The display without its screen: `:0` of `:0.0`. */
static void put_display(struct text *session, const char *display)
{
    size_t size = strlen(display), screen = size, number;
    while (screen > 0 && display[screen - 1] >= '0' && display[screen - 1] <= '9') screen--;
    if (screen > 1 && screen < size && display[screen - 1] == '.') {
        for (number = screen - 1; number > 0 && display[number - 1] >= '0' && display[number - 1] <= '9';) number--;
        if (number > 0 && number < screen - 1 && display[number - 1] == ':') size = screen - 1;
    }
    put(session, display, size);
}

/* Whether Node would not resolve a path to another text. */
static bool is_resolved(const char *path)
{
    size_t size = strlen(path);
    if (size < 2 || path[0] != '/' || path[size - 1] == '/') return false;
    for (const char *at = path; *at; at++) {
        if (*at != '/') continue;
        const char *part = at[1] == '.' ? at + 2 : at + 1;
        if (part > at + 1 && *part == '.') part++;
        if (*part == '/' || (*part == 0 && part > at + 1)) return false;
    }
    return true;
}

static bool read_place(char *const *environment, struct text *user, struct text *session, struct text *folder)
{
    const char *data = variable(environment, "XDG_DATA_HOME"), *home = variable(environment, "HOME");
    put_display(session, variable(environment, "DISPLAY"));
    if (session->size == 0) put_word(session, variable(environment, "WAYLAND_DISPLAY"));
    put_word(folder, variable(environment, "SERVICE_WRAPPER_DATA"));
    if (folder->size == 0) {
        put_word(folder, *data ? data : home);
        put_word(folder, *data ? "/" : "/.local/share/");
        put_word(folder, brand_vendor());
        put(folder, "/", 1);
        put_word(folder, brand_application());
        if (!*data && !*home) return false;
    }
    return read_user(user) && !user->is_spoiled && !session->is_spoiled && !folder->is_spoiled && is_resolved(folder->at);
}

/* As `process.cwd` of Node; of a removed folder a path that does not exist. */
static bool read_working_directory(char *bytes, size_t size)
{
    long result = call(SYS_getcwd, (long)bytes, (long)size, 0, 0, 0);
    if (result == -ERANGE || result == -ENAMETOOLONG) return false;
    if (result < 0 || bytes[0] != '/') memcpy(bytes, "/nonexistent", sizeof "/nonexistent");
    return true;
}

static int try_hand_over(size_t count, char **arguments, char *const *environment)
{
    static char user_bytes[512], session_bytes[512], folder_bytes[max_path_bytes], directory[max_path_bytes];
    struct text user = {user_bytes, 0, sizeof user_bytes - 1, false};
    struct text session = {session_bytes, 0, sizeof session_bytes - 1, false};
    struct text folder = {folder_bytes, 0, sizeof folder_bytes - 1, false};
    if (!read_place(environment, &user, &session, &folder)) return not_handed_over;
    if (!read_working_directory(directory, sizeof directory)) return not_handed_over;
    const char *const *others = (const char *const *)arguments + 1;
    return hand_over(&(struct start){count - 1, others, user_bytes, session_bytes, folder_bytes, directory});
}

/* Becomes the executable beside this file. Returns only if that fails. */
static void become_node(char **arguments, char *const *environment)
{
    static char bytes[max_path_bytes];
    long size = call(SYS_readlink, (long)"/proc/self/exe", (long)bytes, sizeof bytes - 1, 0, 0);
    while (size > 0 && bytes[size - 1] != '/') size--;
    struct text file = {bytes, size > 0 ? (size_t)size : 0, sizeof bytes - 1, size <= 0};
    put_word(&file, brand_application());
    put(&file, "", 1);
    if (file.is_spoiled) return;
    arguments[0] = bytes;
    call(SYS_execve, (long)bytes, (long)arguments, (long)environment, 0, 0);
}

/* The stack of a new process: the number of arguments, they, NULL, the environment, NULL. */
__attribute__((used)) void begin(long *stack)
{
    char **arguments = (char **)(stack + 1);
    char *const *environment = (char *const *)arguments + stack[0] + 1;
    int exit_code = stack[0] > 0 ? try_hand_over((size_t)stack[0], arguments, environment) : 2;
    if (exit_code == not_handed_over) {
        become_node(arguments, environment);
        exit_code = report_missing_executable();
    }
    call(SYS_exit_group, exit_code, 0, 0, 0, 0);
    __builtin_unreachable();
}

__asm__(".global _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");

/* What the compiler and the other files need of a C library. */

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    for (size_t index = 0; index < size; index++) ((char *)to)[index] = ((const char *)from)[index];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    if ((uintptr_t)to <= (uintptr_t)from) {
        for (size_t index = 0; index < size; index++) ((char *)to)[index] = ((const char *)from)[index];
        return to;
    }
    while (size-- > 0) ((char *)to)[size] = ((const char *)from)[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    for (size_t index = 0; index < size; index++) ((char *)to)[index] = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    for (; size > 0; size--, left++, right++)
        if (*left != *right) return *left - *right;
    return 0;
}

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size]) size++;
    return size;
}
