import { importSigningKey, type SigningKeySource, signPayload } from '@service-link/jwt-payload'
import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { exportJWK, generateKeyPair } from 'jose'
import * as z from 'zod'
import { buildPages } from '../build/build-pages.ts'
import { listen } from '../http-server/listen.ts'
import { createPageKeys, type PageKeys } from '../http-server/page-keys.ts'
import { partnerRoutes, type Visit } from './launcher/partner-routes.ts'
import { createHourRegistrations, type ReplacePartners } from './launcher/registrations.ts'
import { clinic, employees, patientName, patients } from './patients.ts'

interface CreatePartnerOptions {
  readonly serviceUrl: string
  readonly key: PartnerKey
  /** Keys of its pages. Default: of its own. */
  readonly keys?: PageKeys | undefined
  readonly port: number
  /** Address to listen on. Default `127.0.0.1`, which is another site than `localhost`. */
  readonly host?: string
  readonly publicUrl?: string
  /** Called with the patient's name for each payload that is signed. */
  readonly onSigned?: (name: string) => void
  /** Registers keys of the launcher at the service. Default none: the launcher does not offer it. */
  readonly replacePartners?: ReplacePartners
}

export type Partner = Awaited<ReturnType<typeof createPartner>>

/** Starts the partner application, the journal of an invented clinic. Its patients can be opened in the service. */
export async function createPartner(options: CreatePartnerOptions) {
  const { serviceUrl, key, keys = createPageKeys(), host = '127.0.0.1' } = options
  const signingKey = await importSigningKey(key.signing)
  const pages = await buildPages('partner')
  await using resources = new AsyncDisposableStack()
  const listening = await listen({ host, port: options.port, publicUrl: options.publicUrl })
  resources.defer(() => listening.close())
  const { origin: url } = listening
  const payloadUrl = `${serviceUrl}/partner/payload`
  const signVisit = async ({ patientId, employeeId }: Visit) => {
    const contact = patients.find(({ id }) => id === patientId)
    const employee = employees.find(found => found.employeeId === employeeId)
    if (!contact || !employee) return undefined
    options.onSigned?.(patientName(contact))
    const claims = { ...clinic, ...employee, contact }
    return signPayload(claims, signingKey, { audience: payloadUrl, issuer: key.issuer })
  }
  const registration = { ...key.registration, frameOrigins: [url] }
  const { replacePartners } = options
  const registrations = replacePartners && createHourRegistrations(registration, replacePartners)
  await replacePartners?.([registration])
  const [contact] = patients
  const [employee] = employees
  const facts = {
    address: payloadUrl,
    issuer: key.issuer,
    keyId: signingKey.keyId ?? '',
    publicKey: key.publicKey,
    claims: { ...clinic, ...employee, contact },
    canRegister: registrations !== undefined,
  }
  const app = partnerRoutes({ keys, pages, facts, signingKey, signVisit, registrations })
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

/** A partner's key pair: the private half to sign, the public half for the service. */
export interface PartnerKey {
  readonly partnerId: string
  readonly issuer: string
  readonly signing: SigningKeySource
  readonly publicKey: z.output<typeof jwkSchema>
  readonly registration: PartnerRegistration
}

const jwkSchema = z.looseObject({ kty: z.string() })

/** Generates an ES256 key pair for a partner. The private half stays in memory. */
export async function createPartnerKey(
  partnerId = 'nordlys-journal',
  name = 'Nordlys Journal',
): Promise<PartnerKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const publicKey = jwkSchema.parse(await exportJWK(pair.publicKey))
  const kid = `${partnerId}-${crypto.randomUUID()}`
  const issuer = `https://${partnerId}.example`
  return {
    partnerId,
    issuer,
    publicKey,
    signing: { kind: 'jwk', kid, jwk: jwkSchema.parse(await exportJWK(pair.privateKey)) },
    registration: {
      id: partnerId,
      name,
      issuer,
      keys: [{ kind: 'jwk', kid, jwk: publicKey }],
    },
  }
}
