import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Brand } from '@service-link/protocol-core/brand'
import { uniqueBrand } from './pipe-places.ts'

/** A server in its own process, written in another language from the protocol page alone. */
export interface ClassicOnlyProcess extends AsyncDisposable {
  readonly brand: Brand
  readonly pid: number
  /** Requests so far, in order: method, tab, id. */
  readonly requests: readonly string[]
}

/** Starts a server and waits until its pipe exists. */
export async function startClassicOnly(
  program: string,
  argsFor: (brand: Brand) => readonly string[],
): Promise<ClassicOnlyProcess> {
  const brand = uniqueBrand()
  const child = spawn(program, argsFor(brand), { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'close')
  const requests: string[] = []
  const listens = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', line => {
    if (line === 'listens') listens.resolve()
    else requests.push(line)
  })
  const ended = exited.then(([code]) => {
    throw new Error(`${program} ended with ${code} before it listened.`)
  })
  await Promise.race([listens.promise, ended])
  ended.catch(() => undefined)
  return {
    brand,
    pid: child.pid ?? 0,
    requests,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Path of a file of this folder. */
export function fileHere(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

/**
 * Whether all of these programs are installed; prints the missing one. CI on Linux must have them all.
 *
 * @throws {Error} in CI on Linux, when one is missing
 */
export function areInstalled(...programs: readonly string[]): boolean {
  const missing = programs.filter(program => spawnSync(program, ['--version']).error)
  if (missing.length === 0) return true
  const reason = `Servers of other languages are not tried: ${missing.join(', ')} is not installed.`
  if (process.env.CI && process.platform === 'linux') throw new Error(reason)
  console.error(reason)
  return false
}
