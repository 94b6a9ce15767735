import type { PayloadClaims } from '@service-link/protocol-core'
import { createLogger } from '@service-link/service'
import { decodeJwt } from 'jose'
import { multistream, destination as openDestination } from 'pino'
import * as z from 'zod'
import { type StepState, said, type Travelled } from '../home/demo-state.ts'
import { patientName, patients } from '../journal/patients.ts'
import { keepServiceAnswers } from '../launcher/service-answers.ts'
import { travelledByLink, travelledByLogIn } from './travelled.ts'

const lineSchema = z.object({
  msg: z.string(),
  requestId: z.string().optional(),
  result: z.string().optional(),
})

/** Name of the landing page's posts, in their query. */
export const linkStep = 'landing-page'

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
  /** Request ids of step 1's posts. A confirmation of their link has them too. */
  const posts = new Set<string>()
  let logInsAsked = 0
  const answers = keepServiceAnswers()
  const read = (text: string): void => {
    const line: unknown = JSON.parse(text)
    const post = answers.note(line)
    const { msg, requestId = '', result = '' } = lineSchema.parse(line)
    if (post === linkStep) posts.add(requestId)
    if (msg === 'partner link' && !post && result === 'log-in') logInsAsked += 1
    // A step that is done stays so.
    if (msg === 'partner link' && signed && posts.has(requestId) && board.link.tone !== 'done') {
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
    /** How many posts without a name, such as the wrapper's, the service has answered with a log-in. */
    logInsAsked: () => logInsAsked,
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
