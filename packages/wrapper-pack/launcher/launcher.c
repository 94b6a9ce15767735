/*
 * The launcher: gives its launch to the wrapper that runs, as start/hand-off.ts of wrapper-host does, without the start of a Node.
 * Whatever it does not know, expect or find, it leaves to the executable beside it, which starts with the same arguments.
 *
 * A wrapper carries a launch out only after the operating system has its answer. So before an answer the executable may offer the
 * launch again, with another id. After an answer, or when none came in time, nobody offers it again.
 */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

/* Longest waits in milliseconds: for the proof, for the answer, and for the end of a launch that waits. Tests have others. */
#ifndef PROOF_MS
#define PROOF_MS 5000
#define ACCEPT_MS 30000
#define END_MS 300000
#endif
#define DIGITS_OF(value) #value
#define DIGITS(value) DIGITS_OF(value)

enum { header_bytes = 4, max_frame_bytes = 1024 * 1024, max_record_bytes = 4096, secret_digits = 64, exit_refused = 2 };

#define LATE "The wrapper that runs did not answer within " DIGITS(ACCEPT_MS) " ms. Close it, or end its process, and start again. (ERR_HAND_OFF_TIMEOUT)\n" ERROR_INDEX "err_hand_off_timeout\n"
#define LOST "The wrapper took the launch and ended before it told whether the web app has its commands. Look there before you start it again. (ERR_HAND_OFF_LOST)\n" ERROR_INDEX "err_hand_off_lost\n"
#define WAITED "The wrapper took the launch, but the web app has not taken its commands within " DIGITS(END_MS) " ms; it may still do so. Look there, perhaps for somebody to sign in, before you start it again. (ERR_WAIT_TIMEOUT)\n" ERROR_INDEX "err_wait_timeout\n"
#define GARBLED "The frame is not JSON. (ERR_JSON)\n" ERROR_INDEX "err_json\n"

/* The packer writes vendor and application of the brand behind the line, each with a NUL behind it. Not constant: no compiler may read it. */
#define BRAND_LINE "wrapper-pack: the names of the brand follow here\n"
char brand_names[320] = BRAND_LINE;
static const char *const brand_vendor = brand_names + sizeof BRAND_LINE - 1;

const char *brand_application(void)
{
    return brand_vendor + strlen(brand_vendor) + 1;
}

int fail(const char *sentence)
{
    report(sentence, strlen(sentence));
    return exit_refused;
}

int left_ms(int64_t deadline)
{
    int64_t left = deadline - now_ms();
    return left > 0 ? (int)left : 0;
}

/* Whether a text is a subcommand, or may be a misspelled one. */
static bool is_word(const char *text)
{
    return *text && text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] == 0;
}

/* Whether the executable would carry out a command, or refuse an option of Node. */
static bool is_for_executable(size_t count, const char *const *arguments)
{
    static const char *const words[] = {"--help", "-h", "/?", "--version"};
    if (count > 0 && is_word(arguments[0])) return true;
    for (size_t index = 0; index < count; index++) {
        size_t word_count = index == 0 ? sizeof words / sizeof *words : 3;
        if (begins_with(arguments[index], "--experimental-")) return true;
        for (size_t word = 0; word < word_count; word++)
            if (strcmp(arguments[index], words[word]) == 0) return true;
    }
    return false;
}

/* A UUID of version 4. */
static void put_launch_id(struct text *text)
{
    uint32_t random[4];
    if (!random_bytes(random, sizeof random)) is_doubtful = true;
    put_format(text, "%08x-%04x-4%03x-", random[0], random[1] & 0xffff, random[1] >> 20);
    put_format(text, "%04x-%04x%08x", 0x8000 | (random[2] & 0x3fff), random[2] >> 16, random[3]);
}

void put_folder_variable(struct text *text, const char *name)
{
    size_t before = text->size;
    put_variable(text, name);
    if (is_absolute(text->at + before)) return;
    text->size = before;
    text->at[before] = 0;
}

