import { join } from 'node:path'
import { defineBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { fakeEngine } from '../support/fake-engine.ts'

test('the wrapper’s maker gets notices of the web app’s faults, without personal data', async () => {
  await using folder = await temporaryFolder()
  const engine = fakeEngine()
  const notices: string[] = []
  const start = await createWrapper({
    brand: defineBrand({ pipePrefix: `notices${process.pid}`, appUrl: 'https://app.acme.example/' }),
    engine,
    folders: { applicationRoot: folder.path, userFolder: join(folder.path, 'user') },
    onNotice: sentence => void notices.push(sentence),
  }).start({ id: 'notices', argv: [], workingDirectory: folder.path })
  if (start.role !== 'wrapper') throw new Error('Another wrapper runs.')
  await using _wrapper = start.wrapper

  const origin = 'https://app.acme.example'
  const hello = { type: 'hello', protocol: 99, handlers: [], isSignedIn: true }
  engine.emit('message', { value: hello, origin })
  engine.emit('message', { value: { type: 'personSelected', person: 'Kari Nordmann' }, origin })
  engine.emit('loadFailed', {
    url: 'https://kari:word@app.acme.example/p?ssn=01020312345',
    reason: 'Refused.',
  })
  engine.emit('pageCrashed', {})

  expect(notices).toEqual([
    'The web app’s page speaks version 99 of the bridge, not 1.',
    'The web app’s page sent a message that is not understood: person',
    'The page of https://app.acme.example did not load: Refused.',
    'The web app’s page has crashed.',
  ])
})
