/*
 * The launcher: gives its launch to the wrapper that runs, as start/hand-off.ts of wrapper-host does, without the start of a Node.
 * Whatever it does not know, expect or find, it leaves to the executable beside it, which starts with the same arguments.
 *
 * A wrapper carries a launch out only after the operating system has its answer. So before an answer the executable may offer the
 * launch again, with another id. After an answer, or when none came in time, nobody offers it again.
 */
#include "launcher.h"

#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Longest waits in milliseconds: for the proof, for the answer, and for the end of a launch that waits. Tests have others. */
#ifndef PROOF_MS
#define PROOF_MS 5000
#define ACCEPT_MS 30000
#define END_MS 300000
#endif
#define DIGITS_OF(value) #value
#define DIGITS(value) DIGITS_OF(value)

enum {
    header_bytes = 4,
    max_frame_bytes = 1024 * 1024,
    max_answer_bytes = 1024,
    max_record_bytes = 4096,
    secret_digits = 64,
    exit_refused = 2
};

#define LATE "The wrapper that runs did not answer within " DIGITS(ACCEPT_MS) " ms. Close it, or end its process, and start again. (ERR_HAND_OFF_TIMEOUT)\n"
#define LOST "The wrapper took the launch and ended before it told whether the web app has its commands. Look there before you start it again. (ERR_HAND_OFF_LOST)\n"
#define WAITED "The wrapper took the launch, but the web app has not taken its commands within " DIGITS(END_MS) " ms; it may still do so. Look there, perhaps for somebody to sign in, before you start it again. (ERR_WAIT_TIMEOUT)\n"
#define GARBLED "The frame is not JSON. (ERR_JSON)\n"

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

/* Whether the executable would carry out a command, or refuse an option of Node. */
static bool is_for_executable(size_t count, const char *const *arguments)
{
    static const char *const commands[] = {"doctor", "settings", "installer", "test", "--version"};
    static const char *const options[] = {"--help", "-h", "/?"};
    for (size_t index = 0; count > 0 && index < sizeof commands / sizeof *commands; index++)
        if (strcmp(arguments[0], commands[index]) == 0) return true;
    for (size_t index = 0; index < count; index++) {
        if (begins_with(arguments[index], "--experimental-")) return true;
        for (size_t option = 0; option < sizeof options / sizeof *options; option++)
            if (strcmp(arguments[index], options[option]) == 0) return true;
    }
    return false;
}

