import type { KnownVisit, TakeKnownVisit } from '@service-link/jwt-payload/receiver'
import { CompiledQuery } from 'kysely'
import type { Auth } from '../auth/create-auth.ts'
import { type NewSession, newSessions } from '../auth/new-session.ts'
import { isUnavailable } from '../database/failures.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction, type TransactionSource } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { columnsOf, customIdDigest, personColumns, personFields } from '../persons/person-row.ts'
import { gather } from './gather.ts'
import { storesOver } from './receiver-stores.ts'

// The usual visit: employee and contact are known, and nothing is to be decided or filled in. One statement takes it, and
// any number of visits with it. All other visits go through the stores, which have the rules.

/**
 * Takes usual visits, those of one moment together: one statement of PostgreSQL, or one transaction of the embedded
 * database, which has no statement that writes several tables. `onFailure` gets a failure after which the stores take the
 * visits.
 */
export function knownVisits(
  auth: Auth,
  { database, dialectName }: OpenDatabase,
  onFailure: (error: unknown) => void,
): TakeKnownVisit {
  const makeSession = newSessions(auth)
  // One statement is a transaction of its own.
  const single: TransactionSource = { transaction: () => ({ execute: work => work(database) }) }
  const [source, take] = dialectName === 'postgres' ? [single, takeOnPostgres] : [database, takeOnSqlite]
  const takeGathered = gather<SentVisit, Visitor>(async visits => {
    // In one order, so that two processes with the same tokens do not wait for each other.
    const sent = visits.toSorted((a, b) => (a.claim.key < b.claim.key ? -1 : 1))
    try {
      const taken = await runTransaction(source, database => take(database, sent), { isRepeatable: true })
      const byRequest = new Map(taken.map(visitor => [visitor.requestId, visitor]))
      return visits.map(({ claim }) => byRequest.get(claim.requestId))
    } catch (error) {
      if (isUnavailable(error)) throw error
      // The data of one visit may be at fault: the stores take each alone.
      onFailure(error)
      return []
    }
  }, 100)
  return async visit => {
    if (visit.session.isFramed || visit.person.customId === undefined) return undefined
    const { setCookies, row } = await makeSession('', visit.request, visit.session)
    const visitor = await takeGathered({ ...visit, row })
    return (
      visitor && {
        account: { id: visitor.accountId, displayName: visitor.name },
        contact: { kind: 'selected', contactId: String(visitor.personId) },
        session: { setCookies },
      }
    )
  }
}

interface SentVisit extends KnownVisit {
  /** Of the session, but for the account. */
  readonly row: NewSession['row']
}

interface Visitor {
  readonly requestId: string
  readonly accountId: string
  readonly name: string
  readonly personId: number
}

/** A visit as the statements read it: one flat object. */
const sentOf = ({ claim, person, entry, row }: SentVisit) => ({
  requestId: claim.requestId,
  tokenKey: claim.key,
  tokenExpiresAt: claim.expiresAt.getTime(),
  partnerId: entry.partnerId,
  customIdDigest: customIdDigest(person.customId ?? ''),
  at: entry.at,
  event: entry.event,
  outcome: entry.outcome,
  organizationId: entry.organizationId,
  ...withPrefix('person', columnsOf(person)),
  ...withPrefix('session', row),
})

const withPrefix = (prefix: string, members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]))

/** Fields that tell persons apart. They must be kept as they were sent; the others must be kept in any form. */
const traits: readonly string[] = ['firstname', 'lastname', 'ssn', 'dateOfBirth']

const isKept = personFields.map(field => {
  const column = personColumns[field]
  const sent = `visit ->> 'person.${column}'`
  return `(${sent} is null or persons.${column} ${traits.includes(field) ? `= ${sent}` : 'is not null'})`
})

const sessionMember = (name: string) => `visit ->> 'session.${name}'`

/** Usual visits of `sent`, a table of JSON objects. SQLite takes tables in the given order after `cross join` only. */
const visitorsBy = (join: 'join' | 'cross join') => `
  select visit, visit ->> 'requestId' as request_id, auth_users.id as account_id, auth_users.name, persons.id as person_id
  from sent
  ${join} partner_employees on employee_digest = ${sessionMember('linkId')}
  ${join} auth_users on auth_users.id = partner_employees.account_id
  ${join} person_custom_ids as known on known.organization_id = auth_users."organizationId"
    and known.custom_id_digest = visit ->> 'customIdDigest' and known.partner_id = visit ->> 'partnerId'
  ${join} persons on persons.id = known.person_id and ${isKept.join(' and ')}`

const found = `request_id as "requestId", account_id as "accountId", name, person_id as "personId"`

const onPostgres = `
  with sent as (select visit from json_array_elements(cast($1 as json)) as sent(visit)),
    visitors as (${visitorsBy('join')}),
    taken as (
      insert into used_tokens (token_key, request_id, expires_at)
      select visit ->> 'tokenKey', request_id, cast(visit ->> 'tokenExpiresAt' as bigint) from visitors
      on conflict do nothing returning request_id),
    written as (
      insert into auth_sessions
        ("userId", id, token, "linkId", "partnerId", "ipAddress", "userAgent", "expiresAt", "createdAt", "updatedAt")
      select account_id, ${['id', 'token', 'linkId', 'partnerId', 'ipAddress', 'userAgent'].map(sessionMember).join(', ')},
        ${['expiresAt', 'createdAt', 'updatedAt'].map(name => `cast(${sessionMember(name)} as timestamptz)`).join(', ')}
      from visitors join taken using (request_id)),
    recorded as (
      insert into audit_entries (at, request_id, event, outcome, partner_id, organization_id, account_id)
      select visit ->> 'at', request_id, visit ->> 'event', visit ->> 'outcome', visit ->> 'partnerId',
        visit ->> 'organizationId', account_id
      from visitors join taken using (request_id) on conflict do nothing)
  select ${found} from visitors left join taken using (request_id)
  where taken.request_id is not null or request_id =
    (select request_id from used_tokens where token_key = visit ->> 'tokenKey')`

const findOnSqlite = `
  with sent as materialized (select value as visit from json_each(?)), visitors as (${visitorsBy('cross join')})
  select ${found} from visitors`

const takeOnPostgres = (database: Database, visits: readonly SentVisit[]) => run(database, onPostgres, visits)

async function takeOnSqlite(
  transaction: Database,
  visits: readonly SentVisit[],
): Promise<readonly Visitor[]> {
  const { replay, audit } = storesOver(transaction)
  const byRequest = new Map(visits.map(visit => [visit.claim.requestId, visit]))
  const taken: Visitor[] = []
  for (const visitor of await run(transaction, findOnSqlite, visits)) {
    const { requestId, accountId } = visitor
    const visit = byRequest.get(requestId)
    if (!visit || (await replay.consume(visit.claim)) !== 'taken') continue
    const row = { ...visit.row, userId: accountId }
    await transaction.insertInto('auth_sessions').values(row).execute()
    await audit.record({ ...visit.entry, accountId })
    taken.push(visitor)
  }
  return taken
}

async function run(database: Database, statement: string, visits: readonly SentVisit[]) {
  const query: CompiledQuery<Visitor> = CompiledQuery.raw(statement, [JSON.stringify(visits.map(sentOf))])
  return (await database.executeQuery(query)).rows
}
