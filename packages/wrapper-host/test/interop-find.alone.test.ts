import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { partnerLanguages } from './_interop-programs.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const examples = fileURLToPath(new URL('../../../docs/examples/python/', import.meta.url))
const isLeftOut = partnerLanguages.find(({ name }) => name === 'Python')?.leftOut !== undefined

const find = 'import service_pipe; print(service_pipe.find_wrapper())'

/** Has a socket where a wrapper has its pipe, until its standard input ends. */
const serve = `
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(os.environ["TMPDIR"] + "/CoreFxPipe_servicepipe." + str(os.getpid()))
listener.listen()
print("listening", flush=True)
sys.stdin.read()
`

interface Session {
  readonly DISPLAY?: string
  readonly WAYLAND_DISPLAY?: string
}

function runPython(script: string, folder: string, session: Session) {
  const env = {
    ...process.env,
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    ...session,
    TMPDIR: folder,
    PYTHONPATH: examples,
  }
  return spawn('python3', ['-B', '-W', 'error', '-c', script], { env, timeout: 60_000 })
}

/** What the example in Python finds in a session, beside wrappers of these sessions: the place of the one, or what it says. */
async function findIn(own: Session, sessions: readonly Session[]): Promise<number | string> {
  await using folder = await temporaryFolder()
  const wrappers = sessions.map(session => runPython(serve, folder.path, session))
  try {
    await Promise.all(wrappers.map(({ stdout }) => once(stdout, 'data')))
    const finder = runPython(find, folder.path, own)
    let output = ''
    for (const stream of [finder.stdout, finder.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    await once(finder, 'close')
    const index = wrappers.findIndex(({ pid }) => output.trim() === String(pid))
    return index < 0 ? (output.trim().split('\n').at(-1) ?? '') : index
  } finally {
    await Promise.all(
      wrappers.map(wrapper => {
        const ended = once(wrapper, 'close')
        wrapper.stdin.end()
        return ended
      }),
    )
  }
}

// Only Linux tells sessions by the environment.
describe.skipIf(isLeftOut || process.platform !== 'linux')(
  'the wrapper that the example in Python takes',
  () => {
    test.each<[string, Session, readonly Session[], number]>([
      ['of its own display, of several', { DISPLAY: ':1' }, [{ DISPLAY: ':2' }, { DISPLAY: ':1' }], 1],
      ['of another screen of its display', { DISPLAY: ':1' }, [{ DISPLAY: ':1.0' }], 0],
      ['of its own Wayland display', { WAYLAND_DISPLAY: 'wayland-1' }, [{ WAYLAND_DISPLAY: 'wayland-1' }], 0],
      ['without a session, where it has none', {}, [{ DISPLAY: ':1' }, {}], 1],
    ])('is the one %s', async (_title, own, sessions, index) => {
      expect(await findIn(own, sessions)).toBe(index)
    })

    test.each<[string, Session, readonly Session[], number]>([
      ['another session has the only one', { DISPLAY: ':1' }, [{ DISPLAY: ':2' }], 0],
      ['it has no session', {}, [{ DISPLAY: ':2' }], 0],
      ['its session has several', { DISPLAY: ':1' }, [{ DISPLAY: ':1' }, { DISPLAY: ':1' }], 2],
    ])('is none where %s', async (_title, own, sessions, count) => {
      expect(await findIn(own, sessions)).toBe(
        `FileNotFoundError: ${count} wrappers are known to be of this session; say which process to ask.`,
      )
    })
  },
)
