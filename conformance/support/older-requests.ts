import { readFileSync } from 'node:fs'
import {
  commands,
  findCommandName,
  foldNames,
  indexNames,
  type User,
} from '../../packages/protocol-core/src/index.ts'
import { handlerNames } from '../../packages/wrapper-host/src/web-app/page/messages.ts'

/** A request of programs in the field, as a client of another language sends it. */
export interface OlderRequest {
  readonly id: string
  /** Of the wrapper, as a BCP 47 tag. */
  readonly culture: string
  readonly command: string
  readonly args?: object
  /** The calls of the page, or the code of the refusal. */
  readonly expected: { readonly calls: readonly object[] } | { readonly code: string }
}

interface Vector {
  readonly id: string
  readonly requirement?: string
  readonly input: { readonly body: string; readonly culture: string }
  readonly expect?: { readonly name: string; readonly args: object; readonly dropped?: readonly string[] }
  readonly error?: { readonly code: string }
}

/** The vectors of programs in the field, by the culture of the wrapper. */
export function olderRequests(): ReadonlyMap<string, readonly OlderRequest[]> {
  const url = new URL('../vectors/classic-requests.json', import.meta.url)
  const { vectors }: { vectors: readonly Vector[] } = JSON.parse(readFileSync(url, 'utf8'))
  const requests = vectors.filter(({ requirement }) => requirement === '4.5-older-programs').map(asRequest)
  return Map.groupBy(requests, ({ culture }) => culture)
}

function asRequest({ id, input: { body, culture }, expect, error }: Vector): OlderRequest {
  const { Method: command, Args: args }: { Method: string; Args?: object } = JSON.parse(body)
  return {
    id,
    culture,
    command,
    ...(args ? { args } : {}),
    expected: expect ? { calls: callsOf(expect) } : { code: error?.code ?? '' },
  }
}

/** Commands of the window call no handler, nor does one that is told as dropped: an `openworkout` that opens nothing. */
function callsOf({ name, args, dropped }: NonNullable<Vector['expect']>): readonly object[] {
  if (name === 'openworkout' && dropped) return []
  const [, handler] = Object.entries(handlerNames).find(([command]) => command === name) ?? []
  if (!handler) return []
  const { shape } = commands[findCommandName(name)].args
  const { known } = foldNames(Object.entries(args), indexNames(Object.keys(shape)))
  return [{ handler, args: name === 'selectperson' ? args : known, via: 'pipe' }]
}

/** A web app that takes every command. */
export const takingWebApp = {
  selectPerson: () => ({ status: 'selected', userId: 1, customId: '1' }) as const,
  getListOfUsers: (): User[] => [],
  getWorkoutsForClient: () => [],
  setCustomId: () => undefined,
  openWorkout: () => undefined,
}

/** What became of a request: the refusal, whose code a client tells, or the calls of the page. */
export function outcomeOf(told: string, calls: readonly object[]): OlderRequest['expected'] {
  const [code] = told.match(/ERR_[A-Z_]+/) ?? []
  return code ? { code } : { calls }
}
