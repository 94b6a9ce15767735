import { Readable, Writable } from 'node:stream'
import { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { ElectronDebugger } from './electron-api.ts'

/** Stands for the page itself, for which Electron has no session id. */
export const pageSessionId = 'page'

/** As messages on the pipe of a browser are. */
interface Request {
  readonly id: number
  readonly method: string
  readonly params: object
  readonly sessionId?: string
}

/**
 * Speaks the DevTools protocol through Electron's debugger as through the pipe of a browser, so that time-outs, schemas and
 * what waits are the same code. The debugger knows one page only: calls to the browser go there, too.
 *
 * When Electron detaches it, for tools or another user of it, what waits is refused, as is what is called until somebody has
 * attached it again (see `stay-attached.ts`).
 *
 * @param port attached already
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

/** A debugger that is not attached any more throws at once. */
async function ask(
  port: ElectronDebugger,
  method: string,
  params: object,
  sessionId?: string,
): Promise<unknown> {
  return await port.sendCommand(method, params, ...(sessionId === undefined ? [] : [sessionId]))
}

/** Version of the DevTools protocol that is spoken. */
export const protocolVersion = '1.3'

/** What {@link stayAttached} does to the window. */
interface StayAttachedOptions {
  /** Installs in the page what the window needs. */
  prepare(): Promise<void>
  isGone(): boolean
  /** Names the document that the window knows of. */
  document(): string | undefined
  reload(): void
  /** Ends a window that cannot be driven any more. It counts as lost, and its owner opens another. */
  giveUp(): void
}

/**
 * Attaches the debugger again when Electron detaches it, as it does for developer tools and for other users of it in the
 * application. Where that fails, or it is detached once more before the page is prepared, the window is given up.
 */
export function stayAttached(port: ElectronDebugger, options: StayAttachedOptions): void {
  const { prepare, isGone, document, reload, giveUp } = options
  let isAttaching = false
  const attach = async () => {
    const before = document()
    port.attach(protocolVersion)
    await prepare()
    // What became of a document that came meanwhile was told to nobody.
    if (!isGone() && document() !== before) reload()
  }
  port.on('detach', () => {
    // It is also detached from a page that is closed.
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
