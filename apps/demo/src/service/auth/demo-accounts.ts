import { runWithAdapter } from '@better-auth/core/context'
import { getAdapter } from 'better-auth/db/adapter'
import { z } from 'zod'
import { lockNames } from '../database/lock-names.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction, startMs } from '../database/run-transaction.ts'
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

/**
 * Makes the accounts that do not exist yet, in one transaction, after that of another process that does so; an existing
 * account keeps its password.
 */
export async function seedAccounts(
  auth: Auth,
  open: Pick<OpenDatabase, 'database' | 'dialectName'>,
  accounts: readonly DemoAccount[],
): Promise<void> {
  if (accounts.length === 0) return
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['accounts'])
    const database = { db: transaction, type: open.dialectName }
    const adapter = await getAdapter({ ...auth.options, database })
    for (const account of accounts)
      await runWithAdapter(adapter, () => putAccount(auth, transaction, account))
  }
  await runTransaction(open.database, fill, { isRepeatable: true, maxMs: startMs })
}

async function putAccount(auth: Auth, database: Database, account: DemoAccount): Promise<void> {
  const { internalAdapter, password } = await auth.$context
  if (await internalAdapter.findUserByEmail(account.email)) return
  const user = await internalAdapter.createUser({
    email: account.email,
    name: account.name,
    emailVerified: true,
    organizationId: await findOrCreateOrganization(database, account.organization),
  })
  await internalAdapter.linkAccount({
    userId: user.id,
    accountId: user.id,
    providerId: 'credential',
    password: await password.hash(account.password),
  })
}
