import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultBrand, installFileName, wrapperUserFolder } from '@service-link/protocol-core/brand'

/** A program that is noted as the installed wrapper, in folders that the scope removes. */
export interface InstalledProgram extends AsyncDisposable {
  readonly folder: string
  /** The install record. */
  readonly installFile: string
  /** The executable: this process's Node runs the script with the executable's arguments. */
  readonly executable: string
  /** Environment in which it is found. */
  readonly environment: NodeJS.ProcessEnv
  /** Writes the install record anew. */
  note(content: string): Promise<void>
}

/** @param script the program, as the source of a module */
export async function installedProgram(script = ''): Promise<InstalledProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'launch-test-'))
  const environment = { ...process.env, XDG_DATA_HOME: join(folder, 'data'), TMPDIR: folder, HOME: folder }
  const userFolder = wrapperUserFolder(defaultBrand, process.platform, environment, () => folder)
  const installFile = join(userFolder, installFileName)
  const module = join(folder, 'program.mjs')
  const executable = join(folder, 'wrapper 3', 'wrapper')
  await mkdir(userFolder, { recursive: true })
  await mkdir(dirname(executable))
  await writeFile(module, script)
  // Becomes Node, so that the process keeps its id. On a test machine, Node's file may belong to any user.
  await writeFile(executable, `#!/bin/sh\nexec '${process.execPath}' '${module}' "$@"\n`)
  await chmod(executable, 0o755)
  const note = async (content: string) => {
    await writeFile(installFile, content)
    await chmod(installFile, 0o600)
  }
  await note(JSON.stringify({ path: dirname(executable), version: '3.0.0.0', command: [executable] }))
  return {
    folder,
    installFile,
    executable,
    environment,
    note,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Source of a wrapper that publishes a record, logs its arguments, and ends on `close`. */
export const wrapperProgram = `
  import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
  import { createServer } from 'node:net'
  const home = process.env.HOME
  const run = process.env.XDG_DATA_HOME + '/Service/Service.Client.WebWrapper/run'
  const address = home + '/' + process.pid
  const record = run + '/' + process.pid + '.json'
  const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }
  const desktop = process.env.DISPLAY?.replace(/(:\\d+)\\.\\d+$/, '$1') || process.env.WAYLAND_DISPLAY || ''
  const version = '3.0.0.0'
  writeFileSync(home + '/argv.json', JSON.stringify(process.argv.slice(2)))
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const server = createServer(socket => {
    const send = message => {
      const body = Buffer.from(JSON.stringify(message))
      const length = Buffer.alloc(4)
      length.writeInt32LE(body.length)
      socket.write(Buffer.concat([length, body]))
    }
    const results = { hello: { protocol: 1, version, pid: process.pid, capabilities: [] }, version, close: null }
    socket.on('error', () => undefined)
    socket.on('data', bytes => {
      while (bytes.length > 0) {
        const end = 4 + bytes.readInt32LE()
        const { ask, Id, Method } = JSON.parse(bytes.subarray(4, end))
        bytes = bytes.subarray(end)
        send(ask ? { answer: key.answer } : { Id, Result: results[Method] })
        if (Method !== 'close') continue
        rmSync(record)
        server.close()
        socket.end()
      }
    })
  })
  server.listen(address, () =>
    writeFileSync(record, JSON.stringify({ pid: process.pid, desktop, version, address, key }), { mode: 0o600 }))
`
