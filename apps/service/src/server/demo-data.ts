import { runWithAdapter } from '@better-auth/core/context'
import { isThisMachine, type Person } from '@service-link/protocol-core'
import { getAdapter } from 'better-auth/db/adapter'
import type { Auth } from './auth/create-auth.ts'
import type { TextSearch } from './database/dialect.ts'
import type { OpenDatabase } from './database/open-database.ts'
import { lockNames, runTransaction, startMs } from './database/run-transaction.ts'
import type { Database } from './database/tables.ts'
import { selectOrCreatePerson } from './persons/select-person.ts'
import { giveWorkout } from './workouts/workout-store.ts'

export interface DemoAccount {
  readonly email: string
  /** 10 characters or more. */
  readonly password: string
  readonly name: string
  readonly organization: string
}

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

/** Makes the missing accounts in one transaction; other processes wait. An existing account keeps its password. */
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

/**
 * Decides whether to make the accounts with published passwords: by default not for an https address of another host.
 * `isRisky`: the log-in can be reached from other machines.
 */
export function demoAccountsUse(setting: '0' | '1' | undefined, publicUrl = 'http://localhost') {
  const { protocol, hostname } = new URL(publicUrl)
  const isPublic = !isThisMachine(hostname)
  const areMade = setting === undefined ? !(isPublic && protocol === 'https:') : setting === '1'
  return { areMade, isRisky: areMade && isPublic }
}

export interface DemoPerson extends Person {
  /** The library's workout that the person has from the start: its `slug`. */
  readonly workout?: string | undefined
}

/**
 * Makes the missing persons of an account's organization in one transaction. Persons whose data an employee has changed stay as
 * they are. A new person gets its workout from the account's user.
 */
export async function seedPersons(
  database: Database,
  search: TextSearch,
  account: DemoAccount,
  persons: readonly DemoPerson[],
): Promise<void> {
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['accounts'])
    const organizationId = await findOrCreateOrganization(transaction, account.organization)
    for (const { workout, ...person } of persons) {
      const asker = { organizationId, partnerId: undefined, by: 'program' } as const
      const chosen = await selectOrCreatePerson(transaction, asker, person)
      if (workout === undefined || chosen.kind !== 'created') continue
      const { id: workoutId } = await transaction
        .selectFrom('workouts')
        .select('id')
        .where('slug', '=', workout)
        .executeTakeFirstOrThrow()
      const { id: accountId } = await transaction
        .selectFrom('auth_users')
        .select('id')
        .where('email', '=', account.email)
        .executeTakeFirstOrThrow()
      const owner = { accountId, name: account.name }
      const gift = { owner, workoutId, personId: chosen.id, key: `seed ${chosen.id}`, isAgain: false }
      await giveWorkout(transaction, search, { organizationId, ...gift })
    }
  }
  if (persons.length > 0) await runTransaction(database, fill, { isRepeatable: true, maxMs: startMs })
}

export async function findOrCreateOrganization(database: Database, name: string): Promise<number> {
  const known = await database
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known) return known.id
  const { id } = await database
    .insertInto('organizations')
    .values({ name, created_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
