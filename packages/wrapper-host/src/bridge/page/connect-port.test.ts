import { expect, test } from 'vitest'
import { connectPort } from './connect-port.ts'
import { bridgeProtocol, type PageMessage } from './messages.ts'

test('a page that comes back from the browser’s cache is loaded anew, and says nothing of its user before', () => {
  const sent: PageMessage[] = []
  let comeBack: () => void = () => undefined
  let reloads = 0
  const host = connectPort(
    { protocol: bridgeProtocol, send: message => void sent.push(message), connect: () => () => undefined },
    {},
    {
      onReturn(listener) {
        comeBack = listener
        return () => undefined
      },
      reload: () => void reloads++,
      reportError: () => undefined,
    },
  )
  host.signedIn()
  const said = sent.length
  comeBack()
  expect(reloads).toBe(1)
  expect(sent).toHaveLength(said)
})
