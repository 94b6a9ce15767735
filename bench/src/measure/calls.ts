import { connect } from 'node:net'
import { Bench } from 'tinybench'
import type { Goal, Row } from '../report.ts'

/** Value below which the given share of the samples lies; 0.5 is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The quantile of each tenth of the samples in their order, of these the median: a burst of other work falls into one or two. */
export function steadyQuantile(samples: readonly number[], share: number): number {
  const size = samples.length / 10
  const tenths = Array.from({ length: 10 }, (_, at) => samples.slice(at * size, (at + 1) * size))
  return median(tenths.map(tenth => quantile(tenth, share)))
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}

interface TurnOptions {
  /** Turns of each call. Default 15. */
  readonly rounds?: number
  /** Length of one turn in milliseconds. Default 40. */
  readonly turnMs?: number
}

/** Warm-up of each call in milliseconds, until its code is optimized. */
const warmUpMs = 300

/** Time of one call in microseconds. */
type Micros<Name extends string> = Readonly<Record<Name, number>>

/**
 * Measures calls in this process in many short turns that alternate; returns the lower quartile of their medians, so
 * that busy turns count little.
 */
export async function measureInTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  { rounds = 15, turnMs = 40 }: TurnOptions = {},
): Promise<Micros<Name>> {
  const names = Object.keys(contenders) as Name[]
  for (const name of names) await runTurn(benchOf(contenders[name], warmUpMs))
  const benches = new Map(names.map(name => [name, benchOf(contenders[name], turnMs)]))
  const samples = new Map(names.map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      samples.get(name)?.push(await runTurn(benches.get(name)))
    }
  }
  return Object.fromEntries(
    names.map(name => [name, quantile(samples.get(name) ?? [], 0.25)]),
  ) as Micros<Name>
}

function benchOf(call: () => unknown, turnMs: number): Bench {
  const bench = new Bench({ time: turnMs, iterations: 8, warmup: false, throws: true })
  return bench.add('turn', call)
}

async function runTurn(bench: Bench | undefined): Promise<number> {
  const [task] = (await bench?.run()) ?? []
  const result = task?.result
  if (!result || !('latency' in result)) throw new Error('The turn gave no result.')
  return result.latency.p50 * 1000
}

interface CallTurnOptions {
  readonly rounds: number
  readonly warmUp?: number
  /** Calls of one turn, one after the other. Default 1. */
  readonly callsPerTurn?: number
}

/**
 * Measures calls that leave this process, in microseconds. In each round every contender has one turn, in a changing
 * order, so that a slow phase of the machine slows them all.
 */
export async function measureCallsInTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<unknown>>>,
  { rounds, warmUp = 100, callsPerTurn = 1 }: CallTurnOptions,
): Promise<Record<Name, readonly number[]>> {
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmUp; round < rounds; round++) {
    // Forwards and backwards, so that each follows each of the others: the clean-up of one slows the next.
    const order = round % 2 === 0 ? names : names.toReversed()
    for (let turn = 0; turn < order.length; turn++) {
      const name = order[(turn + warmUp + round) % order.length]
      if (name === undefined) continue
      for (let call = 0; call < callsPerTurn; call++) {
        const begun = performance.now()
        await contenders[name]()
        if (round >= 0) samples[name].push((performance.now() - begun) * 1000)
      }
    }
  }
  return samples
}

interface CallRateOptions {
  /** Calls in progress at any time. */
  readonly inFlight: number
  readonly durationMs: number
}

