import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod/mini'

const lineSchema = z.object({
  msg: z.literal('partner link'),
  event: z.enum(['post', 'open']),
  requestId: z.string(),
  /** `log-in`, `signed-in`, `link`, or the code of a refusal. */
  result: z.string(),
  /** Sentence of a refusal, for developers. */
  detail: z.optional(z.string()),
})

/** What the service answered to a post, which the page that posted cannot read in another tab. */
export type ServiceAnswer = Omit<z.output<typeof lineSchema>, 'msg' | 'event'>

const mostKept = 100

const longestWaitMs = 10_000

const channel = 'http.server.request.start'

export type ServiceAnswers = ReturnType<typeof keepServiceAnswers>

/** Keeps the last answers that the demo's own service, in this process, gave to posts of the launcher: what it logs while it answers one. */
export function keepServiceAnswers() {
  const answering = new AsyncLocalStorage<string | null>()
  const noteLaunch = (message: unknown) => {
    // Programs send any target, also one that is no address. The service ignores the launcher's name of a post, in its query.
    const target = URL.parse(Object(message).request.url, 'http://service')
    answering.enterWith(target?.searchParams.get('launch') ?? null)
  }
  subscribe(channel, noteLaunch)
  const kept = new Map<string, PromiseWithResolvers<ServiceAnswer>>()
  const entryOf = (launch: string) => {
    const entry = kept.get(launch) ?? Promise.withResolvers<ServiceAnswer>()
    kept.set(launch, entry)
    for (const [oldest] of kept) if (kept.size > mostKept) kept.delete(oldest)
    return entry
  }
  return {
    /** Takes a line of the log, as an object. Returns the name of the post that it is about, if that has one. */
    note(line: unknown): string | undefined {
      const launch = answering.getStore()
      if (!launch) return undefined
      const { data } = lineSchema.safeParse(line)
      if (data) {
        const { requestId, result, detail } = data
        entryOf(launch).resolve({ requestId, result, ...(detail !== undefined && { detail }) })
      }
      return launch
    },
    /** The answer to a post of the launcher. Waits for it; `undefined` at the limit. */
    async to(launch: string, waitMs = longestWaitMs): Promise<ServiceAnswer | undefined> {
      return Promise.race([entryOf(launch).promise, delay(waitMs, undefined, { ref: false })])
    },
    [Symbol.dispose]: () => void unsubscribe(channel, noteLaunch),
  }
}
