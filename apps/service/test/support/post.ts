import { signPayload } from '@service-link/jwt-payload'
import type { PayloadClaims } from '@service-link/protocol-core'
import * as z from 'zod'
import './localhost.ts'
import type { ApiClient } from '../../src/testing/visitor.ts'
import type { RunningService } from './service.ts'

/** An employee of the partner, with a contact in focus. */
export const visit: PayloadClaims = {
  organizationId: 'org-1',
  organizationName: 'Fjordklinikken',
  employeeId: 'emp-1',
  employeeFirstname: 'Ingrid',
  employeeLastname: 'Solberg',
  employeeEmail: 'ingrid.solberg@fjordklinikken.example',
  contact: { id: 'c-1', firstname: 'Åse', lastname: 'Øvergård', birthdate: '1979-05-12', gender: 'female' },
}

/** A service's public address and a partner of it. */
export interface Posting {
  readonly service: Pick<RunningService['service'], 'url'>
  readonly key: Pick<RunningService['key'], 'signing' | 'issuer'>
}

/** Signs a payload as the partner does. */
export function sign({ service, key }: Posting, payload: PayloadClaims = visit): Promise<string> {
  return signPayload(payload, key.signing, { audience: `${service.url}/partner/payload`, issuer: key.issuer })
}

/** Posts a token as a program does, at a service's address; `headers` may be the accepted type alone. */
export function post(
  { service }: Pick<Posting, 'service'>,
  token: string,
  headers: string | Record<string, string> = 'text/html',
): Promise<Response> {
  return fetch(`${service.url}/partner/payload`, {
    method: 'POST',
    headers: typeof headers === 'string' ? { accept: headers } : headers,
    body: new URLSearchParams({ payload: token }),
  })
}

/** Posts the first visit of an employee at an address, and confirms the link as the account's owner. */
export async function confirmLink(
  client: ApiClient,
  posting: Posting,
  payload: PayloadClaims = visit,
  address = posting.service.url,
) {
  const { handle } = await readBoot(await post({ service: { url: address } }, await sign(posting, payload)))
  return client.ask('POST', '/api/partner-visits', { handle, confirmed: true })
}

const bootSchema = z.looseObject({
  kind: z.enum(['signed-in', 'log-in']),
  handle: z.string().optional(),
  contact: z.looseObject({ kind: z.string(), contactId: z.string().optional() }).optional(),
})

/** The outcome that the answered page received. */
export async function readBoot(answer: Response): Promise<z.output<typeof bootSchema>> {
  const [, json = 'null'] = /id="service-link-boot">([^<]*)</.exec(await answer.text()) ?? []
  return bootSchema.parse(JSON.parse(json))
}
