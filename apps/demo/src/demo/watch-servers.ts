import { createLogger } from '@service-link/service'
import { multistream, destination as openDestination } from 'pino'
import * as z from 'zod'
import { now, type StepState } from '../home/demo-state.ts'
import { keepServiceAnswers } from '../launcher/service-answers.ts'

const lineSchema = z.object({ msg: z.string(), result: z.string().optional() })

/**
 * Notes what the servers do, by the service's own log and the names that partner application and e-ID tell: the log names
 * nobody. Warnings and errors still go to stderr.
 */
export function watchServers() {
  const board: { link: StepState; my: StepState } = {
    link: { tone: 'ready', text: 'Nobody has been opened yet.' },
    my: { tone: 'ready', text: 'No patient has logged in yet.' },
  }
  let signed = 'A patient'
  let identified = 'A patient'
  const answers = keepServiceAnswers()
  const read = (text: string): void => {
    const line: unknown = JSON.parse(text)
    answers.note(line)
    const { msg, result = '' } = lineSchema.parse(line)
    const refused = (what: string): StepState => ({ tone: 'refused', text: `${what} at ${now()}: ${result}` })
    if (msg === 'partner link') {
      if (result === 'signed-in' || result === 'linked')
        board.link = { tone: 'done', text: `${signed} has been in focus since ${now()}.` }
      else if (result === 'log-in')
        board.link = {
          tone: 'waits',
          text: `${signed} has waited since ${now()} for the first log-in, in the new tab.`,
          more: 'Log in there as Ingrid Solberg, and confirm the link. Later visits ask for nothing.',
        }
      else if (result.startsWith('ERR_')) board.link = refused('The service refused the last link')
    }
    if (msg === 'consumer log-in')
      board.my =
        result === 'logged-in'
          ? { tone: 'done', text: `${identified} logged in at ${now()}.` }
          : refused('The last log-in failed')
  }
  const logger = createLogger(
    'info',
    multistream([
      { level: 'info', stream: { write: read } },
      { level: 'warn', stream: openDestination({ dest: 2, sync: true }) },
    ]),
  )
  return {
    board,
    logger,
    answers,
    onSigned(name: string) {
      signed = name
    },
    onLogIn({ name }: { readonly name: string }) {
      identified = name
    },
  }
}
