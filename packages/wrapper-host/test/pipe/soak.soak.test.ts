import { connectWrapper } from '@service-link/pipe-client'
import { expect, test } from 'vitest'
import { startPipeLoad } from '../support/pipe-load.ts'
import { annoy } from '../support/pipe-nuisances.ts'
import { startSoakClients } from '../support/pipe-soak.ts'
import { selectAndHear } from '../support/pipe-soak-selections.ts'

const clientCount = 200
const callsAtATime = 16
/** Time for warm caches and compiled code. */
const warmUpMs = 5_000
const soakMs = 60_000
/** Time with bad clients beside the others. */
const annoyedMs = 10_000
/** Longest wait for an answer beside the load, also on a busy machine. */
const busyMs = 300_000
/** Persons selected beside the load. Another program gets an event for each. */
const selectionCount = 20

/** A kilobyte for each of the 3,200 calls in progress, and nothing for the million finished ones. */
const growthBytes = 4 * 1024 * 1024

test('200 clients with 16 requests in flight each are served for a minute, beside any others', async () => {
  await using wrapper = await startPipeLoad()
  await using clients = await startSoakClients(wrapper.userFolder, clientCount, callsAtATime)
  // Before the clients that fill the queue of the pipe.
  await using selecting = await connectWrapper({ userFolder: wrapper.userFolder, timeoutMs: busyMs })
  await using hearing = await connectWrapper({ userFolder: wrapper.userFolder, timeoutMs: busyMs })
  expect(clients.modes).toEqual(Array.from({ length: clientCount }, () => 'session'))
  const warmUp = await clients.run(warmUpMs)
  expect(warmUp.failures).toEqual([])
  const before = await wrapper.figures()
  const annoyed = annoy(wrapper.address, AbortSignal.timeout(annoyedMs))
  const selections = selectAndHear(selecting, hearing, selectionCount)
  const [report, { asked, heard }] = await Promise.race([
    Promise.all([clients.run(soakMs), selections]),
    wrapper.lost,
  ])
  await annoyed
  const after = await wrapper.figures()

  const counts = report.completed.toSorted((a, b) => a - b)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [slowest = 0, middle = 0] = [counts[0], counts[clientCount / 2]]
  console.info(
    `${total} calls (${Math.round(total / (soakMs / 1000))} a second), ${report.givenUpCount} given up,`,
    `slowest client ${slowest}, median ${middle}, longest call ${Math.round(report.longestMs)} ms;`,
    `the wrapper before and after: ${JSON.stringify({ before, after })}`,
  )
  expect(report).toMatchObject({ failureCount: 0, failures: [] })
  expect(report.givenUpCount).toBeGreaterThan(0)
  expect(heard).toEqual(asked)
  expect(slowest).toBeGreaterThan(middle / 3)
  expect(after.keptBytes).toBeLessThan(before.keptBytes + growthBytes)
  expect(after.handles).toBeLessThanOrEqual(before.handles + 2)
  expect(await wrapper.end()).toMatchObject({ exitCode: 0, errors: '' })
}, 600_000)
