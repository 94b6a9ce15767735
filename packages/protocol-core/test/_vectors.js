import { readFileSync } from 'node:fs';
/** Reads the rows of one file. */
export function loadVectors(file) {
    const url = new URL(`../../../protocol-vectors/${file}`, import.meta.url);
    return JSON.parse(readFileSync(url, 'utf8')).vectors;
}
/** What a call throws; fails when it throws nothing. */
export function thrownBy(call) {
    try {
        call();
    }
    catch (error) {
        return error;
    }
    throw new Error('Nothing was thrown.');
}
