import { serveStatic } from '@hono/node-server/serve-static'
import { importSigningKey, type SigningKeySource, signPayload } from '@service-link/jwt-payload'
import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'
import { buildPages } from '../build/build-pages.ts'
import { listen } from '../http-server/listen.ts'
import { clinic, employees, journalPage, patients } from './journal-page.ts'

interface CreatePartnerOptions {
  /** Address of the service, `{sso_url}`. */
  readonly serviceUrl: string
  /** Key from `createPartnerKey`. The service must know its registration. */
  readonly key: PartnerKey
  /** Port to listen on; 0 takes a free one. */
  readonly port: number
  /** Address to listen on. Default `127.0.0.1`, which is another site than `localhost`. */
  readonly host?: string
  /** Address for browsers. Default `http://<host>:<port>`. */
  readonly publicUrl?: string
}

/** A patient, and the employee who opens it. */
interface Visit {
  readonly patientId: string
  readonly employeeId: string
}

/** A running partner application. */
export interface Partner extends AsyncDisposable {
  /** Address of its page. */
  readonly url: string
  readonly port: number
  /** Registration for the service. */
  readonly registration: PartnerRegistration
  /**
   * Signs the payload that opens a patient in the service. It expires after a minute.
   *
   * @returns `undefined` if there is no such patient or employee
   */
  signVisit(visit: Visit): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Starts the partner application, the journal of an invented clinic. Its patients can be opened in the service.
 *
 * @throws {Error} with the builder's output if the page's script does not build
 * @throws Node's error if the port is taken, or `serviceUrl` or `publicUrl` is no URL
 * @example
 * ```ts
 * const key = await createPartnerKey()
 * await using service = await createService({ port: 0, dataFolder, partners: [key.registration] })
 * await using partner = await createPartner({ serviceUrl: service.url, key, port: 0 })
 * ```
 */
export async function createPartner(options: CreatePartnerOptions): Promise<Partner> {
  const { serviceUrl, key, host = '127.0.0.1' } = options
  const signingKey = await importSigningKey(key.signing)
  const scriptFolder = await buildPages('journal')
  await using resources = new AsyncDisposableStack()
  const listening = await listen({ host, port: options.port })
  resources.defer(() => listening.close())
  const url = new URL(options.publicUrl ?? `http://${host}:${listening.port}`).origin
  const payloadUrl = `${serviceUrl}/partner/payload`
  const signVisit = async ({ patientId, employeeId }: Visit) => {
    const contact = patients.find(({ id }) => id === patientId)
    const employee = employees.find(found => found.employeeId === employeeId)
    if (!contact || !employee) return undefined
    const claims = { ...clinic, ...employee, contact }
    return signPayload(claims, signingKey, { audience: payloadUrl, issuer: key.issuer })
  }
  const app = createJournal({ url, payloadUrl, scriptFolder, signVisit })
  listening.answer(request => app.fetch(request))
  const owned = resources.move()
  const close = () => owned.disposeAsync()
  const { registration } = key
  return { url, port: listening.port, registration, signVisit, close, [Symbol.asyncDispose]: close }
}

interface JournalOptions extends Pick<Partner, 'url' | 'signVisit'> {
  readonly payloadUrl: string
  /** Folder of the page's script. */
  readonly scriptFolder: string
}

const visitSchema = z.object({ patientId: z.string(), employeeId: z.string() })

function createJournal({ url, payloadUrl, scriptFolder, signVisit }: JournalOptions) {
  const formTarget = new URL(payloadUrl).origin
  return new Hono()
    .use(
      secureHeaders({
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
          formAction: [formTarget],
        },
      }),
    )
    .get('/', c => c.html(journalPage({ payloadUrl })))
    .get('/assets/journal.css', serveStatic({ root: import.meta.dirname }))
    .get('/assets/journal.js', serveStatic({ root: scriptFolder, rewriteRequestPath: () => '/journal.js' }))
    .get('/favicon.ico', c => c.body(null, 204))
    .post('/payload', async c => {
      // Answers the journal's own page only, because the payload signs the employee in.
      if (c.req.header('origin') !== url)
        return c.json({ problem: 'This is for the journal’s own page.' }, 403)
      const asked = visitSchema.safeParse(await c.req.json().catch(() => undefined))
      const payload = asked.success ? await signVisit(asked.data) : undefined
      if (payload === undefined) return c.json({ problem: 'There is no such patient or employee.' }, 404)
      c.header('cache-control', 'no-store')
      return c.json({ payload })
    })
}

/** A partner's key pair: the private half to sign, the public half for the service. */
export interface PartnerKey {
  readonly partnerId: string
  /** Value of `iss` in its tokens. */
  readonly issuer: string
  readonly signing: SigningKeySource
  /** Registration with the public half, for the service. */
  readonly registration: PartnerRegistration
}

const jwkSchema = z.looseObject({ kty: z.string() })

/**
 * Generates an ES256 key pair for a partner. The private half stays in memory.
 *
 * @param partnerId the service's identifier of the partner
 * @param name name for people
 */
export async function createPartnerKey(
  partnerId = 'nordlys-journal',
  name = 'Nordlys Journal',
): Promise<PartnerKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const kid = `${partnerId}-${crypto.randomUUID()}`
  const issuer = `https://${partnerId}.example`
  return {
    partnerId,
    issuer,
    signing: { kind: 'jwk', kid, jwk: jwkSchema.parse(await exportJWK(pair.privateKey)) },
    registration: {
      id: partnerId,
      name,
      issuer,
      keys: [{ kind: 'jwk', kid, jwk: jwkSchema.parse(await exportJWK(pair.publicKey)) }],
    },
  }
}