/** Makes calls for a while and starts a new one as soon as one is answered. */
export async function callsPerSecond(
  call: () => Promise<unknown>,
  { inFlight, durationMs }: CallRateOptions,
): Promise<number> {
  const begun = performance.now()
  const deadline = begun + durationMs
  let answered = 0
  const caller = async () => {
    while (performance.now() < deadline) {
      await call()
      answered++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  return answered / ((performance.now() - begun) / 1000)
}

const connectionCount = 16

const timeoutMs = 10_000

/**
 * Posts a payload over a few open connections. Speaks minimal HTTP, so that the servers are measured and not the
 * client.
 */
export async function requestsPerSecond(port: number, token: string, durationMs: number): Promise<number> {
  const request = requestOf(port, token)
  const deadline = performance.now() + durationMs
  return postAtOnce(port, () => (performance.now() < deadline ? request : undefined))
}

/** Posts each of the payloads once, in the same way. */
export async function tokensPerSecond(port: number, tokens: readonly string[]): Promise<number> {
  const requests = tokens.map(token => requestOf(port, token)).values()
  return postAtOnce(port, () => requests.next().value)
}

/** Posts over all connections while there are requests, and returns the answers a second. */
async function postAtOnce(port: number, next: () => Buffer | undefined): Promise<number> {
  const begun = performance.now()
  const counts = await Promise.all(Array.from({ length: connectionCount }, () => postWhile(port, next)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return total / ((performance.now() - begun) / 1000)
}

function requestOf(port: number, token: string): Buffer {
  const body = `payload=${token}`
  return Buffer.from(
    `POST /partner/payload HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8\r\n' +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

function postWhile(port: number, next: () => Buffer | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const first = next()
    if (!first) return resolve(0)
    let answered = 0
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true).setEncoding('latin1').setTimeout(timeoutMs)
    const fail = (reason: Error) => {
      socket.destroy()
      reject(reason)
    }
    socket.on('connect', () => socket.write(first))
    socket.on('error', fail)
    socket.on('timeout', () => fail(new Error('The server does not answer.')))
    socket.on('end', () => fail(new Error('The server closed the connection.')))
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!isComplete(received)) return
      if (!received.startsWith('HTTP/1.1 200 '))
        return fail(new Error(`The server answered ${received.slice(9, 12)}.`))
      answered++
      received = ''
      const request = next()
      if (request) return socket.write(request)
      socket.destroy()
      resolve(answered)
    })
  })
}

/** Whether the text is a complete answer. A second one never follows it. */
function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= headEnd + 4 + Number(length)
}

export interface Size {
  readonly name: string
  readonly floor: () => unknown
  readonly ours: () => unknown
  readonly goal?: Goal
}

/** Measures sizes in ascending order against their floor, and checks that the cost stays in proportion. */
export async function measureSizes(
  subject: string,
  floorName: string,
  sizes: readonly Size[],
): Promise<Row[]> {
  const contenders = sizes.flatMap(({ floor, ours }, index) => [
    [`floor of ${index}`, floor] as const,
    [`${index}`, ours] as const,
  ])
  const micros = await measureInTurns(Object.fromEntries(contenders), { turnMs: 30 })
  const rows = sizes.map(({ name, goal }, index): Row => {
    const floor = micros[`floor of ${index}`] ?? Number.NaN
    const ours = micros[index] ?? Number.NaN
    return {
      name,
      unit: 'µs',
      floor: { of: floorName, value: floor },
      ours,
      ratio: ours / floor,
      ...(goal ? { goal } : {}),
    }
  })
  return [...rows, growthOf(subject, rows)]
}

/**
 * Compares how much the last line and the one before cost beyond their floor. The sizes differ by a factor of four or
 * more: quadratic cost exceeds the goal clearly, and cache effects stay below.
 */
export function growthOf(subject: string, rows: readonly Row[]): Row {
  const [before, last] = rows.slice(-2)
  if (!before || !last) throw new TypeError('Growth needs two lines.')
  // Of calls a second, more is better.
  const isRate = last.unit === 'requests/s'
  return {
    name: `  growth, ${subject}: last ratio and the one before`,
    unit: last.unit,
    ours: last.ours,
    ratio: isRate ? before.ratio / last.ratio : last.ratio / before.ratio,
    goal: { on: 'ratio', atMost: 2 },
  }
}
