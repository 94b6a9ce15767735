/* The parts of the launcher: see launcher.c. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* json.c */

/* A text that is being written. It is spoiled, for good, by bytes that are not UTF-8 or do not fit. */
struct text {
    char *at;
    size_t size, limit;
    bool is_spoiled;
};

void put(struct text *text, const char *bytes, size_t size);
void put_word(struct text *text, const char *word);
/* Appends a string as `JSON.stringify` does, without its quotation marks. */
void put_escaped(struct text *text, const char *string);

void put_hex(struct text *text, uint64_t value, int digits);
bool begins_with(const char *text, const char *word);

/* JSON as a wrapper writes it, by `JSON.stringify`: an object, or the rest of one from a value on. None if `at` is NULL. */
struct json {
    const char *at;
    size_t size;
};

/* Returns nothing if the text ends within the object or behind it, or has no such member. */
struct json json_member(struct json object, const char *name);
bool json_is(struct json value, const char *literal);
/* Appends the characters of a string; half a character becomes U+FFFD. Returns whether it was a string. */
bool put_string(struct text *text, struct json value);

/* launcher.c */

/* The brand's names, which the packer writes into the launcher. */
const char *brand_vendor(void);
const char *brand_application(void);

enum { max_path_bytes = 4096, max_record_bytes = 4096 };

/* A start of the launcher. All texts end in NUL and need not be UTF-8. */
struct start {
    size_t argument_count;
    const char *const *arguments;
    const char *user, *login_session, *user_folder, *working_directory;
};

enum { not_handed_over = -1 };

/* Gives a launch to the running wrapper. Returns the exit code; `not_handed_over` if no wrapper has the launch or ever will. */
int hand_over(const struct start *start);
/* Reports that the executable did not start. Returns the exit code. */
int report_missing_executable(void);

/* posix.c, windows.c */

extern const char path_separator;
extern const char address_beginning[];

/* Milliseconds of a clock that nobody sets, and those since 1970. */
int64_t now_ms(void);
int64_t unix_ms(void);
uint32_t process_id(void);
bool random_bytes(void *bytes, size_t size);
void report(const char *bytes, size_t size);

/* Reads a record of this user alone, in a folder of this user alone. Returns its size; 0 without one, or if it is longer than `limit`. */
size_t read_record(const char *user_folder, const char *folder, const char *file, char *bytes, size_t limit);
bool open_connection(const char *address, int64_t deadline);

/* Ends of a transfer that are no number of bytes. */
enum { connection_ended = 0, deadline_over = -1 };
/* Sends all bytes, or receives some. Returns their number. */
ptrdiff_t send_bytes(const char *bytes, size_t size, int64_t deadline);
ptrdiff_t receive_bytes(char *bytes, size_t size, int64_t deadline);

#endif
