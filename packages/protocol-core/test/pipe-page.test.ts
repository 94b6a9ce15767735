import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  decodeRequest,
  defaultBrand,
  maxSessionIdLength,
  parseSessionCall,
  readSessionMessage,
  readSessionResult,
  type SessionCallName,
  sessionMethods,
  wrapperUserFolder,
} from '../src/index.ts'
import { bytesOf } from './support/vectors.ts'

const readPage = (name: string) =>
  readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8')
const blocks = [...readPage('what-travels.md').matchAll(/^```json\n(.*?)^```/gms)].map(
  ([, body = '']) => body,
)

test('the page of what travels has at least one request of each method', () => {
  const requests = blocks.filter(body => body.includes('"Method"'))
  const names = requests.map(
    body => parseSessionCall(decodeRequest(bytesOf({ body })), { culture: 'nb-NO' }).name,
  )
  expect(names).toEqual(expect.arrayContaining(Object.keys(sessionMethods)))
})

test('each printed reply and event is valid for the request before it', () => {
  let asked: SessionCallName | undefined
  const types: string[] = []
  for (const body of blocks) {
    if (body.includes('"Method"')) {
      asked = parseSessionCall(decodeRequest(bytesOf({ body })), { culture: 'nb-NO' }).name
      continue
    }
    const message = readSessionMessage(bytesOf({ body }))
    types.push(message.type)
    if (message.type === 'result' && asked) readSessionResult(asked, message.result)
  }
  expect([...new Set(types)].sort()).toEqual(['event', 'failure', 'result'])
})

test('the page of the session mode names the limits of an id', () => {
  const section = readPage('session-mode.md')
  expect(section).toContain(Number.MAX_SAFE_INTEGER.toLocaleString('en-US'))
  expect(section).toContain(`1 to ${maxSessionIdLength} characters`)
})

test('the page of the pipe looks for the record in the library’s folders', () => {
  const page = readPage('pipe.md')
  const environment = { LOCALAPPDATA: 'C:\\Local' }
  for (const platform of ['win32', 'linux', 'darwin']) {
    const folder = wrapperUserFolder(defaultBrand, platform, environment, () => '~')
    expect(page).toContain(`\`${folder.replace('C:\\Local', '%LOCALAPPDATA%')}\``)
  }
})
