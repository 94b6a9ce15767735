import type { ServiceLinkError } from '@service-link/protocol-core/errors'
import { PipeRefusedError } from '../../errors/pipe-error.ts'
import type { Terminal } from '../terminal.ts'
import { explainFailure } from './explain-failure.ts'
import type { FailedCall } from './failed-call.ts'
import { plainJson, plainLine } from './plain-text.ts'

/**
 * Tells people why a call failed and what to do next, and programs as JSON when they asked for it.
 *
 * @param isJson whether it goes to standard output as well
 */
export async function tellFailure(
  error: ServiceLinkError,
  call: FailedCall,
  terminal: Terminal,
  isJson: boolean,
): Promise<void> {
  const { sentence, advice } = explainFailure(error, call)
  const { code } = error
  const paint = (color: number, text: string) =>
    terminal.hasColor ? `\u001b[${color}m${text}\u001b[0m` : text
  const name = paint(red, 'service-pipe:')
  terminal.tell(`${name} ${plainLine(sentence)} ${paint(dim, `[${code}]`)}\n→ ${plainLine(advice)}\n`)
  if (!isJson) return
  const commandcode = error instanceof PipeRefusedError ? error.commandCode : undefined
  await terminal.print(
    `${plainJson({ error: sentence, code, commandcode, advice }, terminal.isDataWatched)}\n`,
  )
}

const red = 31
const dim = 2
