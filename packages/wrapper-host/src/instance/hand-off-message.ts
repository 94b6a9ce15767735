/** What a wrapper answers to a launch that was handed to it. */
export type HandOffAnswer =
  /** `waits`: the launch asked for it, so a second answer follows when the web app has taken its commands. */
  | { readonly status: 'accepted'; readonly pid: number; readonly waits: boolean }
  /** The launch waited, and the web app has taken all its commands. `notice`: what was left, such as a file that was not deleted. */
  | { readonly status: 'completed'; readonly notice?: string }
  | { readonly status: 'refused'; readonly code: string; readonly message: string }

/**
 * What the two sides of a hand-off know from the file of its address: whoever sits there later, where a wrapper was killed, knows the
 * address from the list of pipes, but not this. Each is 64 hexadecimal digits.
 */
export interface HandOffProof {
  /** Sent first by the launching process: what it does not tell, the wrapper does not answer. */
  readonly ask: string
  /** Sent back by the wrapper; without it no launch is sent. */
  readonly answer: string
}

/** How a hand-off ended, as the launching process sees it. */
export type HandOffOutcome = HandOffAnswer

/** What a launching process sends. */
export interface HandOffRequest {
  readonly launch: {
    readonly id: string
    readonly argv: readonly string[]
    readonly workingDirectory: string
  }
}

/** Reads an answer; `undefined` when it is none. Without a schema: the launching process must stay small and quick. */
export function readHandOffAnswer(value: unknown): HandOffAnswer | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value)) return undefined
  if (value.status === 'completed')
    return { status: 'completed', ...('notice' in value ? { notice: String(value.notice) } : {}) }
  if (value.status === 'accepted' && 'pid' in value && typeof value.pid === 'number')
    return { status: 'accepted', pid: value.pid, waits: 'waits' in value && value.waits === true }
  if (value.status !== 'refused' || !('code' in value) || !('message' in value)) return undefined
  return { status: 'refused', code: String(value.code), message: String(value.message) }
}
