import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLogger } from '../../src/server/http/logger.ts'
import { recordText } from './record.ts'

/** A complete log in memory. */
export function keepLog(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      recordText('log', String(chunk))
      done()
    },
  })
  return { logger: createLogger('trace', sink), lines }
}
