import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/** A request that came over TLS. */
export interface SeenRequest {
  readonly host: string
  readonly method: string
  readonly path: string
  /** Header `Cookie`; `undefined` when the browser sent none. */
  readonly cookie: string | undefined
  readonly origin: string | undefined
  readonly referer: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
  /** `Sec-Fetch-Mode`. */
  readonly mode: string | undefined
  /** `Sec-Fetch-Dest`. */
  readonly destination: string | undefined
}

/** Ends TLS for several hosts, like the proxy in front of a service. */
export interface TlsFront extends AsyncDisposable {
  readonly port: number
  /** Every request, in order. */
  readonly seen: readonly SeenRequest[]
  /** Clears the requests, targets and pages of the former test. */
  reset(): void
  /** Forwards a host's requests to a port of this machine from now on. */
  forward(host: string, port: number): void
  /** Answers a host's path with a page of the test instead of forwarding. */
  show(host: string, path: string, html: string, headers?: Readonly<Record<string, string>>): void
}

/** Opens the front on a free port. */
export async function openTlsFront({ key, cert }: TestCertificate): Promise<TlsFront> {
  const seen: SeenRequest[] = []
  const targets = new Map<string, number>()
  const pages = new Map<string, (answer: ServerResponse) => void>()
  const server = createServer({ key, cert }, (asked, answer) => {
    const host = asked.headers.host ?? ''
    const path = asked.url ?? ''
    seen.push(describe(asked))
    const page = pages.get(`${host}${path.split('?')[0]}`)
    if (page) return page(answer)
    const port = targets.get(host)
    if (port === undefined) return void answer.writeHead(404).end()
    passOn(asked, answer, port)
  })
  // Longer than any test: the browser keeps its connections.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no TCP port.')
  return {
    port: address.port,
    seen,
    reset() {
      seen.length = 0
      targets.clear()
      pages.clear()
    },
    forward: (host, port) => void targets.set(host, port),
    show: (host, path, html, headers = {}) =>
      void pages.set(`${host}${path}`, answer =>
        answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html),
      ),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function describe({ method = '', url = '', headers }: IncomingMessage): SeenRequest {
  const text = (name: string) => headers[name]?.toString()
  return {
    host: headers.host ?? '',
    method,
    path: url,
    cookie: headers.cookie,
    origin: headers.origin,
    referer: headers.referer,
    site: text('sec-fetch-site'),
    mode: text('sec-fetch-mode'),
    destination: text('sec-fetch-dest'),
  }
}

/** The end of one connection ends the other: the server's and the browser's. */
function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const headers = { ...asked.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
  const target = { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers }
  // A new connection, because the service may close a kept one just before its reuse.
  const forwarded = request({ ...target, agent: false })
  forwarded.on('response', got => {
    answer.writeHead(got.statusCode ?? 502, got.rawHeaders)
    got.on('error', () => answer.destroy()).pipe(answer)
  })
  forwarded.on('error', () => answer.destroy())
  answer.on('close', () => forwarded.destroy())
  asked.on('error', () => forwarded.destroy()).pipe(forwarded)
}

/** A certificate that browsers of the tests accept, and its key. */
export interface TestCertificate {
  readonly key: string
  readonly cert: string
  /** SHA-256 of its public key, base64, for Chromium's `--ignore-certificate-errors-spki-list`, which trusts this key. */
  readonly spkiDigest: string
}

/** Makes a self-signed certificate for several hosts, valid for a day. */
export async function makeCertificate(hosts: readonly string[]): Promise<TestCertificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const dayMs = 24 * 60 * 60 * 1000
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Service Link test',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension(hosts.map(value => ({ type: 'dns' as const, value }))),
    ],
  })
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey))
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    cert: certificate.toString('pem'),
    spkiDigest: createHash('sha256').update(spki).digest('base64'),
  }
}