/* As `userFolder` of a packed wrapper. A path that Node would resolve to another has no record: the name of a record has the path in it. */
static void put_user_folder(struct text *folder)
{
    put_data_folder(folder);
    if (folder->size == 0) is_doubtful = true;
    put_format(folder, "%c%s%c%s", path_separator, brand_vendor, path_separator, brand_application());
}

/* The beginning of FNV-1a with 128 bits, as `fingerprint` makes it. */
static void put_fingerprint(struct text *text, const struct text *of)
{
    __extension__ typedef unsigned __int128 wide;
    wide hash = (wide)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
    for (size_t index = 0; index < of->size; index++)
        hash = (hash ^ (unsigned char)of->at[index]) * (((wide)1 << 88) + 0x13b);
    put_format(text, "%08x%04x", (unsigned)(hash >> 96), (unsigned)(hash >> 80) & 0xffff);
}

/* What a wrapper publishes for its user alone. */
NEW_TEXT(address, max_path_bytes);
NEW_TEXT(ask, secret_digits);
NEW_TEXT(answer, secret_digits);
/* 0 without a process. */
static unsigned long wrapper_pid, browser_pid;

static unsigned long process_id(const char *value)
{
    /* The highest number means every process to Windows. */
    unsigned long id = value ? strtoul(value, NULL, 10) : 0;
    return id < 0xffffffff ? id : 0;
}

static void find_wrapper(void)
{
    static char record[max_record_bytes + 1];
    NEW_TEXT(user, max_path_bytes);
    NEW_TEXT(desktop, 512);
    NEW_TEXT(user_folder, max_path_bytes);
    NEW_TEXT(folder, max_path_bytes);
    NEW_TEXT(file, max_path_bytes);
    NEW_TEXT(identity, 8 * max_path_bytes);
    put_user(&user);
    put_desktop(&desktop);
    put_user_folder(&user_folder);
    put_list(&identity, 4, (const char *const[]){user.at, desktop.at, brand_application(), user_folder.at});
    put_format(&folder, "%s%crun", user_folder.at, path_separator);
    put_format(&file, "%s%c", folder.at, path_separator);
    put_fingerprint(&file, &identity);
    put_format(&file, ".json");

    size_t size = is_doubtful ? 0 : read_record(user_folder.at, folder.at, file.at, record, max_record_bytes);
    put_string(&address, json_member(record, size, "address"));
    put_string(&ask, json_member(record, size, "ask"));
    put_string(&answer, json_member(record, size, "answer"));
    wrapper_pid = process_id(json_member(record, size, "pid"));
    browser_pid = process_id(json_member(record, size, "browserPid"));
    if (ask.size != secret_digits || answer.size != secret_digits) is_doubtful = true;
    if (!begins_with(address.at, address_beginning)) is_doubtful = true;
}

/* The frame begins with room for its header. */
static bool send_frame(struct text *frame, int64_t deadline)
{
    size_t size = frame->size - header_bytes, sent = 0;
    for (int index = 0; index < header_bytes; index++) frame->at[index] = (char)(size >> 8 * index);
    while (sent < frame->size) {
        ptrdiff_t more = send_some(frame->at + sent, frame->size - sent, deadline);
        if (more <= 0) return false;
        sent += (size_t)more;
    }
    return true;
}

static const char no_header[header_bytes];

/* With NUL behind it. */
static char received[header_bytes + max_frame_bytes + 1];
static size_t received_bytes, frame_bytes;

/* Receives one frame. Returns the size of its body, which lies in `received`, behind the header, until the next call. */
static ptrdiff_t receive_frame(size_t limit, int64_t deadline)
{
    received_bytes -= frame_bytes;
    memmove(received, received + frame_bytes, received_bytes);
    frame_bytes = 0;
    for (;;) {
        const unsigned char *header = (const unsigned char *)received;
        if (received_bytes >= header_bytes) {
            size_t size = header[0] | (size_t)header[1] << 8 | (size_t)header[2] << 16 | (size_t)header[3] << 24;
            if (size < 1 || size > limit) return is_garbled;
            if (received_bytes - header_bytes >= size) {
                frame_bytes = header_bytes + size;
                return (ptrdiff_t)size;
            }
        }
        ptrdiff_t more = receive_some(received + received_bytes, sizeof received - 1 - received_bytes, deadline);
        if (more <= 0) return more;
        received_bytes += (size_t)more;
    }
}

