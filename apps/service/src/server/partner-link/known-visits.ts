import { setImmediate as turn } from 'node:timers/promises'
import type { Account, KnownVisit, TakeKnownVisit } from '@service-link/receiver'
import { type Auth, type NewSession, newSessions } from '../auth/create-auth.ts'
import { isUnavailable } from '../database/failures.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { needsLocks, runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { customIdDigest } from '../persons/person-row.ts'
import { isKept } from '../persons/select-person.ts'
import { consumeTokens, recordEntries } from './receiver-stores.ts'

// The usual visit: employee and contact are known, and nothing is to be decided or filled in. One transaction takes those of one
// moment, with as many statements as for one. All other visits go through the stores, with the same rules.

/** Most visits of one transaction: a database prepares the statements of each number of them. */
const mostTogether = 20

/**
 * Takes usual visits, those of one moment together. `onFailure` gets a failure after which the stores take the visits.
 */
export function knownVisits(
  auth: Auth,
  { database }: Pick<OpenDatabase, 'database'>,
  onFailure: (error: unknown) => void,
): TakeKnownVisit {
  const makeSession = newSessions(auth)
  const takeGathered = gather<SentVisit, Visitor>(async visits => {
    try {
      const taken = await runTransaction(database, transaction => takeUsual(transaction, visits), {
        isRepeatable: true,
      })
      return visits.map(visit => taken.find(visitor => visitor.visit === visit))
    } catch (error) {
      if (isUnavailable(error)) throw error
      // The data of one visit may be at fault: the stores take each alone.
      onFailure(error)
      return []
    }
  }, mostTogether)
  return async visit => {
    if (visit.session.isFramed || visit.person.customId === undefined) return undefined
    const { setCookies, row } = await makeSession('', visit.request, visit.session)
    const visitor = await takeGathered({ ...visit, digest: customIdDigest(visit.person.customId), row })
    return (
      visitor && {
        account: visitor.account,
        contact: { kind: 'selected', contactId: String(visitor.personId) },
        session: { setCookies },
      }
    )
  }
}

interface SentVisit extends KnownVisit {
  /** Of the person's CustomId. */
  readonly digest: string
  /** Of the session, but for the account. */
  readonly row: NewSession['row']
}

interface Visitor {
  readonly visit: SentVisit
  readonly account: Account
  readonly personId: number
}

async function takeUsual(database: Database, visits: readonly SentVisit[]): Promise<readonly Visitor[]> {
  const usual = await findUsual(database, visits)
  if (usual.length === 0) return []
  // In one order, so that two processes with the same tokens do not wait for each other.
  usual.sort((one, other) => (one.visit.claim.key < other.visit.claim.key ? -1 : 1))
  const claims = usual.map(({ visit }) => visit.claim)
  const results = await consumeTokens(database, claims)
  const taken = usual.filter((_, index) => results[index] === 'taken')
  if (taken.length > 0) {
    const sessions = taken.map(({ visit, account }) => ({ ...visit.row, userId: account.id }))
    await database.insertInto('auth_sessions').values(sessions).execute()
    const entries = taken.map(({ visit, account }) => ({ ...visit.entry, accountId: account.id }))
    await recordEntries(database, entries)
  }
  return usual.filter((_, index) => results[index] !== 'used')
}

/** Finds the visits whose employee is linked, and whose contact has the partner's CustomId and all data sent. */
async function findUsual(database: Database, visits: readonly SentVisit[]): Promise<Visitor[]> {
  const accounts = await database
    .selectFrom('partner_employees')
    .innerJoin('auth_users', 'auth_users.id', 'partner_employees.account_id')
    .select([
      'employee_digest as linkId',
      'auth_users.id',
      'name as displayName',
      'organizationId',
      'last_end as lastEnd',
    ])
    .where('employee_digest', 'in', distinct(visits.map(({ session }) => session.linkId)))
    // An end waits for the visits, or they see the end.
    .$if(needsLocks(database), query => query.forShare('partner_employees'))
    .execute()
  if (accounts.length === 0) return []
  // May find contacts of other visits as well, but a planner is quick with three lists.
  const contacts = await database
    .selectFrom('person_custom_ids as known')
    .innerJoin('persons', 'persons.id', 'known.person_id')
    .selectAll('persons')
    .select(['known.partner_id as partnerId', 'known.custom_id_digest as digest'])
    .where('known.organization_id', 'in', distinct(accounts.map(({ organizationId }) => organizationId)))
    .where('known.custom_id_digest', 'in', distinct(visits.map(({ digest }) => digest)))
    .where('known.partner_id', 'in', distinct(visits.map(({ session }) => session.partnerId)))
    .execute()
  return visits.flatMap(visit => {
    const { digest, person, session } = visit
    const account = accounts.find(({ linkId }) => linkId === session.linkId)
    const contact = contacts.find(
      known =>
        known.organization_id === account?.organizationId &&
        known.digest === digest &&
        known.partnerId === session.partnerId,
    )
    if (!account || !contact || !isKept(contact, person, session.partnerId)) return []
    const { id, displayName, lastEnd } = account
    return [{ visit, account: { id, displayName, lastEnd: lastEnd ?? undefined }, personId: contact.id }]
  })
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

/**
 * Joins calls to one call of `work`: those of one turn of the event loop, and those that come while `work` runs. The results
 * of `work` have the order of the items; its failure is that of all its items.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  maxItems: number,
): (item: Item) => Promise<Result | undefined> {
  let last: Promise<unknown> = Promise.resolve()
  let gathering: Item[] | undefined
  let results: ReturnType<typeof work>
  return async item => {
    if (!gathering || gathering.length === maxItems) {
      const items: Item[] = []
      const begin = async () => {
        await turn()
        if (gathering === items) gathering = undefined
        return work(items)
      }
      gathering = items
      results = last.then(begin, begin)
      last = results
    }
    const index = gathering.push(item) - 1
    return (await results)[index]
  }
}
