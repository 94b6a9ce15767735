/* The parts of the launcher: see launcher.c. One process hands over one launch, so state is kept in files. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* json.c */

/* Whether anything is not as this launcher expects it. Then the executable gets the launch. */
extern bool is_doubtful;

/* A text that is being written, with NUL behind it. Bytes that do not fit are left out, and make the launch doubtful. */
struct text {
    char *at;
    size_t size, limit;
};

/* Declares an empty text with room for `room` bytes and NUL. */
#define NEW_TEXT(name, room)           \
    static char name##_room[room + 1]; \
    static struct text name = {name##_room, 0, room}

void put(struct text *text, const char *bytes, size_t size);
/* Appends as `printf` does. */
__attribute__((format(printf, 2, 3))) void put_format(struct text *text, const char *format, ...);
/* Append a string, or an array of them, as `JSON.stringify` does. */
void put_quoted(struct text *text, const char *string);
void put_list(struct text *text, size_t count, const char *const *strings);

/*
 * Returns the value of a member of JSON that a wrapper wrote by `JSON.stringify`; NULL if the text is no whole object or has no such
 * member. NUL is somewhere behind the text.
 */
const char *json_member(const char *object, size_t size, const char *name);
/* Tells whether a text or value is there and begins so. */
bool begins_with(const char *text, const char *beginning);
/* Appends the characters of a value that is a string. `JSON.stringify` writes as `\u` control characters and half characters alone. */
void put_string(struct text *text, const char *value);

/* launcher.c */

enum { max_path_bytes = 4096, max_directory_bytes = 3 * 32768, not_handed_over = -1 };

/* The brand's name, which the packer writes into the launcher. The executable has it too. */
const char *brand_application(void);
/* Gives a launch to the running wrapper. Returns the exit code; `not_handed_over` if no wrapper has the launch or ever will. */
int hand_over(size_t argument_count, const char *const *arguments);
/* Reports why the launch failed, and on the next line the entry of the code in the error index. Returns the exit code. */
int fail(const char *sentence);
#define MISSING "The wrapper’s executable beside this launcher could not be started. Install the wrapper again. (ERR_EXECUTABLE)\n" ERROR_INDEX "err_executable\n"
/* Milliseconds until a time of `now_ms`, at least 0. */
int left_ms(int64_t deadline);

/* posix.c, windows.c */

extern const char path_separator, address_beginning[];

/* Append what names this user's wrapper, and the launch's directory. A failure, or bytes that are not Unicode, are doubtful. */
void put_user(struct text *text);
void put_desktop(struct text *text);
/* Nothing if there is none. */
void put_variable(struct text *text, const char *name);
/* The same for a variable that names a folder: nothing if its path is relative, as `folderVariable` of protocol-core. */
void put_folder_variable(struct text *text, const char *name);
bool is_absolute(const char *path);
/* The folder in which applications keep data of this user; nothing if there is none. */
void put_data_folder(struct text *text);
void put_working_directory(struct text *text);

/* Milliseconds of a clock that nobody sets. */
int64_t now_ms(void);
bool random_bytes(void *bytes, size_t size);
void report(const char *bytes, size_t size);

/* Reads a record of this user alone, in a folder of this user alone. Returns its size; 0 without one, or if it is not below `limit`. */
size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit);
/* Lets a process, if there is one, bring its window to the front, where the system asks for that. The last one has the right. */
void allow_foreground(unsigned long pid);
bool open_connection(const char *address, int64_t deadline);

/* Ends of a transfer that are no number of bytes. */
enum { is_ended = 0, is_late = -1, is_garbled = -2 };
/* Send or receive some bytes. Return their number, `is_ended` or `is_late`. */
ptrdiff_t send_some(const char *bytes, size_t size, int64_t deadline);
ptrdiff_t receive_some(char *bytes, size_t size, int64_t deadline);

#endif
