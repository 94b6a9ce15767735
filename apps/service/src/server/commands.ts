import { endPartner, endSessions } from './auth/end-sessions.ts'
import { runTransaction } from './database/run-transaction.ts'
import type { Database, Tables } from './database/tables.ts'
import { StartError } from './operations/settings.ts'
import { putOrganization } from './partner-link/account-links.ts'

/** What a subcommand has done: what is audited, and a sentence for the operator. */
interface Done
  extends Partial<Pick<Tables['audit_entries'], 'partner_id' | 'organization_id' | 'account_id'>> {
  readonly outcome: string
  readonly said: string
}

type Command = (
  transaction: Database,
  args: readonly string[],
  partnerIds: readonly string[],
) => Promise<Done>

/**
 * Runs a subcommand beside the running service, in one transaction. Returns its sentence.
 *
 * @param partnerIds of the registered partners
 * @throws {StartError} for a subcommand or an argument that is none
 */
export async function runCommand(
  database: Database,
  partnerIds: readonly string[],
  [event = '', ...args]: readonly string[],
): Promise<string> {
  const command = Object.hasOwn(commands, event) ? commands[event] : undefined
  if (!command) throw new StartError('There is no such subcommand. --help names what there is.')
  return runTransaction(database, async transaction => {
    const { said, ...done } = await command(transaction, args, partnerIds)
    const entry = { at: new Date().toISOString(), request_id: crypto.randomUUID(), event, partner_id: '' }
    await transaction
      .insertInto('audit_entries')
      .values({ ...entry, ...done })
      .execute()
    return said
  })
}

const wrongArguments = () => new StartError('Wrong arguments. --help says which there are.')

const commands: Readonly<Record<string, Command>> = {
  /** Allows links from a partner's organization to accounts of one more organization. */
  async 'allow-organization'(transaction, [partnerId = '', organizationId = '', wanted = '', ...more], ids) {
    if (wanted === '' || more.length > 0) throw wrongArguments()
    if (!ids.includes(partnerId)) throw new StartError('PARTNERS_FILE has no partner of that id.')
    const { id, name } = await findOrganization(transaction, wanted)
    await putOrganization(transaction, { partnerId, organizationId }, id)
    return {
      outcome: 'allowed',
      partner_id: partnerId,
      organization_id: organizationId.slice(0, 256),
      said: `Employees of ${organizationId} at ${partnerId} may be linked to accounts of ${name}.`,
    }
  },

  /** Ends sessions. */
  async 'end-sessions'(transaction, [kind = '', name = '', ...more], ids) {
    const end = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (!end || name === '' || more.length > 0) throw wrongArguments()
    const { count, ...named } = await end(transaction, name, ids)
    return { outcome: 'ended', ...named, said: `Ended ${count} ${count === 1 ? 'session' : 'sessions'}.` }
  },
}

interface Ended extends Omit<Done, 'outcome' | 'said'> {
  readonly count: number
}

type EndSessions = (transaction: Database, name: string, partnerIds: readonly string[]) => Promise<Ended>

const kinds: Readonly<Record<string, EndSessions>> = {
  async partner(transaction, id, partnerIds) {
    const count = await endPartner(transaction, id)
    if (count === 0 && !partnerIds.includes(id))
      throw new StartError('PARTNERS_FILE has no partner of that id, and none has sessions.')
    return { count, partner_id: id }
  },
  async organization(transaction, name) {
    const { id } = await findOrganization(transaction, name)
    await endOneTimeUrls(transaction)
    const accounts = transaction.selectFrom('auth_users').where('organizationId', '=', id).select('id')
    return { count: await endSessions(transaction, 'userId', accounts), organization_id: String(id) }
  },
  async account(transaction, email) {
    const account = await transaction
      .selectFrom('auth_users')
      .where('email', '=', email.toLowerCase())
      .select('id')
      .executeTakeFirst()
    if (!account) throw new StartError('The service has no account of that e-mail address.')
    await endOneTimeUrls(transaction)
    return { count: await endSessions(transaction, 'userId', [account.id]), account_id: account.id }
  },
}

/** Ends one-time URLs, which open a session without a log-in. They do not tell whose they are, so all of this minute end. */
async function endOneTimeUrls(transaction: Database): Promise<void> {
  await transaction.deleteFrom('held_deliveries').where('purpose', '=', 'open').execute()
}

/** Finds the organization that an operator names, by its name or its number. */
async function findOrganization(database: Database, wanted: string) {
  const organizations = await database
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(({ eb, or }) =>
      or([eb('name', '=', wanted), ...(/^\d{1,9}$/.test(wanted) ? [eb('id', '=', Number(wanted))] : [])]),
    )
    .execute()
  const [organization, another] = organizations
  if (!organization) throw new StartError('The service has no organization of that name or number.')
  const ids = organizations.map(({ id }) => id).join(', ')
  if (another) throw new StartError(`Several organizations fit, give the number: ${ids}`)
  return organization
}
