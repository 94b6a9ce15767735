/*
 * The launcher: gives its launch to the wrapper that runs, as start/hand-off.ts of wrapper-host does, without the start of a Node.
 * Whatever it does not know, expect or find, it leaves to the executable beside it, which starts with the same arguments.
 *
 * A wrapper carries a launch out only after the operating system has its answer. So before an answer the executable may offer the
 * launch again, with another id. After an answer, or when none came in time, nobody offers it again.
 */
#include "launcher.h"

#include <string.h>

/* Longest waits in milliseconds: for the proof, for the answer, and for the end of a launch that waits. Tests have others. */
#ifndef PROOF_MS
#define PROOF_MS 5000
#define ACCEPT_MS 30000
#define END_MS 300000
#endif
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

enum {
    header_bytes = 4,
    max_frame_bytes = 1024 * 1024,
    max_answer_bytes = 1024,
    secret_digits = 64,
    name_digits = 12,
    exit_refused = 2
};

#define LATE "The wrapper that runs did not answer within " TEXT(ACCEPT_MS) " ms. Close it, or end its process, and start again. (ERR_HAND_OFF_TIMEOUT)"
#define LOST "The wrapper took the launch and ended before it told whether the web app has its commands. Look there before you start it again. (ERR_HAND_OFF_LOST)"
#define WAITED "The wrapper took the launch, but the web app has not taken its commands within " TEXT(END_MS) " ms; it may still do so. Look there, perhaps for somebody to sign in, before you start it again. (ERR_WAIT_TIMEOUT)"
#define GARBLED "The frame is not JSON. (ERR_JSON)"

/* The packer writes vendor and application of the brand behind the line, each with a NUL behind it. Not constant: no compiler may read it. */
#define BRAND_LINE "wrapper-pack: the names of the brand follow here\n"
char brand_names[320] = BRAND_LINE;

const char *brand_vendor(void)
{
    return brand_names + sizeof BRAND_LINE - 1;
}

const char *brand_application(void)
{
    return brand_vendor() + strlen(brand_vendor()) + 1;
}

static int fail(const char *sentence)
{
    report(sentence, strlen(sentence));
    report("\n", 1);
    return exit_refused;
}

int report_missing_executable(void)
{
    return fail("The wrapper’s executable beside this launcher could not be started. Install the wrapper again. (ERR_EXECUTABLE)");
}

static bool is_equal(const char *text, const char *word)
{
    return begins_with(text, word) && text[strlen(word)] == 0;
}

/* Whether the executable would carry out a command, or refuse an option of Node. */
static bool is_for_executable(const struct start *start)
{
    static const char commands[][10] = {"doctor", "settings", "installer", "test", "--version"};
    for (size_t index = 0; start->argument_count > 0 && index < 5; index++)
        if (is_equal(start->arguments[0], commands[index])) return true;
    for (size_t index = 0; index < start->argument_count; index++) {
        const char *argument = start->arguments[index];
        if (is_equal(argument, "--help") || is_equal(argument, "-h") || is_equal(argument, "/?")) return true;
        if (begins_with(argument, "--experimental-")) return true;
    }
    return false;
}

/* A UUID of version 8: time, process id and random bits, as `makeLaunchId` makes it. */
static void put_launch_id(struct text *text)
{
    uint16_t random[3];
    uint64_t time = (uint64_t)unix_ms();
    if (!random_bytes(random, sizeof random)) text->is_spoiled = true;
    put_hex(text, time >> 16, 8);
    put(text, "-", 1);
    put_hex(text, time, 4);
    put(text, "-8", 2);
    put_hex(text, random[0], 3);
    put(text, "-", 1);
    put_hex(text, 0x8000 | (random[1] & 0x3fff), 4);
    put(text, "-", 1);
    put_hex(text, process_id(), 8);
    put_hex(text, random[2], 4);
}

static void put_launch(struct text *text, const struct start *start)
{
    put_word(text, "{\"launch\":{\"id\":\"");
    put_launch_id(text);
    put_word(text, "\",\"argv\":[");
    for (size_t index = 0; index < start->argument_count; index++) {
        put_word(text, index == 0 ? "\"" : ",\"");
        put_escaped(text, start->arguments[index]);
        put(text, "\"", 1);
    }
    put_word(text, "],\"workingDirectory\":\"");
    put_escaped(text, start->working_directory);
    put_word(text, "\"}}");
}

/* The beginning of FNV-1a with 128 bits, as `fingerprint` makes it. */
static void put_fingerprint(struct text *text, const char *bytes, size_t size)
{
    __extension__ typedef unsigned __int128 wide;
    wide hash = (wide)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
    for (size_t index = 0; index < size; index++)
        hash = (hash ^ (unsigned char)bytes[index]) * (((wide)1 << 88) + 0x13b);
    put_hex(text, (uint64_t)(hash >> (128 - 4 * name_digits)), name_digits);
}

struct record {
    char address[max_path_bytes], ask[secret_digits + 1], answer[secret_digits + 1];
};

static bool read_secret(struct json record, const char *name, char *secret)
{
    struct text text = {secret, 0, secret_digits, false};
    return put_string(&text, json_member(record, name)) && !text.is_spoiled && text.size == secret_digits;
}

