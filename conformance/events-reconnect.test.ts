import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { connectWrapper } from '../packages/pipe-client/src/index.ts'

const cwd = fileURLToPath(new URL('../packages/wrapper-host/', import.meta.url))

interface Folders {
  readonly applicationRoot: string
  readonly userFolder: string
}

/** Ends the processes that a failed test leaves. */
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a wrapper as a process of its own, in new folders or in given ones. */
async function startProcess(folders?: Folders) {
  const source = `
    import { startTestWrapper } from '@service-link/wrapper-host/testing'
    const wrapper = await startTestWrapper(${JSON.stringify({ folders })})
    console.log(JSON.stringify(wrapper.folders))
    process.stdin.once('data', () => wrapper.signOut())
    await wrapper.closed
    process.exit()`
  const args = ['-C', '@service-link/source', '--input-type=module', '-e', source]
  const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(child.stdout, 'data')
  return { child, folders: JSON.parse(String(line)) as Folders }
}

test('events go on over a killed, a restarted and a closed wrapper', async () => {
  const { child: first, folders } = await startProcess()
  const client = await connectWrapper({ userFolder: folders.userFolder })
  const events = client.events({ events: ['signedout', 'closing'], reconnect: true })[Symbol.asyncIterator]()
  const next = async () => (await events.next()).value
  const again = (pid: number | undefined) => ({
    type: 'reconnected',
    wrapper: expect.objectContaining({ pid }),
    status: { isLoaded: true, isSignedIn: true, focusNumber: 0 },
  })
  try {
    await client.status()
    const lost = next()
    first.kill('SIGKILL')
    await once(first, 'exit')
    const { child: second } = await startProcess(folders)
    expect(await lost).toEqual(again(second.pid))
    const out = next()
    second.stdin.write('sign out\n')
    expect(await out).toEqual({ type: 'signedout', reason: 'user' })
    await client.close()
    expect(await next()).toEqual({ type: 'closing' })
    const reopened = next()
    await once(second, 'exit')
    const { child: third } = await startProcess(folders)
    expect(await reopened).toEqual(again(third.pid))
    await client.close()
    await once(third, 'exit')
  } finally {
    await client.disconnect()
    // A killed wrapper leaves its folders.
    await rm(dirname(folders.userFolder), { recursive: true, force: true })
  }
})
