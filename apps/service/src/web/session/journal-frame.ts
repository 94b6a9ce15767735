import { type FrameMessage, writeFrameMessage } from '@service-link/protocol-core/embedding'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { isInFrame } from '../api/request.ts'
import { keptInTab } from '../state/storage.ts'

/** The origins of the partner's page around this one, and the partner's own id of the person that it has sent. */
export const frameSchema = z.object({
  origins: z.readonly(z.array(z.string())),
  contactId: z.optional(z.string()),
})

type Frame = z.output<typeof frameSchema>

/** Survives a reload. `personId`: who is meant by the contact, once that is known. */
const kept = keptInTab('service-frame', z.extend(frameSchema, { personId: z.optional(z.number()) }))

/** Begins the visit that a partner's page has posted into this frame; `undefined`: the tab is in no frame of a partner. */
export const beginFrame = (frame: Frame | undefined) => kept.set(frame)

/** Sets whom the service shows as the contact of the visit. */
export function meanInFrame(personId: number): void {
  const frame = kept.get()
  if (frame) kept.set({ ...frame, personId })
}

/** Forgets the contact: the context has ended, and later messages are not about it. */
export function forgetInFrame(): void {
  const frame = kept.get()
  if (frame) kept.set({ origins: frame.origins })
}

/** Tells the page around this one, if it is a partner's. */
export function tellAround(message: FrameMessage): void {
  if (!isInFrame) return
  // Some browsers do not tell the origin. They compare it, too: without a match nothing is sent.
  const around = window.location.ancestorOrigins?.[0]
  for (const origin of kept.get()?.origins ?? [])
    if (around === undefined || around === origin)
      window.parent.postMessage(writeFrameMessage(message), origin)
}

/**
 * Tells the page around this one when the contact of its visit is on the screen, and when not any more. Not when the page goes: browsers
 * do not say from which frame a message of such a page is. The next page of the frame tells it.
 */
export function useShownInFrame(personId: number | undefined): void {
  const frame = kept.use()
  const contactId = personId !== undefined && frame?.personId === personId ? frame.contactId : undefined
  useEffect(() => {
    if (contactId === undefined) return
    let isTold = false
    const cancel = onceDrawn(() => {
      isTold = true
      tellAround({ event: 'personShown', contactId })
    })
    return () => {
      cancel()
      if (isTold) tellAround({ event: 'cleared' })
    }
  }, [contactId])
}

/** Longest wait for the browser to draw, in milliseconds. It does not draw a frame that is hidden or scrolled away. */
const drawnMs = 500

/** Calls once the browser has drawn the page, or cannot. Returns what cancels the call. */
function onceDrawn(call: () => void): () => void {
  let timer = setTimeout(finish, drawnMs)
  const drawing = requestAnimationFrame(() => {
    clearTimeout(timer)
    // Runs after the drawing, not before it.
    timer = setTimeout(finish)
  })
  function cancel() {
    cancelAnimationFrame(drawing)
    clearTimeout(timer)
  }
  function finish() {
    cancel()
    call()
  }
  return cancel
}
