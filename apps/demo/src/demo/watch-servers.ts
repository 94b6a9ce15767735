import { createLogger } from '@service-link/service'
import { multistream, destination as openDestination } from 'pino'
import * as z from 'zod'
import type { Board, DemoState } from '../home/demo-state.ts'

const lineSchema = z.object({ msg: z.string(), result: z.string().optional() })

/**
 * Shows on the board what the servers do, by the service's own log and the names that partner application and e-ID tell: the
 * log names nobody. Warnings and errors still go to stderr.
 */
export function watchServers(board: Board<DemoState>) {
  let signed = 'A patient'
  let identified = 'A patient'
  const read = (line: string): void => {
    const { msg, result = '' } = lineSchema.parse(JSON.parse(line))
    const at = new Date().toISOString()
    const refused = { kind: 'refused', code: result, at } as const
    if (msg === 'partner link') {
      if (result === 'signed-in' || result === 'linked')
        board.change({ link: { kind: 'in-focus', name: signed, at } })
      else if (result === 'log-in') board.change({ link: { kind: 'log-in', name: signed, at } })
      else if (result.startsWith('ERR_')) board.change({ link: refused })
    }
    if (msg === 'consumer log-in')
      board.change({ my: result === 'logged-in' ? { kind: result, name: identified, at } : refused })
  }
  const logger = createLogger(
    'info',
    multistream([
      { level: 'info', stream: { write: read } },
      { level: 'warn', stream: openDestination({ dest: 2, sync: true }) },
    ]),
  )
  return {
    logger,
    onSigned(name: string) {
      signed = name
    },
    onLogIn({ name }: { readonly name: string }) {
      identified = name
    },
  }
}
