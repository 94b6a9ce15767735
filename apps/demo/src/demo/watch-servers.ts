import type { PayloadClaims } from '@service-link/protocol-core'
import { createLogger } from '@service-link/service'
import { decodeJwt } from 'jose'
import { multistream, destination as openDestination } from 'pino'
import * as z from 'zod'
import { type StepState, said, type Travelled } from '../home/demo-state.ts'
import { patientName, patients } from '../journal/patients.ts'
import { keepServiceAnswers } from '../launcher/service-answers.ts'
import { travelledByLink, travelledByLogIn } from './travelled.ts'

const lineSchema = z.object({ msg: z.string(), result: z.string().optional() })

/**
 * Notes what the servers do, by the service's own log and the tokens that partner application and e-ID sign: the log names
 * nobody. Warnings and errors still go to stderr.
 */
export function watchServers() {
  const board: { link: StepState; my: StepState } = {
    link: { tone: 'ready', says: said('nobodyOpened') },
    my: { tone: 'ready', says: said('nobodyLoggedIn') },
  }
  let signed: { readonly name: string; readonly travelled?: Travelled } | undefined
  let identified: typeof signed
  const answers = keepServiceAnswers()
  const read = (text: string): void => {
    const line: unknown = JSON.parse(text)
    const isLaunchers = answers.note(line)
    const { msg, result = '' } = lineSchema.parse(line)
    // A step that is done stays so, whatever others post.
    if (msg === 'partner link' && signed && !isLaunchers && board.link.tone !== 'done') {
      const { name, travelled } = signed
      if (result === 'signed-in' || result === 'linked')
        board.link = { tone: 'done', says: said('opened', { name }), travelled }
      else if (result === 'log-in')
        board.link = { tone: 'waits', says: said('waits', { name }), more: said('waitsMore') }
      else if (result.startsWith('ERR_'))
        board.link = { tone: 'refused', says: said('linkRefused', { result }) }
    }
    if (msg === 'consumer log-in' && board.my.tone !== 'done') {
      const { name = '', travelled } = identified ?? {}
      board.my =
        result === 'logged-in'
          ? { tone: 'done', says: said('loggedIn', { name }), travelled }
          : { tone: 'refused', says: said('logInFailed', { result }) }
    }
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
    onSigned(payload: string) {
      const claims = decodeJwt<PayloadClaims>(payload)
      if (claims.contact.id === patients[0]?.id)
        signed = { name: patientName(claims.contact), travelled: travelledByLink(claims) }
    },
    onIdToken(token: string) {
      const claims = decodeJwt<{ name: string; ssn: string }>(token)
      identified = { name: claims.name, travelled: travelledByLogIn(claims) }
    },
  }
}
