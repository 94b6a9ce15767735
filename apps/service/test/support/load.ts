import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'

/** Most attempts for one visit; the last one's outcome counts. */
const maxAttempts = 20

/** Pause after a broken connection before the next process is tried, in milliseconds. */
const brokenPauseMs = 200

/** Limit for a hanging attempt; the service is never this slow. */
const hangMs = 60_000

/** One of the service's processes. A restart may change its address. */
export interface Upstream {
  readonly name: string
  address: string
}

/** The result of one attempt. */
type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly retryAfterMs: number }
  | { readonly kind: 'broken' }
  | { readonly kind: 'failed'; readonly reason: string }

const problemSchema = z.object({ code: z.string(), status: z.literal(503) })

/** Options of {@link Load}. */
export interface LoadOptions {
  /** Used in turn. */
  readonly upstreams: readonly Upstream[]
  /** Makes a new token for a visit. */
  readonly sign: (visit: number) => Promise<string>
}

/** Visits at a steady pace, each retried until it succeeds, as partners are advised. */
export class Load {
  readonly #options: LoadOptions
  readonly #changes = new EventEmitter().setMaxListeners(0)
  #turn = 0
  begun = 0
  taken = 0
  refused = 0
  /** Names of the processes with broken connections, one entry per attempt. */
  readonly broken: string[] = []
  /** Answers that no partner should ever get. */
  readonly failures: string[] = []

  constructor(options: LoadOptions) {
    this.#options = options
  }

  /** Starts visits up to this number; resolves when each is over. */
  async run(options: { readonly visits: number; readonly everyMs: number }): Promise<void> {
    const running: Promise<void>[] = []
    for (let visit = 0; visit < options.visits; visit++) {
      running.push(this.#make(visit))
      await delay(options.everyMs)
    }
    await Promise.all(running)
  }

  /** Resolves when the counts match. */
  async until(isSo: (load: Load) => boolean): Promise<void> {
    while (!isSo(this)) await once(this.#changes, 'change')
  }

  async #make(visit: number): Promise<void> {
    this.#count(() => this.begun++)
    for (let attempts = 1; ; attempts++) {
      const upstream = this.#nextUpstream()
      const attempt = await this.#attempt(upstream, await this.#options.sign(visit))
      if (attempt.kind === 'taken') return this.#count(() => this.taken++)
      if (attempt.kind === 'failed') return this.#count(() => this.failures.push(attempt.reason))
      if (attempt.kind === 'refused') this.#count(() => this.refused++)
      else this.#count(() => this.broken.push(upstream.name))
      if (attempts === maxAttempts) return this.#count(() => this.failures.push('was given up'))
      await delay(attempt.kind === 'refused' ? attempt.retryAfterMs : brokenPauseMs)
    }
  }

  #nextUpstream(): Upstream {
    const { upstreams } = this.#options
    const upstream = upstreams[this.#turn++ % upstreams.length]
    if (!upstream) throw new Error('There is no process to post to.')
    return upstream
  }

  async #attempt({ address }: Upstream, token: string): Promise<Attempt> {
    let answer: Awaited<ReturnType<typeof post>>
    try {
      answer = await post(`${address}/partner/payload`, token)
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError')
        return { kind: 'failed', reason: 'was not answered' }
      return { kind: 'broken' }
    }
    const { status, retryAfter, body } = answer
    if (status === 200 && body.includes('"kind":"signed-in"')) return { kind: 'taken' }
    const isTyped =
      status === 503 && problemSchema.safeParse(JSON.parse(body)).data?.code === 'ERR_UNAVAILABLE'
    if (isTyped && /^\d+$/.test(retryAfter ?? ''))
      return { kind: 'refused', retryAfterMs: Number(retryAfter) * 1000 }
    return { kind: 'failed', reason: `${status} ${body.slice(0, 300)}` }
  }

  #count(change: () => unknown): void {
    change()
    this.#changes.emit('change')
  }
}

/** Posts over a new connection, because either side may close a kept one at any time. */
async function post(url: string, token: string) {
  const asked = request(url, {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(hangMs),
    headers: { accept: 'application/problem+json', 'content-type': 'application/x-www-form-urlencoded' },
  })
  const answered = once(asked, 'response')
  asked.end(new URLSearchParams({ payload: token }).toString())
  const [answer] = await answered
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: await text(answer) }
}
