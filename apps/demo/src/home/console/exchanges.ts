import type { Traffic } from '@service-link/protocol-core'

export const kinds = ['launch', 'file', 'frame', 'bridge'] as const satisfies readonly Traffic['kind'][]

/** A request with its reply, as far as they came. */
export interface Exchange {
  readonly id: number
  readonly request: Traffic
  readonly reply?: Traffic
}

const mostShown = 500

/** Adds a message to the list, newest first: to its exchange, or as a new one. */
export function addMessage(exchanges: readonly Exchange[], message: Traffic): readonly Exchange[] {
  const at = exchanges.findIndex(({ id }) => id === message.exchange)
  const found = exchanges[at]
  if (found) return exchanges.with(at, { ...found, reply: message })
  // The request of a reply may have been cleared, or left out.
  if (message.outcome != null) return exchanges
  return [{ id: message.exchange, request: message }, ...exchanges].slice(0, mostShown)
}

/** What a row is called: its command, its file without the folders, or the names of a launch's arguments. */
export function nameOf({ kind, name, text }: Traffic): string {
  if (kind === 'launch') return nameOfLaunch(text ?? '')
  if (name == null) return 'unreadable'
  return kind === 'file' ? fileName(name) : name
}

const fileName = (path: string) => path.split(/[/\\]/).at(-1) ?? ''

function nameOfLaunch(text: string): string {
  const [, argv = ''] = /"argv":(\[.*\])/.exec(text) ?? []
  try {
    const names = (JSON.parse(argv) as string[])
      .map(argument => (argument.includes('=') ? (argument.split('=')[0] ?? '') : fileName(argument)))
      .filter(name => name !== 'provider' && name !== 'wait')
    return names.join(' ') || 'without arguments'
  } catch {
    return 'launch'
  }
}

export function formatBytes(count: number): string {
  return count < 10_000 ? `${count} B` : `${Math.round(count / 1024)} kB`
}

export function formatDuration(ms: number): string {
  if (ms < 0.1) return '<0.1 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`
}
