import { EmployeeLinkedError, OrganizationBoundError, PendingGoneError } from '@service-link/receiver'
import express from 'express'
import { receiver } from './receiver.ts'
import { sessionOf } from './sessions.ts'

/** For `app.use`, beside the receiver. */
export const firstVisit = express.Router()

firstVisit.post('/first-visit', express.json(), async (request, response) => {
  const session = sessionOf(request.get('cookie'))
  // A session that a link made must not make another link.
  const isAllowed = session && !session.linkId && request.get('sec-fetch-site') === 'same-origin'
  if (!isAllowed) return void response.sendStatus(403)
  try {
    const { contact } = await receiver.completePending(String(request.body?.handle), session.account.id)
    response.json({ contact })
  } catch (error) {
    const isGone = error instanceof PendingGoneError
    if (!isGone && !(error instanceof EmployeeLinkedError || error instanceof OrganizationBoundError))
      throw error
    response.status(isGone ? 410 : 409).json({ code: error.code, message: error.message })
  }
})
