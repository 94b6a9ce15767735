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
    static const char digits[] = "0123456789abcdef", named[] = "\b\t\n\f\r\"\\", names[] = "btnfr\"\\";
    const char *end = string + strlen(string);
    while (string < end) {
        size_t size = character_size(string, end);
        const char *name = memchr(named, *string, sizeof named - 1);
        if (size == 0) text->is_spoiled = true;
        if (text->is_spoiled) return;
        if (name)
            put(text, (char[]){'\\', names[name - named]}, 2);
        else if ((unsigned char)*string < 0x20)
            put(text, (char[]){'\\', 'u', '0', '0', digits[*string >> 4], digits[*string & 15]}, 6);
        else
            put(text, string, size);
        string += size;
    }
}

/* The readers return the place behind what they read, NULL if it is no JSON. */
static const char *after_value(const char *at, const char *end, int levels);

static const char *after_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
    return at;
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    digit |= 0x20;
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static const char *after_string(const char *at, const char *end)
{
    if (at == end || *at++ != '"') return NULL;
    while (at < end && *at != '"') {
        size_t size = character_size(at, end);
        if (size == 0 || (unsigned char)*at < 0x20) return NULL;
        if (*at == '\\') {
            size = end - at > 1 && at[1] == 'u' ? 6 : 2;
            if ((size_t)(end - at) < size || !memchr("\"\\/bfnrtu", at[1], 9)) return NULL;
            for (size_t index = 2; index < size; index++)
                if (digit_value(at[index]) < 0) return NULL;
        }
        at += size;
    }
    return at < end ? at + 1 : NULL;
}

static const char *after_digits(const char *at, const char *end)
{
    const char *begin = at;
    while (at && at < end && *at >= '0' && *at <= '9') at++;
    return at == begin ? NULL : at;
}

static const char *after_number(const char *at, const char *end)
{
    if (at < end && *at == '-') at++;
    at = at < end && *at == '0' ? at + 1 : after_digits(at, end);
    if (at && at < end && *at == '.') at = after_digits(at + 1, end);
    if (at && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        at = after_digits(at, end);
    }
    return at;
}

static const char *after_items(const char *at, const char *end, int levels)
{
    char close = *at == '{' ? '}' : ']';
    at = after_space(at + 1, end);
    if (at < end && *at == close) return at + 1;
    for (;;) {
        if (close == '}') {
            if (!(at = after_string(at, end))) return NULL;
            at = after_space(at, end);
            if (at == end || *at++ != ':') return NULL;
        }
        if (!(at = after_value(after_space(at, end), end, levels))) return NULL;
        at = after_space(at, end);
        if (at == end || (*at != ',' && *at != close)) return NULL;
        if (*at++ == close) return at;
        at = after_space(at, end);
    }
}

static const char *after_value(const char *at, const char *end, int levels)
{
    static const char words[][6] = {"true", "false", "null"};
    if (at == end) return NULL;
    if (*at == '"') return after_string(at, end);
    if (*at == '{' || *at == '[') return levels == 0 ? NULL : after_items(at, end, levels - 1);
    for (size_t index = 0; index < 3; index++) {
        size_t size = strlen(words[index]);
        if ((size_t)(end - at) >= size && memcmp(at, words[index], size) == 0) return at + size;
    }
    return after_number(at, end);
}

struct json read_json(const char *bytes, size_t size)
{
    const char *end = bytes + size, *at = after_space(bytes, end);
    const char *after = after_value(at, end, 8);
    bool is_whole = after && after_space(after, end) == end;
    return is_whole ? (struct json){at, (size_t)(after - at)} : (struct json){NULL, 0};
}

struct json json_member(struct json object, const char *name)
{
    struct json found = {NULL, 0};
    if (!object.at || *object.at != '{') return found;
    const char *end = object.at + object.size, *at = after_space(object.at + 1, end);
    while (*at != '}') {
        char key[16];
        struct text text = {key, 0, sizeof key, false};
        const char *after = after_string(at, end);
        put_string(&text, (struct json){at, (size_t)(after - at)});
        at = after_space(after_space(after, end) + 1, end);
        after = after_value(at, end, 8);
        if (!text.is_spoiled && text.size == strlen(name) && memcmp(key, name, text.size) == 0)
            found = (struct json){at, (size_t)(after - at)};
        at = after_space(after, end);
        if (*at == ',') at = after_space(at + 1, end);
    }
    return found;
}

bool json_is(struct json value, const char *literal)
{
    return value.at && value.size == strlen(literal) && memcmp(value.at, literal, value.size) == 0;
}

static uint32_t unit_at(const char *digits)
{
    uint32_t unit = 0;
    for (int index = 0; index < 4; index++) unit = unit << 4 | (uint32_t)digit_value(digits[index]);
    return unit;
}

static void put_character(struct text *text, uint32_t character)
{
    char bytes[4];
    size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t index = size; index-- > 1; character >>= 6) bytes[index] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(leads[size - 1] | character);
    put(text, bytes, size);
}

bool put_string(struct text *text, struct json value)
{
    static const char names[] = "bfnrt", named[] = "\b\f\n\r\t";
    if (!value.at || *value.at != '"') return false;
    const char *end = value.at + value.size - 1;
    for (const char *at = value.at + 1; at < end;) {
        const char *name = *at == '\\' ? memchr(names, at[1], sizeof names - 1) : NULL;
        if (*at != '\\') {
            put(text, at++, 1);
        } else if (at[1] != 'u') {
            put(text, name ? &named[name - names] : &at[1], 1);
            at += 2;
        } else {
            uint32_t unit = unit_at(at + 2);
            at += 6;
            bool is_pair = unit >> 10 == 0x36 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' && unit_at(at + 2) >> 10 == 0x37;
            if (is_pair) {
                unit = 0x10000 + ((unit & 0x3ff) << 10) + (unit_at(at + 2) & 0x3ff);
                at += 6;
            }
            if (unit == 0) text->is_spoiled = true;
            put_character(text, unit >> 11 == 0x1b ? 0xfffd : unit);
        }
    }
    return true;
}
