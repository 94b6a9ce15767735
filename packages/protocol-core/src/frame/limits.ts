/** Largest body of a request frame, in bytes: 1 MiB. */
export const maxRequestFrameBytes = 1024 * 1024

/** Largest body of a reply frame, in bytes: 16 MiB. */
export const maxReplyFrameBytes = 16 * 1024 * 1024

/** Size of the length that precedes each body, in bytes. */
export const frameHeaderBytes = 4

/** Deepest nesting of objects and arrays in a request, the outermost counted as 1; what the specification lists needs 4. */
export const maxJsonDepth = 128
