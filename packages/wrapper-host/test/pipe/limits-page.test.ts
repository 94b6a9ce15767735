import { readFile } from 'node:fs/promises'
import { maxReplyFrameBytes, maxRequestFrameBytes } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { defaultPipeLimits as limits } from '../../src/pipe/pipe-parts.ts'

const page = new URL('../../../../docs/reference/session-mode.md', import.meta.url)
const mebibytes = (byteCount: number) => `${byteCount / 1024 / 1024} MiB`
const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`

test('the page of the session mode states the server’s limits', async () => {
  const [, section = ''] = (await readFile(page, 'utf8')).split('## Limits\n')
  const [table = ''] = section.trimStart().split('\n\n')
  const rows = table.split('\n').slice(2)
  expect(
    rows.map(row => row.split('|').map(cell => cell.trim())).map(([, name, value]) => [name, value]),
  ).toEqual([
    ['connections, both modes', limits.maxConnections.toLocaleString('en')],
    ['requests in flight on a connection', String(limits.maxInFlight)],
    ['canceled requests that the web app is still at work for', String(limits.maxGivenUp)],
    ['bodies in flight on a connection', mebibytes(limits.maxInFlightBytes)],
    ['bodies in flight on all connections, both modes', mebibytes(limits.maxInFlightBytesInAll)],
    ['time for a frame', seconds(limits.silenceLimitMs)],
    ['time from connecting to the end of the first frame', seconds(limits.silenceLimitMs)],
    ['silence between frames', 'none'],
    ['replies and events that you have not read', mebibytes(limits.fullAtUnsentBytes)],
    ['the same, with a list', mebibytes(limits.maxUnsentBytes)],
    ['the same, on all connections', mebibytes(limits.maxUnsentBytesInAll)],
    ['events that you have not read', mebibytes(limits.maxUnreadEventBytes)],
    ['time in which you read neither 128 KiB nor all', seconds(limits.unreadLimitMs)],
    ['body of a request, of a reply', `${mebibytes(maxRequestFrameBytes)}, ${mebibytes(maxReplyFrameBytes)}`],
  ])
})
