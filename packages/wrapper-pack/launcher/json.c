#include "launcher.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool is_doubtful;

void put(struct text *text, const char *bytes, size_t size)
{
    if (size > text->limit - text->size) is_doubtful = true;
    if (is_doubtful) return;
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
    text->at[text->size] = 0;
}

void put_format(struct text *text, const char *format, ...)
{
    va_list values;
    size_t room = text->limit - text->size;
    va_start(values, format);
    int size = vsnprintf(text->at + text->size, room + 1, format, values);
    va_end(values);
    if (size < 0 || (size_t)size > room) is_doubtful = true;
    if (!is_doubtful) text->size += (size_t)size;
    text->at[text->size] = 0;
}

/* The characters that JSON writes as a name behind `\`, and the names. */
static const char named[] = "\b\t\n\f\r\"\\", names[] = "btnfr\"\\";

/* The character of `to` in the place that a character has in `from`; 0 if it has none. */
static char other_of(char character, const char *from, const char *to)
{
    const char *found = character ? strchr(from, character) : NULL;
    return found ? to[found - from] : 0;
}

void put_quoted(struct text *text, const char *string)
{
    put(text, "\"", 1);
    for (const char *at = string; *at; at++) {
        char name = other_of(*at, named, names);
        if (name) put_format(text, "\\%c", name);
        else if ((unsigned char)*at < 0x20) put_format(text, "\\u%04x", (unsigned)*at);
        else put(text, at, 1);
    }
    put(text, "\"", 1);
}

void put_list(struct text *text, size_t count, const char *const *strings)
{
    put(text, "[", 1);
    for (size_t index = 0; index < count; index++) {
        if (index > 0) put(text, ",", 1);
        put_quoted(text, strings[index]);
    }
    put(text, "]", 1);
}

/*
 * Messages of a wrapper have no two members of one name, so the depth of a member does not matter. Values that are neither strings
 * nor objects are not read.
 */
const char *json_member(const char *object, size_t size, const char *name)
{
    const char *end = object + size, *value = NULL;
    size_t depth = 0, name_size = strlen(name);
    for (const char *at = object; at < end; at++) {
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (depth == 0) return at + 1 == end ? value : NULL;
        if (*at != '"') continue;
        const char *key = ++at;
        for (; at < end && *at != '"'; at++)
            if (*at == '\\' && end - at > 1) at++;
        if (end - at > 2 && at[1] == ':' && (size_t)(at - key) == name_size && memcmp(key, name, name_size) == 0)
            value = at + 2;
    }
    return NULL;
}

bool begins_with(const char *text, const char *beginning)
{
    return text && strncmp(text, beginning, strlen(beginning)) == 0;
}

void put_string(struct text *text, const char *value)
{
    if (!begins_with(value, "\"")) {
        is_doubtful = true;
        return;
    }
    for (const char *at = value + 1; *at != '"'; at++) {
        unsigned unit;
        int digits;
        if (*at != '\\') {
            put(text, at, 1);
        } else if (*++at != 'u') {
            char named_by = other_of(*at, names, named);
            put(text, named_by ? &named_by : at, 1);
        } else if (sscanf(at + 1, "%4x%n", &unit, &digits) == 1) {
            put_format(text, unit < 0x20 ? "%c" : "\xef\xbf\xbd", unit);
            at += digits;
        }
    }
}
