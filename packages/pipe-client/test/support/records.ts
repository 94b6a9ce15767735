import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { type Brand, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { ownDesktop } from '../../src/running/own-desktop.ts'

// Not in the home of the user who runs the tests.
const folder = join(tmpdir(), `records-${process.pid}`)
process.env.XDG_DATA_HOME = folder
process.env.LOCALAPPDATA = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A key like a wrapper's. */
export function newKey(): WrapperRecord['key'] {
  return { ask: randomBytes(32).toString('hex'), answer: randomBytes(32).toString('hex') }
}

/** The per-user folder of a brand. */
export function userFolderOf(brand: Brand): string {
  return wrapperUserFolder(brand, process.platform, process.env, homedir)
}

/**
 * Publishes a record like a wrapper.
 *
 * @returns removes it
 */
export function publish(
  brand: Brand,
  record: Pick<WrapperRecord, 'address'> & Partial<WrapperRecord>,
): Disposable & { readonly record: WrapperRecord; readonly file: string } {
  const whole = { pid: process.pid, desktop: ownDesktop(), version: '3.0.0.0', key: newKey(), ...record }
  const run = join(userFolderOf(brand), 'run')
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const file = join(run, `${randomBytes(6).toString('hex')}.json`)
  writeFileSync(file, JSON.stringify(whole), { mode: 0o600 })
  return { record: whole, file, [Symbol.dispose]: () => rmSync(file, { force: true }) }
}
