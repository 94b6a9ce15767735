import { join } from 'node:path'
import { discoverReceiver, importSigningKey, signPayload } from '@service-link/jwt-payload'
import { buildPages, listen } from '@service-link/service'
import type { PartnerKey } from '@service-link/service/testing'
import { partnerRoutes, type Visit } from '../launcher/partner-routes.ts'
import { createRegistrations, type ReplacePartners } from '../launcher/registrations.ts'
import type { ServiceAnswers } from '../launcher/service-answers.ts'
import { createPageKeys, type PageKeys } from '../own-pages/page-keys.ts'
import { clinic, employees, patients } from './patients.ts'

interface CreatePartnerOptions {
  readonly serviceUrl: string
  readonly key: PartnerKey
  /** Keys of its pages. Default: of its own. */
  readonly keys?: PageKeys | undefined
  readonly port: number
  /** Address to listen on. Default `127.0.0.1`, which is another site than `localhost`. */
  readonly host?: string
  readonly publicUrl?: string
  /** Called with each payload that opens a patient. */
  readonly onSigned?: (payload: string) => void
  /** Registers keys of the launcher at the service. */
  readonly replacePartners: ReplacePartners
  /** What the service answered, for the launcher. Default: nothing is known. */
  readonly answers?: ServiceAnswers | undefined
}

export type Partner = Awaited<ReturnType<typeof createPartner>>

/** Starts the partner application, the journal of an invented clinic. Its patients can be opened in the service. */
export async function createPartner(options: CreatePartnerOptions) {
  const { serviceUrl, key, keys = createPageKeys(), host = '127.0.0.1' } = options
  const signingKey = await importSigningKey(key.signing)
  const pages = await buildPages({
    name: 'partner',
    app: join(import.meta.dirname, '..', '..'),
    roots: ['src/journal', 'src/launcher'],
  })
  await using resources = new AsyncDisposableStack()
  const listening = await listen({ host, port: options.port, publicUrl: options.publicUrl })
  resources.defer(() => listening.close())
  const { origin: url } = listening
  const payloadUrl = `${serviceUrl}/partner/payload`
  const signVisit = async ({ patientId, employeeId }: Visit) => {
    const contact = patients.find(({ id }) => id === patientId)
    const employee = employees.find(found => found.employeeId === employeeId)
    if (!contact || !employee) return undefined
    const claims = { ...clinic, ...employee, contact }
    const payload = await signPayload(claims, signingKey, { audience: payloadUrl, issuer: key.issuer })
    options.onSigned?.(payload)
    return payload
  }
  const registration = { ...key.registration, frameOrigins: [url] }
  const { replacePartners, answers } = options
  await replacePartners([registration])
  const [contact] = patients
  const [employee] = employees
  const facts = {
    address: payloadUrl,
    issuer: key.issuer,
    keyId: signingKey.keyId ?? '',
    publicKey: key.publicKey,
    claims: { ...clinic, ...employee, contact },
    // A service behind a proxy may not reach itself: the launcher then takes the usual limits.
    receiver: await discoverReceiver(payloadUrl, { timeoutMs: 2000 }).catch(() => undefined),
  }
  const registrations = createRegistrations(registration, replacePartners)
  const app = partnerRoutes({ keys, pages, facts, signingKey, signVisit, registrations, answers })
  listening.answer(request => app.fetch(request))
  const owned = resources.move()
  const close = () => owned.disposeAsync()
  return {
    url,
    port: listening.port,
    /** Address of a page that opens once. Default: the journal. */
    openUrl: (path: '/' | '/launcher' = '/') => keys.addressOf(url + path),
    registration,
    signVisit,
    close,
    [Symbol.asyncDispose]: close,
  }
}
