import { JsonError } from '../errors/command-error.ts';
const utf8 = new TextDecoder('utf-8', { fatal: true });
/**
 * Reads a frame body as text.
 *
 * @throws {JsonError} when the bytes are not UTF-8
 */
export function decodeText(body) {
    try {
        return utf8.decode(body);
    }
    catch {
        throw new JsonError('The frame is not UTF-8 text.');
    }
}
/**
 * Reads a frame body as JSON.
 *
 * @throws {JsonError} when the bytes are not UTF-8 or not JSON; the message never quotes them
 */
export function decodeJson(body) {
    const text = decodeText(body);
    try {
        return JSON.parse(text);
    }
    catch {
        throw new JsonError('The frame is not JSON.');
    }
}
