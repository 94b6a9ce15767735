import { createHash, randomBytes } from 'node:crypto'

interface IssueOptions {
  /** How long the key can be used, in milliseconds. Default: until the process ends. */
  readonly livesMs?: number
  /** Called when the key is used. */
  readonly onUse?: () => void
}

export type PageKeys = ReturnType<typeof createPageKeys>

/**
 * Makes the key of the demo's pages, which drive the wrapper and sign for the journal. It is handed over for a key of one
 * use alone: addresses stay in histories, and process lists show those that a browser is started with.
 */
export function createPageKeys() {
  const key = newKey()
  // By digest, so that no comparison takes longer for a better guess.
  const keyDigest = digestOf(key)
  const unused = new Map<string, { readonly endsAt: number; readonly onUse: (() => void) | undefined }>()
  const issue = ({ livesMs = Number.POSITIVE_INFINITY, onUse }: IssueOptions = {}): string => {
    const once = newKey()
    unused.set(digestOf(once), { endsAt: Date.now() + livesMs, onUse })
    return once
  }
  return {
    /** A key of one use. */
    issue,
    /** An address that opens once. The fragment is not sent: the page takes the key out and hands it in. */
    addressOf: (url: string, options?: IssueOptions) => `${url}#key=${issue(options)}`,
    /** The key, for a key of one use; `undefined` for any other, and from the second time on. */
    exchange(once: string): string | undefined {
      const digest = digestOf(once)
      const found = unused.get(digest)
      unused.delete(digest)
      if (!found || found.endsAt < Date.now()) return undefined
      found.onUse?.()
      return key
    },
    isKey: (given: string) => digestOf(given) === keyDigest,
  }
}

const newKey = () => randomBytes(24).toString('base64url')

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')
