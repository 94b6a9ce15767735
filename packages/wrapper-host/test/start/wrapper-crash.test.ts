import { expect, test } from 'vitest'
import { CrashError } from '../../src/start/failed-start.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { newWrapper } from '../support/new-wrapper.ts'

const crash = () => new CrashError(new TypeError('Kari Nordmann'))
const crashed = expect.objectContaining({ event: 'crashed', level: 'error', kind: 'TypeError' })
const ofCrash = ({ event }: Readonly<Record<string, unknown>>) => event === 'crashed'

test('a wrapper closed by an uncaught failure logs it once', async () => {
  await using made = await newWrapper()
  const wrapper = await made.run()
  await Promise.all([wrapper.close(crash()), wrapper.close(crash())])
  expect((await made.log()).filter(ofCrash)).toEqual([crashed])
  expect(made.notices.join()).not.toContain('Nordmann')
})

test('one aborted by it during the start logs it, too', async () => {
  const ending = new AbortController()
  const provide = async () => {
    ending.abort(crash())
    return { commands: [] }
  }
  await using made = await newWrapper({ providers: { 'Acme.Component, Acme': { provide } } })
  await expect(made.start(['provider=Acme.Component, Acme'], ending.signal)).rejects.toMatchObject({
    code: 'ERR_CRASHED',
    kind: 'TypeError',
    message: expect.not.stringContaining('Nordmann'),
  })
  expect((await made.log()).filter(ofCrash)).toEqual([crashed])
})

test('one closed in order logs no crash', async () => {
  await using made = await newWrapper()
  await (await made.run()).close()
  expect((await made.log()).filter(ofCrash)).toEqual([])
})

test('the wrapper’s maker gets notices of the web app’s faults, without personal data', async () => {
  const engine = fakeEngine()
  await using made = await newWrapper({ engine })
  await made.run()
  const origin = 'https://app.example'
  const hello = { type: 'hello', protocol: 99, handlers: [], isSignedIn: true }
  engine.emit('message', { value: hello, origin })
  engine.emit('message', { value: { type: 'personSelected', person: 'Kari Nordmann' }, origin })
  engine.emit('loadFailed', { url: 'https://kari:word@app.example/p?ssn=01020312345', reason: 'Refused.' })
  engine.emit('pageCrashed', {})
  expect(made.notices).toEqual([
    'The web app’s page speaks version 99 of the bridge, not 1.',
    'The web app’s page sent a message that is not understood: person',
    'The page of https://app.example did not load: Refused.',
    'The web app’s page has crashed.',
  ])
})
