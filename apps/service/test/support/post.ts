import { signPayload } from '@service-link/jwt-payload'
import type { PayloadClaims } from '@service-link/protocol-core'
import * as z from 'zod'
import './localhost.ts'
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

/** Signs a payload as the partner does. */
export function sign({ service, key }: RunningService, payload: PayloadClaims = visit): Promise<string> {
  return signPayload(payload, key.signing, { audience: `${service.url}/partner/payload`, issuer: key.issuer })
}

/** Posts a token as a program does. */
export function post({ service }: RunningService, token: string, accept = 'text/html'): Promise<Response> {
  return fetch(`${service.url}/partner/payload`, {
    method: 'POST',
    headers: { accept },
    body: new URLSearchParams({ payload: token }),
  })
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
