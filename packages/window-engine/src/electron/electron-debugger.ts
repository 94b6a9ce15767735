import { Readable, Writable } from 'node:stream'
import { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { ElectronDebugger } from './electron-api.ts'

/** Session id for the page itself, which has none in Electron. */
export const pageSessionId = 'page'

/** A call as a browser's pipe carries it. */
interface Request {
  readonly id: number
  readonly method: string
  readonly params: object
  readonly sessionId?: string
}

/**
 * Connects to Electron's debugger as to the pipe of a browser. The debugger knows one page only: calls to the browser go there too.
 *
 * Electron may detach the debugger, for developer tools or for another user of it. Calls then fail until it is attached again by
 * {@link stayAttached}.
 *
 * @param port the debugger, attached
 */
export function connectDebugger(port: ElectronDebugger): DevToolsConnection {
  const input = new Readable({ read: () => undefined })
  const give = (message: object) => {
    if (!input.destroyed) input.push(`${JSON.stringify(message)}\0`)
  }
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const { id, method, params, sessionId }: Request = JSON.parse(chunk.slice(0, -1))
      ask(port, method, params, sessionId === pageSessionId ? undefined : sessionId).then(
        result => give({ id, result }),
        () => give({ id, error: { code: 0, message: 'Electron refused the call.' } }),
      )
      done()
    },
  })
  port.on('message', (_event, method, params, sessionId) =>
    give({ method, params, sessionId: sessionId || pageSessionId }),
  )
  return new DevToolsConnection(input, output)
}

/** Rejects where a detached debugger throws. */
async function ask(
  port: ElectronDebugger,
  method: string,
  params: object,
  sessionId?: string,
): Promise<unknown> {
  return await port.sendCommand(method, params, ...(sessionId === undefined ? [] : [sessionId]))
}

/** Version of the DevTools protocol. */
export const protocolVersion = '1.3'

/** Functions of the window for {@link stayAttached}. */
interface StayAttachedOptions {
  /** Prepares the page for the window. */
  prepare(): Promise<void>
  isGone(): boolean
  /** Id of the document that the window knows. */
  document(): string | undefined
  reload(): void
  /** Ends a window that can no longer be driven. It counts as lost, and its owner opens another. */
  giveUp(): void
}

/**
 * Attaches the debugger again when Electron has detached it. If that fails, or the debugger is detached again before the page is
 * prepared, the window is given up.
 */
export function stayAttached(port: ElectronDebugger, options: StayAttachedOptions): void {
  const { prepare, isGone, document, reload, giveUp } = options
  let isAttaching = false
  const attach = async () => {
    const before = document()
    port.attach(protocolVersion)
    await prepare()
    // The events of a document that came meanwhile are lost.
    if (!isGone() && document() !== before) reload()
  }
  port.on('detach', () => {
    // Closing the page detaches it too.
    if (isGone()) return
    if (isAttaching) {
      giveUp()
      return
    }
    isAttaching = true
    attach()
      .catch(() => {
        if (!isGone()) giveUp()
      })
      .finally(() => {
        isAttaching = false
      })
  })
}
