import {
  createMemoryWebApp,
  startTestWrapper,
  type TestWrapperOptions,
} from '@service-link/wrapper-host/testing'
import { decodeJwt } from 'jose'
import * as z from 'zod'

const claimsSchema = z.object({
  contact: z.object({ id: z.string(), firstname: z.string(), lastname: z.string() }),
})

/** Everybody whom the web app in memory makes has one, as the first users. */
const workouts = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  userId: index + 1,
  name: 'Knee',
}))

interface MemoryWindowOptions extends Pick<TestWrapperOptions, 'argv' | 'folders'> {
  /** How often the service has asked for a log-in, which the page in memory does not have. Default: never. */
  readonly logInsAsked?: () => number
}

/**
 * A wrapper whose web app is in memory, for a machine without a browser. Hand-off, pipe, providers and settings are real, and the
 * service checks each payload that is posted.
 */
export async function startMemoryWindow({ logInsAsked = () => 0, ...options }: MemoryWindowOptions) {
  const app = createMemoryWebApp({ workouts })
  const wrapper = await startTestWrapper({
    isSignedIn: false,
    ...options,
    webApp: {
      ...app,
      setCustomId(args) {
        app.setCustomId(args)
        const focused = personInFocus()
        if (focused?.userId === args.userId) wrapper.selectInPage({ ...focused, customId: args.customId })
      },
    },
    async answerPost({ url, form }) {
      const headers = { accept: 'text/html' }
      const before = logInsAsked()
      const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })
      const { id: customId, ...name } = claimsSchema.parse(decodeJwt(form.payload ?? '')).contact
      // A log-in, which the page in memory does not have, is as a refusal to it.
      const status = logInsAsked() > before ? 401 : answer.status
      // The page is loaded after this answer.
      if (status < 400) setImmediate(() => wrapper.selectInPage({ customId, ...name }))
      return status
    },
  })
  const personInFocus = () => wrapper.pageEvents.findLast(event => event.type === 'personSelected')?.person
  return { wrapper, personInFocus, [Symbol.asyncDispose]: () => wrapper.close() }
}
