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

export type ServiceAnswers = ReturnType<typeof keepServiceAnswers>

/** Keeps the last answers of the demo's own service, by its log. */
export function keepServiceAnswers() {
  const kept: ServiceAnswer[] = []
  let count = 0
  let next = Promise.withResolvers<void>()
  return {
    /** Takes a line of the log, as an object. */
    note(line: unknown): void {
      const { data } = lineSchema.safeParse(line)
      if (!data) return
      const { requestId, result, detail } = data
      count++
      kept.push({ requestId, result, ...(detail !== undefined && { detail }) })
      if (kept.length > mostKept) kept.shift()
      next.resolve()
      next = Promise.withResolvers()
    },
    /** How many there have been. */
    count: () => count,
    /** The next answer behind so many. Waits for it; `undefined` at the limit. */
    async after(number: number, waitMs = longestWaitMs): Promise<ServiceAnswer | undefined> {
      if (count <= number) await Promise.race([next.promise, delay(waitMs, undefined, { ref: false })])
      return kept[kept.length - count + number]
    },
  }
}
