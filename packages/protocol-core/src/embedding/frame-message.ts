// Entry for the two sides of a frame: the partner's page around it and the service's pages in it. It needs no zod, because the
// partner's page loads it.

/** Version of the messages. Readers ignore those of another version. */
export const frameMessageVersion = 1

/** The events, each with the only member of its message. */
const events = {
  loaded: undefined,
  personShown: 'contactId',
  refused: 'code',
  cleared: undefined,
} as const

type Events = typeof events

/**
 * What the service's page in a frame tells the partner's page around it:
 *
 * - `loaded`: the web app runs, and shows nobody yet. What the page before it has shown is gone;
 * - `personShown`: the person of the last post is on the screen, by the partner's own `contact.id`;
 * - `refused`: the post was refused, with the code of the refusal. Nobody is shown;
 * - `cleared`: nobody is shown any more.
 */
export type FrameMessage = {
  [Event in keyof Events]: { readonly event: Event } & (Events[Event] extends string
    ? { readonly [Member in Events[Event]]: string }
    : unknown)
}[keyof Events]

/** Writes a message as it travels by `postMessage`. */
export function writeFrameMessage(message: FrameMessage): Readonly<Record<string, unknown>> {
  return { serviceLink: frameMessageVersion, ...message }
}

/** Reads what came by `postMessage`; `undefined` for all that is no message of this version. Whose it is, the caller must check. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  const { serviceLink, event, ...others } = Object(data)
  if (serviceLink !== frameMessageVersion || !Object.keys(events).includes(event)) return undefined
  const member = events[event as keyof Events]
  if (member === undefined) return { event } as FrameMessage
  const value = others[member]
  return typeof value === 'string' ? ({ event, [member]: value } as FrameMessage) : undefined
}
