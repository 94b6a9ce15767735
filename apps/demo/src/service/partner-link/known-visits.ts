import type { TakeKnownVisit } from '@service-link/jwt-payload/receiver'
import { CompiledQuery } from 'kysely'
import type { Auth } from '../auth/create-auth.ts'
import { newSessions } from '../auth/new-session.ts'
import { isUnavailable } from '../database/failures.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { columnsOf, customIdDigest, personColumns, personFields } from '../persons/person-row.ts'
import { gather } from './gather.ts'

// The usual visit: employee and contact are known, and nothing is to be decided or filled in. One statement takes it, and
// any number of visits with it. All other visits go through the stores, which have the rules.

/**
 * Takes usual visits, those of one moment together: one statement of PostgreSQL, or one transaction of the embedded
 * database, which has no statement that writes several tables.
 */
export function knownVisits(auth: Auth, open: OpenDatabase): TakeKnownVisit {
  const { database, dialectName } = open
  const makeSession = newSessions(auth)
  const take = dialectName === 'postgres' ? takeOnPostgres : takeOnSqlite
  // One statement is a transaction of its own.
  const source = dialectName === 'postgres' ? { transaction: () => ({ execute: withDatabase }) } : database
  async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return work(database)
  }
  const takeGathered = gather<SentVisit, Visitor>(
    async visits => {
      // In one order, so that two processes with the same tokens do not wait for each other.
      const sent = visits.toSorted((a, b) => (a.tokenKey < b.tokenKey ? -1 : 1))
      try {
        const taken = await runTransaction(source, database => take(database, sent), { isRepeatable: true })
        const byRequest = new Map(taken.map(visitor => [visitor.requestId, visitor]))
        return visits.map(({ requestId }) => byRequest.get(requestId))
      } catch (error) {
        if (isUnavailable(error)) throw error
        // The data of one visit may be at fault: the stores take each alone.
        return []
      }
    },
    { maxRunning: 2, maxItems: 100 },
  )
  return async ({ claim, person, session: context, entry, request }) => {
    if (context.isFramed || person.customId === undefined) return undefined
    const { setCookies, row } = await makeSession('', request, context)
    const taken = await takeGathered({
      requestId: claim.requestId,
      tokenKey: claim.key,
      tokenExpiresAt: claim.expiresAt.getTime(),
      partnerId: context.partnerId,
      linkId: context.linkId,
      customIdDigest: customIdDigest(person.customId),
      at: entry.at,
      event: entry.event,
      outcome: entry.outcome,
      organizationId: entry.organizationId,
      ...withPrefix('session', row),
      ...withPrefix('person', columnsOf(person)),
    })
    if (!taken) return undefined
    const { accountId, name, personId } = taken
    return {
      account: { id: accountId, displayName: name },
      contact: { kind: 'selected', contactId: String(personId) },
      session: { setCookies },
    }
  }
}

const withPrefix = (prefix: string, members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]))

/** A visit as the statements read it: its tokens, its session and the columns of its person, all in one object. */
interface SentVisit {
  readonly requestId: string
  readonly tokenKey: string
  readonly [member: string]: unknown
}

interface Visitor {
  readonly requestId: string
  readonly accountId: string
  readonly name: string
  readonly personId: number
  /** The request that has used the token. */
  readonly usedBy: string | null
}

/** Fields that tell persons apart. They must be kept as they were sent; the others must be kept in any form. */
const traits: readonly string[] = ['firstname', 'lastname', 'ssn', 'dateOfBirth']

const isKept = personFields.map(field => {
  const column = personColumns[field]
  const sent = `visit ->> 'person.${column}'`
  return `(${sent} is null or persons.${column} ${traits.includes(field) ? `= ${sent}` : 'is not null'})`
})

/** Usual visits of `sent`, a table of JSON objects. SQLite takes tables in the given order after `cross join` only. */
const visitorsBy = (join: 'join' | 'cross join') => `
  select visit, visit ->> 'requestId' as request_id, auth_users.id as account_id, auth_users.name, persons.id as person_id,
    (select request_id from used_tokens where token_key = visit ->> 'tokenKey') as used_by
  from sent
  ${join} partner_employees on employee_digest = visit ->> 'linkId'
  ${join} auth_users on auth_users.id = partner_employees.account_id
  ${join} person_custom_ids as known on known.organization_id = auth_users."organizationId"
    and known.custom_id_digest = visit ->> 'customIdDigest' and known.partner_id = visit ->> 'partnerId'
  ${join} persons on persons.id = known.person_id and ${isKept.join(' and ')}`