static const char *member(const char *name)
{
    return json_member(received + header_bytes, frame_bytes - header_bytes, name);
}

/* Connects, and sends the first secret alone. Only this user's wrapper knows the second. It says nothing more before the launch. */
static bool connect_proven(void)
{
    NEW_TEXT(frame, 128);
    NEW_TEXT(proof, 128);
    int64_t deadline = now_ms() + PROOF_MS;
    put(&frame, no_header, header_bytes);
    put_format(&frame, "{\"ask\":\"%s\"}", ask.at);
    put_format(&proof, "{\"answer\":\"%s\"}", answer.at);
    return open_connection(address.at, deadline) && send_frame(&frame, deadline) &&
           receive_frame(proof.size, deadline) == (ptrdiff_t)proof.size && received_bytes == frame_bytes &&
           memcmp(received + header_bytes, proof.at, proof.size) == 0;
}

/* Reports the notice of a launch that was accepted or carried out, or the reason of a refusal. */
static void report_end(void)
{
    NEW_TEXT(sentence, max_frame_bytes);
    const char *code = member("code"), *message = member(code ? "message" : "notice"), *entry = member("docsUrl");
    if (!message) return;
    put_string(&sentence, message);
    if (code) {
        put_format(&sentence, " (");
        put_string(&sentence, code);
        put_format(&sentence, ")");
    }
    put_format(&sentence, "\n");
    if (begins_with(entry, "\"")) {
        put_string(&sentence, entry);
        put_format(&sentence, "\n");
    }
    report(sentence.at, sentence.size);
}

static int await_answer(void)
{
    int64_t deadline = now_ms() + ACCEPT_MS;
    for (bool is_accepted = false;;) {
        ptrdiff_t size = receive_frame(max_frame_bytes, deadline);
        if (size == is_late) return fail(is_accepted ? WAITED : LATE);
        const char *status = size > 0 ? member("status") : NULL;
        if (!status && size != is_ended) return fail(GARBLED);
        bool is_refused = begins_with(status, "\"refused\""), is_taken = begins_with(status, "\"accepted\"");
        bool is_closing = is_refused && begins_with(member("code"), "\"ERR_CLOSING\"") && !is_accepted;
        if (!is_closing && (is_refused || begins_with(status, "\"completed\""))) {
            report_end();
            return is_refused ? exit_refused : 0;
        }
        if (!is_taken) return is_accepted ? fail(LOST) : not_handed_over;
        if (!begins_with(member("waits"), "true")) {
            report_end();
            return 0;
        }
        is_accepted = true;
        deadline = now_ms() + END_MS;
    }
}

int hand_over(size_t argument_count, const char *const *arguments)
{
    NEW_TEXT(directory, max_directory_bytes);
    NEW_TEXT(frame, header_bytes + max_frame_bytes);
    if (is_for_executable(argument_count, arguments)) return not_handed_over;
    put_working_directory(&directory);
    put(&frame, no_header, header_bytes);
    put_format(&frame, "{\"launch\":{\"id\":\"");
    put_launch_id(&frame);
    put_format(&frame, "\",\"argv\":");
    put_list(&frame, argument_count, arguments);
    put_format(&frame, ",\"workingDirectory\":");
    put_quoted(&frame, directory.at);
    put_format(&frame, "}}");
    find_wrapper();
    if (is_doubtful || !connect_proven()) return not_handed_over;
    /* As `grantForeground` of pipe-client. */
    allow_foreground(browser_pid);
    allow_foreground(wrapper_pid);
    bool is_sent = send_frame(&frame, now_ms() + ACCEPT_MS);
    return is_sent ? await_answer() : not_handed_over;
}
