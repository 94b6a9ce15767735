import type { EventsOptions, WrapperEvent } from '../../client/wrapper-client.ts'
import type { CommandLine } from '../command-line/command-line.ts'
import { plainJson } from '../output/plain-text.ts'
import { withProgress } from '../output/with-progress.ts'
import type { Terminal } from '../terminal.ts'
import { connectTo } from './connect.ts'
import { describeWait } from './describe-wait.ts'
import { personAsSent } from './person-as-sent.ts'

/**
 * Prints one JSON line for each event, until the wrapper exits, as many were printed as were asked for, Ctrl+C is pressed,
 * or nobody reads any more. All of these are ends as they should be.
 *
 * @throws {PipeClosedError} when the connection breaks: events may be missed then
 * @throws whatever `connectWrapper` and its client's `events` throw
 */
export async function watchEvents(
  { target, events, count = Number.POSITIVE_INFINITY }: Extract<CommandLine, { action: 'watch' }>,
  terminal: Terminal,
): Promise<void> {
  const signal = AbortSignal.any([terminal.interruption(), terminal.unread])
  try {
    await using client = await withProgress(
      terminal,
      ended => describeWait(target, undefined, ended),
      () => connectTo(target, { signal }),
    )
    const options: EventsOptions = { signal, ...(events ? { events } : {}) }
    const iterator = client.events(options)[Symbol.asyncIterator]()
    let next = iterator.next()
    // Whatever comes of it is met below. What follows the subscription on its connection is answered after it.
    next.catch(() => {})
    await Promise.race([client.status({ signal }), next])
    terminal.tell(`Watching process ${client.wrapper.pid}. Ctrl+C ends it.\n`)
    for (let left = count; ; left--) {
      const { done, value } = await next
      if (done) break
      await terminal.print(`${plainJson(asSent(value), false)}\n`)
      if (left <= 1) break
      next = iterator.next()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** An event under the names of the wire. */
function asSent(event: WrapperEvent): { readonly event: string; readonly data: unknown } {
  const { type } = event
  if (type === 'personselected') return { event: type, data: personAsSent(event.person) }
  return { event: type, data: type === 'workoutopened' ? { id: event.id } : null }
}
