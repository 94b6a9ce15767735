import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { post } from './post.ts'

/** Most attempts for one visit; the last one's outcome counts. */
const maxAttempts = 20

/** Pause after a broken connection before the next process is tried, in milliseconds. */
const brokenPauseMs = 200

/** One of the service's processes. A restart may change its address. */
export interface Upstream {
  readonly name: string
  address: string
}

const problemSchema = z.object({ code: z.literal('ERR_UNAVAILABLE'), status: z.literal(503) })

/** Visits at a steady pace, each retried until it succeeds, as partners are advised. */
export class Load {
  readonly #upstreams: readonly Upstream[]
  readonly #sign: (visit: number) => Promise<string>
  #turn = 0
  begun = 0
  taken = 0
  refused = 0
  /** Names of the processes with broken connections, one entry per attempt. */
  readonly broken: string[] = []
  /** Answers that no partner should ever get. */
  readonly failures: string[] = []

  /** @param upstreams used in turn @param sign makes a new token for a visit */
  constructor(upstreams: readonly Upstream[], sign: (visit: number) => Promise<string>) {
    this.#upstreams = upstreams
    this.#sign = sign
  }

  /** Starts visits up to this number; resolves when each is over. */
  async run({ visits, everyMs }: { readonly visits: number; readonly everyMs: number }): Promise<void> {
    const running: Promise<unknown>[] = []
    for (let visit = 0; visit < visits; visit++) {
      running.push(this.#make(visit))
      await delay(everyMs)
    }
    await Promise.all(running)
  }

  /** Resolves when the counts match. */
  async until(isSo: (load: Load) => boolean): Promise<void> {
    while (!isSo(this)) await delay(5)
  }

  async #make(visit: number): Promise<unknown> {
    this.begun++
    for (let attempts = 1; attempts <= maxAttempts; attempts++) {
      const upstream = this.#upstreams[this.#turn++ % this.#upstreams.length]
      if (!upstream) throw new Error('There is no process to post to.')
      const token = await this.#sign(visit)
      // A new connection, because either side may close a kept one at any time.
      const headers = { accept: 'application/problem+json', connection: 'close' }
      const answer = await post({ service: { url: upstream.address } }, token, headers).catch(() => undefined)
      const body = await answer?.text().catch(() => undefined)
      if (!answer || body === undefined) {
        this.broken.push(upstream.name)
        await delay(brokenPauseMs)
        continue
      }
      if (answer.status === 200 && body.includes('"kind":"signed-in"')) return this.taken++
      const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
      if (answer.status !== 503 || !problemSchema.safeParse(JSON.parse(body)).success || !(retryAfter >= 0))
        return this.failures.push(`${answer.status} ${body.slice(0, 300)}`)
      this.refused++
      await delay(retryAfter * 1000)
    }
    return this.failures.push('was given up')
  }
}