static bool find_record(const struct start *start, struct record *record)
{
    static char identity[8 * max_path_bytes], bytes[max_record_bytes];
    char folder[max_path_bytes] = "", file[max_path_bytes] = "";
    struct text name = {identity, 0, sizeof identity, false};
    const char *parts[] = {start->user, start->login_session, brand_application(), start->user_folder};
    put(&name, "[", 1);
    for (size_t index = 0; index < 4; index++) {
        put_word(&name, index == 0 ? "\"" : ",\"");
        put_escaped(&name, parts[index]);
        put(&name, "\"", 1);
    }
    put(&name, "]", 1);
    struct text path = {folder, 0, sizeof folder - 1, false};
    put_word(&path, start->user_folder);
    put(&path, &path_separator, 1);
    put_word(&path, "run");
    struct text record_path = {file, 0, sizeof file - 1, false};
    put(&record_path, folder, path.size);
    put(&record_path, &path_separator, 1);
    put_fingerprint(&record_path, identity, name.size);
    put_word(&record_path, ".json");
    if (name.is_spoiled || path.is_spoiled || record_path.is_spoiled) return false;

    struct json found = {bytes, read_record(start->user_folder, folder, file, bytes, sizeof bytes)};
    struct text address = {record->address, 0, sizeof record->address - 1, false};
    return put_string(&address, json_member(found, "address")) && !address.is_spoiled &&
           begins_with(record->address, address_beginning) &&
           read_secret(found, "ask", record->ask) && read_secret(found, "answer", record->answer);
}

static void write_header(char *frame, size_t size)
{
    for (int index = 0; index < header_bytes; index++) frame[index] = (char)(size >> 8 * index);
}

static char received[header_bytes + max_frame_bytes];
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

static struct json frame_body(void)
{
    return (struct json){received + header_bytes, frame_bytes - header_bytes};
}

/* Connects, and sends the first secret alone. Only this user's wrapper knows the second. */
static bool connect_proven(const struct record *record)
{
    char frame[header_bytes + 128], answer[secret_digits + 1];
    struct text ask = {frame + header_bytes, 0, sizeof frame - header_bytes, false};
    struct text text = {answer, 0, sizeof answer, false};
    int64_t deadline = now_ms() + PROOF_MS;
    put_word(&ask, "{\"ask\":\"");
    put_word(&ask, record->ask);
    put_word(&ask, "\"}");
    write_header(frame, ask.size);
    return open_connection(record->address, deadline) && send_bytes(frame, header_bytes + ask.size, deadline) > 0 &&
           receive_frame(max_answer_bytes, deadline) == whole && received_bytes == frame_bytes &&
           put_string(&text, json_member(frame_body(), "answer")) && !text.is_spoiled && text.size == secret_digits &&
           memcmp(answer, record->answer, secret_digits) == 0;
}

static int report_refusal(struct json answer, struct text *sentence)
{
    put_string(sentence, json_member(answer, "message"));
    put_word(sentence, " (");
    put_string(sentence, json_member(answer, "code"));
    put_word(sentence, ")\n");
    report(sentence->at, sentence->size);
    return exit_refused;
}

static int await_answer(struct text sentence)
{
    int64_t deadline = now_ms() + ACCEPT_MS;
    for (bool is_accepted = false;;) {
        enum received outcome = receive_frame(max_frame_bytes, deadline);
        if (outcome == ended) return is_accepted ? fail(LOST) : not_handed_over;
        if (outcome == late) return fail(is_accepted ? WAITED : LATE);
        if (outcome == bad) return fail(GARBLED);
        struct json answer = frame_body(), status = json_member(answer, "status");
        if (!status.at) return fail(GARBLED);
        if (json_is(status, "\"completed\"")) {
            if (put_string(&sentence, json_member(answer, "notice"))) {
                put(&sentence, "\n", 1);
                report(sentence.at, sentence.size);
            }
            return 0;
        }
        if (json_is(status, "\"refused\"")) {
            bool is_closing = json_is(json_member(answer, "code"), "\"ERR_CLOSING\"");
            return is_closing && !is_accepted ? not_handed_over : report_refusal(answer, &sentence);
        }
        if (!json_is(status, "\"accepted\"")) return is_accepted ? fail(LOST) : not_handed_over;
        if (!json_is(json_member(answer, "waits"), "true")) return 0;
        is_accepted = true;
        deadline = now_ms() + END_MS;
    }
}

int hand_over(const struct start *start)
{
    static char frame[header_bytes + max_frame_bytes];
    static struct record record;
    struct text launch = {frame + header_bytes, 0, max_frame_bytes, false};
    if (is_for_executable(start)) return not_handed_over;
    put_launch(&launch, start);
    if (launch.is_spoiled || !find_record(start, &record) || !connect_proven(&record)) return not_handed_over;
    write_header(frame, launch.size);
    ptrdiff_t sent = send_bytes(frame, header_bytes + launch.size, now_ms() + ACCEPT_MS);
    if (sent == deadline_over) return fail(LATE);
    if (sent == connection_ended) return not_handed_over;
    /* The frame is sent: its place is free for a sentence. */
    return await_answer((struct text){frame, 0, sizeof frame, false});
}
