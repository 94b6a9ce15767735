import type { Target } from '../command-line/command-line.ts'
import { boundsAfter, connectTo, leftMs } from './connect.ts'
import { personAsSent } from './person-as-sent.ts'

/** Tells which wrapper it is, whether its web app is loaded, whether somebody is signed in, and who is in focus. */
export async function showStatus(target: Target, onConnected: (pid: number) => void): Promise<unknown> {
  const startedAt = performance.now()
  await using client = await connectTo(target, {})
  const { pid } = client.wrapper
  onConnected(pid)
  const options = { timeoutMs: leftMs(boundsAfter(target, startedAt)) }
  const [{ isLoaded, isSignedIn, person }, version] = await Promise.all([
    client.status(options),
    client.version(options),
  ])
  return {
    pid,
    version,
    loaded: isLoaded,
    signedin: isSignedIn,
    person: person ? personAsSent(person) : null,
  }
}
