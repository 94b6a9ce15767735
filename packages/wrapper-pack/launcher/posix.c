/* Linux, linked with musl, so that one file runs on each release. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

const char path_separator = '/', address_beginning[] = "/";

int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool random_bytes(void *bytes, size_t size)
{
    return getentropy(bytes, size) == 0;
}

void report(const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, stderr);
}

/* Whether a file or folder of that type is this user's, and closed to others. */
static bool is_private(const struct stat *found, mode_t type)
{
    return (found->st_mode & S_IFMT) == type && found->st_uid == getuid() && (found->st_mode & 077) == 0;
}

size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit)
{
    struct stat found;
    if (stat(user_folder, &found) != 0 || found.st_uid != getuid()) return 0;
    if (lstat(folder, &found) != 0 || !is_private(&found, S_IFDIR)) return 0;
    int handle = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (handle < 0 || fstat(handle, &found) != 0 || !is_private(&found, S_IFREG)) return 0;
    ssize_t size = read(handle, bytes, limit);
    return size < 0 || (size_t)size == limit ? 0 : (size_t)size;
}

static int connection;

void allow_foreground(unsigned long pid)
{
    (void)pid;
}

bool open_connection(const char *address, int64_t deadline)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    (void)deadline;
    if (strlen(address) >= sizeof to.sun_path) return false;
    strcpy(to.sun_path, address);
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return connection >= 0 && connect(connection, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool is_ready(short events, int64_t deadline)
{
    struct pollfd wanted = {connection, events, 0};
    return poll(&wanted, 1, left_ms(deadline)) != 0;
}

ptrdiff_t send_some(const char *bytes, size_t size, int64_t deadline)
{
    if (!is_ready(POLLOUT, deadline)) return is_late;
    ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
    return sent > 0 ? sent : is_ended;
}

ptrdiff_t receive_some(char *bytes, size_t size, int64_t deadline)
{
    if (!is_ready(POLLIN, deadline)) return is_late;
    ssize_t received = read(connection, bytes, size);
    return received > 0 ? received : is_ended;
}

void put_variable(struct text *text, const char *name)
{
    const char *value = getenv(name);
    put_format(text, "%s", value ? value : "");
}

bool is_absolute(const char *path)
{
    return path[0] == '/';
}

/* The id of the user, and of the machine where it has one. */
void put_user(struct text *user)
{
    char id[256] = "";
    FILE *file = fopen("/etc/machine-id", "re");
    put_format(user, "%u", (unsigned)getuid());
    if (!file) return;
    fscanf(file, "%255s", id);
    put_format(user, "@%s", id);
}

/* The display without its screen: `:0` of `:0.0`. */
void put_desktop(struct text *desktop)
{
    put_variable(desktop, "DISPLAY");
    const char *number = strrchr(desktop->at, ':');
    int display = 0, screen = 0;
    if (number) sscanf(number, ":%*[0-9]%n.%*[0-9]%n", &display, &screen);
    if (screen > 0 && number[screen] == 0) desktop->size -= (size_t)(screen - display);
    desktop->at[desktop->size] = 0;
    if (desktop->size == 0) put_variable(desktop, "WAYLAND_DISPLAY");
}

void put_data_folder(struct text *folder)
{
    put_folder_variable(folder, "XDG_DATA_HOME");
    if (folder->size > 0) return;
    put_folder_variable(folder, "HOME");
    if (folder->size > 0) put_format(folder, "/.local/share");
}

static bool is_unicode(const char *text)
{
    return mbstowcs(NULL, text, 0) != (size_t)-1;
}

/* As `process.cwd` of Node; of a removed folder a path that does not exist. */
void put_working_directory(struct text *directory)
{
    static char path[max_path_bytes] = "/nonexistent";
    bool is_found = getcwd(path, sizeof path) != NULL;
    if ((!is_found && errno != ENOENT) || !is_unicode(path)) is_doubtful = true;
    put_format(directory, "%s", path);
}

/* Becomes the executable beside this file. Returns only if that fails. */
static void become_executable(char **arguments)
{
    static char path[max_path_bytes], file[max_path_bytes + 256];
    char *end = readlink("/proc/self/exe", path, sizeof path - 1) > 0 ? strrchr(path, '/') : NULL;
    if (!end) return;
    end[1] = 0;
    int size = snprintf(file, sizeof file, "%s%s", path, brand_application());
    arguments[0] = file;
    if ((size_t)size < sizeof file) execv(file, arguments);
}

int main(int count, char **arguments)
{
    if (count == 0) return fail(MISSING);
    bool is_known = setlocale(LC_CTYPE, "C.UTF-8");
    for (int index = 1; index < count; index++) is_known = is_known && is_unicode(arguments[index]);
    int exit_code = is_known ? hand_over((size_t)count - 1, (const char *const *)arguments + 1) : not_handed_over;
    if (exit_code != not_handed_over) return exit_code;
    become_executable(arguments);
    return fail(MISSING);
}
