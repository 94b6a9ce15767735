import { connect } from 'node:net'

const connectionCount = 16

const timeoutMs = 10_000

export interface Posted {
  readonly count: number
  readonly perSecond: number
}

/**
 * Posts each of the payloads once, over a few open connections. Speaks minimal HTTP, so that the servers are measured and
 * not the client.
 */
export async function postAll(port: number, tokens: Iterator<string, unknown>): Promise<Posted> {
  const next = () => {
    const { done, value } = tokens.next()
    return done ? undefined : requestOf(port, value)
  }
  const begun = performance.now()
  const counts = await Promise.all(Array.from({ length: connectionCount }, () => postWhile(port, next)))
  const count = counts.reduce((sum, count) => sum + count, 0)
  return { count, perSecond: count / ((performance.now() - begun) / 1000) }
}

function requestOf(port: number, token: string): Buffer {
  const body = `payload=${token}`
  return Buffer.from(
    `POST /partner/payload HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8\r\n' +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

function postWhile(port: number, next: () => Buffer | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const first = next()
    if (!first) return resolve(0)
    let answered = 0
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true).setEncoding('latin1').setTimeout(timeoutMs)
    const fail = (reason: Error) => {
      socket.destroy()
      reject(reason)
    }
    socket.on('connect', () => socket.write(first))
    socket.on('error', fail)
    socket.on('timeout', () => fail(new Error('The server does not answer.')))
    socket.on('end', () => fail(new Error('The server closed the connection.')))
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!isComplete(received)) return
      if (!received.startsWith('HTTP/1.1 200 '))
        return fail(new Error(`The server answered ${received.slice(9, 12)}.`))
      answered++
      received = ''
      const request = next()
      if (request) return socket.write(request)
      socket.destroy()
      resolve(answered)
    })
  })
}

/** Whether the text is a complete answer. A second one never follows it. */
function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= headEnd + 4 + Number(length)
}
