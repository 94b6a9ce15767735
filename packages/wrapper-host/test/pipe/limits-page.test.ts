import { readFile } from 'node:fs/promises'
import { maxReplyFrameBytes, maxRequestFrameBytes } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { defaultPipeLimits as limits } from '../../src/pipe/pipe-parts.ts'

const reference = new URL('../../../../docs/reference/', import.meta.url)
const readPage = (name: string) => readFile(new URL(name, reference), 'utf8')
const [classic, sessionMode] = await Promise.all(['pipe.md', 'session-mode.md'].map(readPage))
const mebibytes = (byteCount: number) => `${byteCount / 1024 / 1024} MiB`
const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`

test('the page of the pipe states the server’s limits', () => {
  const [, section = ''] = sessionMode?.split('## Limits\n') ?? []
  const [table = ''] = section.trimStart().split('\n\n')
  const rows = table.split('\n').slice(2)
  expect(
    rows.map(row => row.split('|').map(cell => cell.trim())).map(([, name, value]) => [name, value]),
  ).toEqual([
    ['connections to one wrapper, of both modes', limits.maxConnections.toLocaleString('en')],
    ['requests in flight on one connection', String(limits.maxInFlight)],
    ['requests that you canceled and the web app is still at work for', String(limits.maxGivenUp)],
    ['bodies of the requests in flight on one connection, together', mebibytes(limits.maxInFlightBytes)],
    [
      'bodies of the requests in flight on all connections, of both modes',
      mebibytes(limits.maxInFlightBytesInAll),
    ],
    ['time for a frame, from its first byte to its last', seconds(limits.silenceLimitMs)],
    ['time from connecting to the end of the first frame', seconds(limits.silenceLimitMs)],
    ['silence between frames', 'none'],
    ['replies and events that wait for you to read them', mebibytes(limits.fullAtUnsentBytes)],
    ['the same, with a list that you have asked for', mebibytes(limits.maxUnsentBytes)],
    ['the same, of all connections together', mebibytes(limits.maxUnsentBytesInAll)],
    ['events that wait for you to read them', mebibytes(limits.maxUnreadEventBytes)],
    ['time in which you read neither 128 KiB nor all of what waits', seconds(limits.unreadLimitMs)],
    ['body of a request, of a reply', `${mebibytes(maxRequestFrameBytes)}, ${mebibytes(maxReplyFrameBytes)}`],
  ])
  const words = classic?.replaceAll(/\s+/g, ' ')
  expect(words).toContain(`Up to ${limits.maxConnections.toLocaleString('en')} connections`)
  expect(words).toContain(`more than ${mebibytes(limits.maxInFlightBytesInAll)} together`)
})
