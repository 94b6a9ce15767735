import { z } from 'zod'
import type { Database } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'
import { findOrCreateOrganization } from './organizations.ts'

/** A log-in that exists from the start. */
export const demoAccountSchema = z.object({
  email: z.email(),
  password: z.string().min(10),
  name: z.string().min(1),
  organization: z.string().min(1),
})

/** See {@link demoAccountSchema}. */
export type DemoAccount = z.output<typeof demoAccountSchema>

/** The employees of the demo; both work in the clinic whose journal the partner application is. */
export const demoAccounts: readonly DemoAccount[] = [
  {
    email: 'ingrid.solberg@fjordklinikken.example',
    password: 'fjord-klinikk-2026',
    name: 'Ingrid Solberg',
    organization: 'Fjordklinikken',
  },
  {
    email: 'samuel.okafor@fjordklinikken.example',
    password: 'fjord-klinikk-2026',
    name: 'Samuel Okafor',
    organization: 'Fjordklinikken',
  },
]

/** Makes the accounts that do not exist yet; an existing account keeps its password. */
export async function seedAccounts(
  auth: Auth,
  database: Database,
  accounts: readonly DemoAccount[],
): Promise<void> {
  const { internalAdapter, password } = await auth.$context
  for (const account of accounts) {
    if (await internalAdapter.findUserByEmail(account.email)) continue
    const organizationId = await findOrCreateOrganization(database, account.organization)
    const user = await internalAdapter.createUser({
      email: account.email,
      name: account.name,
      emailVerified: true,
      organizationId,
    })
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: await password.hash(account.password),
    })
  }
}
