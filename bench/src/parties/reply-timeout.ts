/** Longest silence of a party that was asked, in milliseconds. */
export const replyTimeoutMs = 30_000
