import { once } from 'node:events'
import { fstatSync } from 'node:fs'
import { FileError, printJson, type Terminal, UsageError } from '@service-link/terminal'
import { readKeyFile } from './files.ts'

interface ServeRequest {
  readonly port?: number
  /** Path of a `registration.json`. */
  readonly registration?: string
  readonly firstVisit: boolean
}

/** Runs a service for tests until standard input or a signal ends it. */
export async function runServe(request: ServeRequest, terminal: Terminal): Promise<undefined> {
  const signal = terminal.interruption()
  const { port, registration: file, firstVisit: isFirstVisit } = request
  const partner = file === undefined ? undefined : await readRegistration(file, terminal)
  const { startTestService } = await loadTestService()
  await using service = await startTestService({ partner, port, isFirstVisit })
  const { audience, issuer, signing, registration } = service
  const { origin } = new URL(audience)
  const { kid, pem: privateKey } = signing
  const place = { pid: process.pid, origin, address: audience }
  await printJson({ ...place, issuer, kid, privateKey, registration }, terminal)
  await untilEnd(terminal, signal)
}

/**
 * The receiver is no dependency: it depends on this package, and few partners need it. Installed beside this package it is found,
 * also by `npx` with both packages.
 */
async function loadTestService() {
  try {
    // @boundaries-ignore: the one import of a higher layer, which may be missing
    return await import('@service-link/receiver/test-service')
  } catch (error) {
    if (Object(error).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      'The service for tests is the package @service-link/receiver, which is not installed beside this program. Install it: npm install --save-dev @service-link/receiver',
    )
  }
}

async function readRegistration(path: string, terminal: Terminal) {
  const file = await readKeyFile(path, terminal)
  if (file.form === 'json') return Object(file.value)
  throw new FileError(`The file ${path} is no registration: keygen writes one as registration.json.`)
}

/** A shell gives a background job the empty device as its standard input: only a pipe that ends is a wish to end. */
async function untilEnd({ stdin }: Terminal, signal: AbortSignal): Promise<void> {
  const ended = [once(signal, 'abort')]
  if (isPipe()) ended.push(once(stdin.resume(), 'close'))
  if (!signal.aborted) await Promise.race(ended)
  stdin.destroy()
}

function isPipe(): boolean {
  const input = fstatSync(0)
  return input.isFIFO() || input.isSocket()
}