const sessionMember = (name: string) => `visit ->> 'session.${name}'`

const takeTokens = `
  insert into used_tokens (token_key, request_id, expires_at)
  select visit ->> 'tokenKey', request_id, cast(visit ->> 'tokenExpiresAt' as bigint) from visitors where used_by is null
  on conflict do nothing returning request_id`

const writeSessions = (time: string) => `
  insert into auth_sessions ("userId", id, token, "linkId", "ipAddress", "userAgent", "expiresAt", "createdAt", "updatedAt")
  select account_id, ${['id', 'token', 'linkId', 'ipAddress', 'userAgent'].map(name => sessionMember(name)).join(', ')},
    ${['expiresAt', 'createdAt', 'updatedAt'].map(name => `cast(${sessionMember(name)} as ${time})`).join(', ')}
  from visitors join taken using (request_id)`

const writeEntries = `
  insert into audit_entries (at, request_id, event, outcome, partner_id, organization_id, account_id)
  select visit ->> 'at', request_id, visit ->> 'event', visit ->> 'outcome', visit ->> 'partnerId',
    visit ->> 'organizationId', account_id
  from visitors join taken using (request_id) where true on conflict do nothing`

const found = `request_id as "requestId", account_id as "accountId", name, person_id as "personId", used_by as "usedBy"`

const onPostgres = `
  with sent as (select visit from json_array_elements(cast($1 as json)) as sent(visit)),
    visitors as (${visitorsBy('join')}), taken as (${takeTokens}),
    written as (${writeSessions('timestamptz')}), recorded as (${writeEntries})
  select ${found} from visitors left join taken using (request_id)
  where taken.request_id is not null or used_by = request_id`

async function takeOnPostgres(database: Database, visits: readonly SentVisit[]): Promise<readonly Visitor[]> {
  return run<Visitor>(database, onPostgres, JSON.stringify(visits))
}

const onSqlite = (statement: string) => `
  with visitors as materialized (select value as visit, value ->> 'requestId' as request_id,
      value ->> 'accountId' as account_id, null as used_by from json_each(?)),
    taken as (select request_id from visitors) ${statement}`

const sqlite = {
  find: `with sent as materialized (select value as visit from json_each(?)),
    visitors as (${visitorsBy('cross join')}) select ${found} from visitors`,
  takeTokens: onSqlite(takeTokens),
  writeSessions: onSqlite(writeSessions('text')),
  writeEntries: onSqlite(writeEntries),
}

async function takeOnSqlite(
  transaction: Database,
  visits: readonly SentVisit[],
): Promise<readonly Visitor[]> {
  const visitors = await run<Visitor>(transaction, sqlite.find, JSON.stringify(visits))
  if (visitors.length === 0) return visitors
  const byRequest = new Map(visitors.map(visitor => [visitor.requestId, visitor]))
  const fresh = visits.flatMap(visit => {
    const { accountId, usedBy } = byRequest.get(visit.requestId) ?? {}
    return usedBy === null ? [{ ...visit, accountId }] : []
  })
  const sent = JSON.stringify(fresh)
  const rows = await run<{ request_id: string }>(transaction, sqlite.takeTokens, sent)
  const taken = new Set(rows.map(row => row.request_id))
  // Fewer only if one token was posted twice in this moment.
  const written =
    taken.size === fresh.length ? sent : JSON.stringify(fresh.filter(visit => taken.has(visit.requestId)))
  await run(transaction, sqlite.writeSessions, written)
  await run(transaction, sqlite.writeEntries, written)
  return visitors.filter(({ requestId, usedBy }) => taken.has(requestId) || usedBy === requestId)
}

async function run<Row>(database: Database, statement: string, visits: string): Promise<readonly Row[]> {
  const query: CompiledQuery<Row> = CompiledQuery.raw(statement, [visits])
  return (await database.executeQuery(query)).rows
}
