import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { defaultBrand, pipeName, unixPipePrefix } from '@service-link/protocol-core'
import { isInstalled } from './support/is-installed.ts'

/** The user whom Unix systems have for what belongs to nobody. */
const nobody = 65_534

/** Whether a process of another user can be started here. */
export const hasOtherUser = process.getuid?.() === 0 && isInstalled('python3')

/** Opens its pipe to everybody and tells how many bytes it got, on each connection. */
const script = `
import os, socket, sys
path = os.path.join(sys.argv[1], sys.argv[2] + str(os.getpid()))
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
os.chmod(path, 0o777)
listener.listen()
print("listening", flush=True)
sys.stdin.read()
listener.settimeout(0)
count = 0
try:
    while True:
        count += len(listener.accept()[0].recv(1000))
except OSError:
    pass
os.unlink(path)
print(count, flush=True)
`

/** A pipe at a process of another user, who lets everybody connect. */
export interface OtherUsersPipe {
  readonly pid: number
  /** Ends it: how many bytes came in. */
  end(): Promise<number>
}

/** Starts one; the operating system takes its connections. */
export async function startOtherUsersPipe(): Promise<OtherUsersPipe> {
  const prefix = `${unixPipePrefix}${pipeName(defaultBrand, 1).slice(0, -1)}`
  const child = spawn('python3', ['-c', script, tmpdir(), prefix], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 120_000,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await once(child.stdout, 'data')
  return {
    pid: child.pid ?? 0,
    async end() {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
      return Number(output.split('\n')[1])
    },
  }
}