/* A UUID of version 8: time, process id and random bits, as `makeLaunchId` makes it. */
static void put_launch_id(struct text *text)
{
    uint16_t random[3];
    struct timeval time;
    if (!random_bytes(random, sizeof random) || gettimeofday(&time, NULL) != 0) text->is_spoiled = true;
    uint64_t ms = (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_usec / 1000;
    put_format(text, "%08x-%04x-8%03x-", (unsigned)(ms >> 16), (unsigned)ms & 0xffff, random[0] & 0xfffu);
    put_format(text, "%04x-%08x%04x", 0x8000u | (random[1] & 0x3fff), (unsigned)getpid(), random[2]);
}

/* As `userFolder` of wrapper-host. A path that Node would resolve to another has no record: the name of a record has the path in it. */
static void put_user_folder(struct text *folder)
{
    put_variable(folder, "SERVICE_WRAPPER_DATA");
    if (folder->size > 0) return;
    put_data_folder(folder);
    if (folder->size == 0) folder->is_spoiled = true;
    put_format(folder, "%c%s%c%s", path_separator, brand_vendor, path_separator, brand_application());
}

/* The beginning of FNV-1a with 128 bits, as `fingerprint` makes it. */
static void put_fingerprint(struct text *text, struct text of)
{
    __extension__ typedef unsigned __int128 wide;
    wide hash = (wide)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
    for (size_t index = 0; index < of.size; index++)
        hash = (hash ^ (unsigned char)of.at[index]) * (((wide)1 << 88) + 0x13b);
    put_format(text, "%08x%04x", (unsigned)(hash >> 96), (unsigned)(hash >> 80) & 0xffff);
}

static bool put_secret(struct text *secret, const char *value)
{
    return put_string(secret, value) && !secret->is_spoiled && secret->size == secret_digits;
}

/* What a wrapper publishes for its user alone. */
struct record {
    struct text address, ask, answer;
};

static bool find_record(struct record *record)
{
    static char bytes[max_record_bytes + 1];
    NEW_TEXT(user, max_path_bytes);
    NEW_TEXT(session, 512);
    NEW_TEXT(user_folder, max_path_bytes);
    NEW_TEXT(folder, max_path_bytes);
    NEW_TEXT(file, max_path_bytes);
    NEW_TEXT(identity, 8 * max_path_bytes);
    put_user(&user);
    put_login_session(&session);
    put_user_folder(&user_folder);
    put_list(&identity, 4, (const char *const[]){user.at, session.at, brand_application(), user_folder.at});
    put_format(&folder, "%s%crun", user_folder.at, path_separator);
    put_format(&file, "%s%c", folder.at, path_separator);
    put_fingerprint(&file, identity);
    put_format(&file, ".json");
    if (user.is_spoiled || session.is_spoiled || user_folder.is_spoiled) return false;
    if (identity.is_spoiled || folder.is_spoiled || file.is_spoiled) return false;

    size_t size = read_record(user_folder.at, folder.at, file.at, bytes, max_record_bytes);
    return put_string(&record->address, json_member(bytes, size, "address")) && !record->address.is_spoiled &&
           begins_with(record->address.at, address_beginning) &&
           put_secret(&record->ask, json_member(bytes, size, "ask")) &&
           put_secret(&record->answer, json_member(bytes, size, "answer"));
}

/* A frame begins with room for its header. */
#define HEADER_ROOM "\0\0\0\0", header_bytes

static ptrdiff_t send_frame(struct text *frame, int64_t deadline)
{
    size_t size = frame->size - header_bytes;
    for (int index = 0; index < header_bytes; index++) frame->at[index] = (char)(size >> 8 * index);
    return send_bytes(frame->at, frame->size, deadline);
}

/* With NUL behind it. */
static char received[header_bytes + max_frame_bytes + 1];
static size_t received_bytes, frame_bytes;

enum received { whole, ended, late, bad };

/* Receives one frame. Its body lies in `received`, behind the header, until the next call. */
static enum received receive_frame(size_t limit, int64_t deadline)
{
    received_bytes -= frame_bytes;
    memmove(received, received + frame_bytes, received_bytes);
    frame_bytes = 0;
    for (;;) {
        const unsigned char *header = (const unsigned char *)received;
        if (received_bytes >= header_bytes) {
            size_t size = header[0] | header[1] << 8 | header[2] << 16 | (size_t)header[3] << 24;
            if (size < 1 || size > limit) return bad;
            if (received_bytes - header_bytes >= size) {
                frame_bytes = header_bytes + size;
                return whole;
            }
        }
        ptrdiff_t more = receive_bytes(received + received_bytes, header_bytes + limit - received_bytes, deadline);
        if (more <= 0) return more == deadline_over ? late : ended;
        received_bytes += (size_t)more;
    }
}

static const char *member(const char *name)
{
    return json_member(received + header_bytes, frame_bytes - header_bytes, name);
}

/* Connects, and sends the first secret alone. Only this user's wrapper knows the second. */
static bool connect_proven(const struct record *record)
{
    NEW_TEXT(frame, 128);
    NEW_TEXT(answer, secret_digits);
    int64_t deadline = now_ms() + PROOF_MS;
    put(&frame, HEADER_ROOM);
    put_format(&frame, "{\"ask\":\"%s\"}", record->ask.at);
    return open_connection(record->address.at, deadline) && send_frame(&frame, deadline) > 0 &&
           receive_frame(max_answer_bytes, deadline) == whole && received_bytes == frame_bytes &&
           put_secret(&answer, member("answer")) && memcmp(answer.at, record->answer.at, secret_digits) == 0;
}

/* Reports the notice of a launch that was carried out, or the reason of a refusal. */
static void report_end(void)
{
    NEW_TEXT(sentence, max_frame_bytes);
    const char *code = member("code");
    if (!put_string(&sentence, member(code ? "message" : "notice"))) return;
    put_format(&sentence, code ? " (" : "");
    if (put_string(&sentence, code)) put(&sentence, ")", 1);
    put(&sentence, "\n", 1);
    report(sentence.at, sentence.size);
}

static int await_answer(void)
{
    int64_t deadline = now_ms() + ACCEPT_MS;
    for (bool is_accepted = false;;) {
        enum received outcome = receive_frame(max_frame_bytes, deadline);
        if (outcome == ended) return is_accepted ? fail(LOST) : not_handed_over;
        if (outcome == late) return fail(is_accepted ? WAITED : LATE);
        const char *status = member("status");
        if (outcome == bad || !status) return fail(GARBLED);
        bool is_refused = begins_with(status, "\"refused\"");
        if (is_refused && begins_with(member("code"), "\"ERR_CLOSING\"") && !is_accepted) return not_handed_over;
        if (is_refused || begins_with(status, "\"completed\"")) {
            report_end();
            return is_refused ? exit_refused : 0;
        }
        if (!begins_with(status, "\"accepted\"")) return is_accepted ? fail(LOST) : not_handed_over;
        if (!begins_with(member("waits"), "true")) return 0;
        is_accepted = true;
        deadline = now_ms() + END_MS;
    }
}

int hand_over(size_t argument_count, const char *const *arguments)
{
    NEW_TEXT(address, max_path_bytes);
    NEW_TEXT(ask, secret_digits);
    NEW_TEXT(answer, secret_digits);
    NEW_TEXT(directory, max_directory_bytes);
    NEW_TEXT(frame, header_bytes + max_frame_bytes);
    struct record record = {address, ask, answer};
    if (is_for_executable(argument_count, arguments)) return not_handed_over;
    put_working_directory(&directory);
    put(&frame, HEADER_ROOM);
    put_format(&frame, "{\"launch\":{\"id\":\"");
    put_launch_id(&frame);
    put_format(&frame, "\",\"argv\":");
    put_list(&frame, argument_count, arguments);
    put_format(&frame, ",\"workingDirectory\":");
    put_quoted(&frame, directory.at);
    put_format(&frame, "}}");
    if (directory.is_spoiled || frame.is_spoiled || !find_record(&record) || !connect_proven(&record)) return not_handed_over;
    ptrdiff_t sent = send_frame(&frame, now_ms() + ACCEPT_MS);
    if (sent == deadline_over) return fail(LATE);
    return sent == connection_ended ? not_handed_over : await_answer();
}
