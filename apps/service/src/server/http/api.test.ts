import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answerError } from './api.ts'
import { createLogger } from './logger.ts'

test.each([
  ['of several lines', 'could not write\nthe row of Øvergård\n    with 12857948368'],
  ['that looks like a stack', 'first\n    at Øvergård (12857948368)'],
  ['of one line', 'no Øvergård, 12857948368'],
])(
  'what was not foreseen, with a message %s, is logged by where it happened alone',
  async (_name, message) => {
    const lines: string[] = []
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const app = new Hono().get('/', () => {
      throw new Error(message)
    })
    app.onError(answerError(createLogger('trace', sink)))
    const answer = await app.request('/')
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'ERR_INTERNAL' }])
    const log = lines.join('')
    expect(log).toContain('api.test.ts')
    expect(log).not.toMatch(/Øvergård|12857948368/)
  },
)
