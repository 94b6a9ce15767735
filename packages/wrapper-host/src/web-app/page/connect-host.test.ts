import { expect, test } from 'vitest'
import { connectPort } from './connect-host.ts'
import { bridgeProtocol, type HostMessage, type PageMessage } from './messages.ts'

test('a person put in focus without a session does not pass to the next user', () => {
  const sent: PageMessage[] = []
  let receive: (message: HostMessage) => unknown = () => undefined
  const host = connectPort(
    {
      protocol: bridgeProtocol,
      send: message => void sent.push(message),
      connect(listener) {
        receive = listener
      },
    },
    {},
    { onReturn: () => undefined, reload: () => undefined, reportError: () => undefined },
  )
  host.signedIn()
  host.signedOut()
  host.personSelected({ customId: '4711' })
  host.signedIn()
  receive({ type: 'introduce' })
  expect(sent.at(-1)).toEqual({ type: 'hello', protocol: bridgeProtocol, handlers: [], isSignedIn: true })
})

test('a page from the browser’s cache reloads, and says nothing of its former user', () => {
  const sent: PageMessage[] = []
  let comeBack: () => void = () => undefined
  let reloads = 0
  const host = connectPort(
    { protocol: bridgeProtocol, send: message => void sent.push(message), connect: () => undefined },
    {},
    {
      onReturn(listener) {
        comeBack = listener
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
