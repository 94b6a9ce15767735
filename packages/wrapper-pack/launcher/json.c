#include "launcher.h"

#include <string.h>

void put(struct text *text, const char *bytes, size_t size)
{
    if (size > text->limit - text->size) text->is_spoiled = true;
    if (text->is_spoiled) return;
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
}

void put_word(struct text *text, const char *word)
{
    put(text, word, strlen(word));
}

void put_hex(struct text *text, uint64_t value, int digits)
{
    while (digits-- > 0) put(text, &"0123456789abcdef"[value >> 4 * digits & 15], 1);
}

bool begins_with(const char *text, const char *word)
{
    while (*word && *text == *word) text++, word++;
    return *word == 0;
}

/* The characters that JSON writes as a name behind `\`, and the names. */
static const char named[] = "\b\t\n\f\r\"\\", names[] = "btnfr\"\\";

/* The character of `to` in the place that a character has in `from`; 0 if it has none. */
static char other_of(char character, const char *from, const char *to)
{
    for (; *from; from++, to++)
        if (*from == character) return *to;
    return 0;
}

/* Returns the bytes of the first character, 0 if it is not UTF-8 (RFC 3629). */
static size_t character_size(const char *at, const char *end)
{
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] < 0x80) return 1;
    size_t size = byte[0] < 0xc2 ? 0 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : byte[0] < 0xf5 ? 4 : 0;
    if (size == 0 || (size_t)(end - at) < size) return 0;
    for (size_t index = 1; index < size; index++)
        if ((byte[index] & 0xc0) != 0x80) return 0;
    bool is_overlong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
    bool is_none = (byte[0] == 0xed && byte[1] > 0x9f) || (byte[0] == 0xf4 && byte[1] > 0x8f);
    return is_overlong || is_none ? 0 : size;
}

void put_escaped(struct text *text, const char *string)
{
    const char *end = string + strlen(string);
    for (size_t size; string < end; string += size) {
        char name = other_of(*string, named, names);
        size = character_size(string, end);
        if (size == 0) text->is_spoiled = true;
        if (text->is_spoiled) return;
        if (name) {
            put(text, "\\", 1);
            put(text, &name, 1);
        } else if ((unsigned char)*string < 0x20) {
            put_word(text, "\\u");
            put_hex(text, (unsigned char)*string, 4);
        } else {
            put(text, string, size);
        }
    }
}

/* Returns the quotation mark at the end of a string that begins at `at`; `end` without one. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && end - at > 1) at++;
    return at;
}

/*
 * Messages of a wrapper have no two members of one name, so the depth of a member does not matter. Values that are neither strings
 * nor objects are not read.
 */
struct json json_member(struct json object, const char *name)
{
    const struct json none = {NULL, 0};
    const char *end = object.at + object.size, *value = NULL;
    size_t depth = 0, name_size = strlen(name);
    for (const char *at = object.at; at < end; at++) {
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (depth == 0) return at + 1 == end && value ? (struct json){value, (size_t)(end - value)} : none;
        if (*at != '"') continue;
        const char *key = at + 1;
        at = string_end(at, end);
        if (at == end) break;
        if (end - at > 2 && at[1] == ':' && (size_t)(at - key) == name_size && memcmp(key, name, name_size) == 0)
            value = at + 2;
    }
    return none;
}

bool json_is(struct json value, const char *literal)
{
    size_t size = strlen(literal);
    if (!value.at || value.size <= size || memcmp(value.at, literal, size) != 0) return false;
    return value.at[size] == ',' || value.at[size] == '}';
}

static uint32_t unit_at(const char *digits)
{
    uint32_t unit = 0;
    for (int index = 0; index < 4; index++) {
        char digit = digits[index];
        unit = unit << 4 | (uint32_t)((digit & 15) + (digit > '9' ? 9 : 0));
    }
    return unit;
}

static void put_character(struct text *text, uint32_t character)
{
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[4];
    size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t index = size; index-- > 1; character >>= 6) bytes[index] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(leads[size - 1] | character);
    put(text, bytes, size);
}

bool put_string(struct text *text, struct json value)
{
    if (!value.at || *value.at != '"') return false;
    const char *end = string_end(value.at, value.at + value.size);
    for (const char *at = value.at + 1; at < end; at++) {
        if (*at != '\\') {
            put(text, at, 1);
        } else if (*++at != 'u') {
            char named_by = other_of(*at, names, named);
            put(text, named_by ? &named_by : at, 1);
        } else {
            if (end - at < 5) return false;
            uint32_t unit = unit_at(at + 1), next = end - at >= 11 && at[5] == '\\' && at[6] == 'u' ? unit_at(at + 7) : 0;
            bool is_pair = unit >> 10 == 0x36 && next >> 10 == 0x37;
            at += is_pair ? 10 : 4;
            if (is_pair) unit = 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff);
            put_character(text, unit >> 11 == 0x1b ? 0xfffd : unit);
        }
    }
    return true;
}
