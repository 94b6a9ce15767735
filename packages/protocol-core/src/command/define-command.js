/** Writes a row of the command table that both modes of the pipe know, with its exact types. */
export function defineCommand(row) {
    return { raisesWindow: false, ...row, isClassic: true };
}
/** Writes a row of the command table that only the session mode of the pipe knows, with its exact types. */
export function defineSessionCommand(row) {
    return { raisesWindow: false, ...row, isClassic: false };
}
