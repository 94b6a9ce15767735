// Many clients in one process. Each has its own connection and a fixed number of calls under way.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { connectWrapper, type WrapperClient } from '@service-link/pipe-client'
import type { SoakOrder, SoakReport } from './pipe-soak.ts'

/** Reason of given-up calls. No other code rejects with it. */
const givenUp = new Error('Nobody waits for it any more.')

/** Shorter than the web app's time for workouts. */
const giveUpAfterMs = 10

const [userFolder = '', ...counts] = process.argv.slice(2)
const [clientCount, callsAtATime] = counts.map(Number)
const clients = await Promise.all(
  Array.from({ length: clientCount ?? 0 }, () => connectWrapper({ userFolder })),
)

process.on('message', async ({ durationMs }: SoakOrder) => process.send?.(await runAll(durationMs)))
process.once('disconnect', () => process.exit())
process.send?.(clients.map(({ mode }) => mode))

async function runAll(durationMs: number): Promise<SoakReport> {
  const deadline = performance.now() + durationMs
  const failures: string[] = []
  let longestMs = 0
  let givenUpCount = 0

  async function callOnce(client: WrapperClient, number: number): Promise<void> {
    const customId = `own-${number}`
    const controller = new AbortController()
    const kind = number % 20
    if (kind < 9) return void (await client.version())
    if (kind < 14) return void (await client.status())
    if (kind === 18) {
      // The call rejects at once. The later answer of the web app goes nowhere.
      const workouts = client.getWorkoutsForClient({ customId }, { signal: controller.signal })
      if (number % 40 === 18) void setTimeout(giveUpAfterMs).then(() => controller.abort(givenUp))
      return void (await workouts)
    }
    const users = client.getListOfUsers({ customId }, { signal: controller.signal })
    if (kind === 19) void setImmediate().then(() => controller.abort(givenUp))
    const [first] = await users
    if (first?.customId !== customId) throw new Error('A reply was that of another call.')
  }

  async function run(client: WrapperClient): Promise<number> {
    let completed = 0
    let begun = 0
    const caller = async () => {
      while (performance.now() < deadline) {
        const begunAt = performance.now()
        try {
          await callOnce(client, begun++)
          completed++
        } catch (error) {
          if (error === givenUp) givenUpCount++
          else failures.push(String(error))
        }
        longestMs = Math.max(longestMs, performance.now() - begunAt)
      }
    }
    await Promise.all(Array.from({ length: callsAtATime ?? 0 }, caller))
    return completed
  }

  const completed = await Promise.all(clients.map(run))
  return {
    completed,
    givenUpCount,
    longestMs,
    failureCount: failures.length,
    failures: failures.slice(0, 10),
  }
}
