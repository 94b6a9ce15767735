import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'

/** The Windows folder of the machine's named pipes. */
const pipeFolder = '\\\\.\\pipe\\'

/**
 * Supplies the list of named pipes, which Wine lacks. Each calling process records its pipes in a folder and answers
 * reads of the list from it. A pipe leaves the list when it closes or its process ends.
 *
 * @param folder absolute path
 */
export function listPipes(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const noteOf = (address: string) => `${folder}/${encodeURIComponent(address.slice(pipeFolder.length))}`
  const { listen, close } = Server.prototype
  const noted = new WeakMap<Server, string>()

  Server.prototype.listen = function (this: Server, ...given: unknown[]) {
    this.prependOnceListener('listening', () => {
      const address = this.address()
      if (typeof address !== 'string' || !address.startsWith(pipeFolder)) return
      noted.set(this, noteOf(address))
      writeFileSync(noteOf(address), String(process.pid))
    })
    return Reflect.apply(listen, this, given)
  }

  Server.prototype.close = function (this: Server, ...given: unknown[]) {
    const note = noted.get(this)
    if (note && readNote(note) === process.pid) rmSync(note, { force: true })
    noted.delete(this)
    return Reflect.apply(close, this, given)
  }

  const readdir = promises.readdir as (...given: unknown[]) => Promise<unknown>
  const withPipes = async (...given: unknown[]) => {
    if (given[0] !== pipeFolder) return await readdir(...given)
    return readdirSync(folder).flatMap(name =>
      isAlive(readNote(`${folder}/${name}`)) ? [decodeURIComponent(name)] : [],
    )
  }
  promises.readdir = withPipes as typeof promises.readdir
  syncBuiltinESMExports()
}

/** The process that wrote a note; `undefined` if the note is gone. */
function readNote(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
