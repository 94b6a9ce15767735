/** Flags for a native launcher that waits less. The proof has time enough on a busy machine. */
export const hastyFlags: readonly string[] = ['-DPROOF_MS=1000', '-DACCEPT_MS=300', '-DEND_MS=300']
