import { type Account, type RunInTransaction, storesOverRows } from '@service-link/receiver'
import { Pool, type PoolClient } from 'pg'

const add =
  'insert into link_rows (kind, key, value, expires_at) values ($1, $2, $3, $4) on conflict do nothing'
const get = 'select value from link_rows where kind = $1 and key = $2'
const remove = 'delete from link_rows where kind = $1 and key = $2 returning value'
// Two posts at once for one person must not create two contacts.
const lock = "select pg_advisory_xact_lock(hashtext('contacts'), hashtext($1))"
const find = 'select value from contacts where organization = $1 order by number'
const save = `insert into contacts (id, organization, value) values ($1, $2, $3)
  on conflict (id) do update set value = excluded.value`

const storesOf = (client: PoolClient, accounts: readonly Account[]) =>
  storesOverRows({
    rows: {
      add: async ({ kind, key, value, expiresAt }) =>
        (await client.query(add, [kind, key, value, expiresAt])).rowCount === 1,
      get: async (kind, key) => (await client.query(get, [kind, key])).rows[0]?.value,
      remove: async (kind, key) => (await client.query(remove, [kind, key])).rows[0]?.value,
    },
    findAccount: id => accounts.find(account => account.id === id),
    contacts: {
      find: async organizationId => {
        await client.query(lock, [organizationId])
        const { rows } = await client.query(find, [organizationId])
        return rows.map(({ value }) => JSON.parse(value))
      },
      save: async contact =>
        void (await client.query(save, [contact.contactId, contact.organizationId, JSON.stringify(contact)])),
    },
  })

export function openStore(connectionString: string, accounts: readonly Account[]) {
  const pool = new Pool({ connectionString })
  const runTransaction: RunInTransaction = async work => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(storesOf(client, accounts))
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      // The connection ends, and its transaction with it.
      client.release(true)
      throw error
    }
  }
  return {
    runTransaction,
    auditEntries: async () => {
      const { rows } = await pool.query("select value from link_rows where kind = 'audit' order by number")
      return rows.map(({ value }) => JSON.parse(value, withDate))
    },
    deleteExpired: () => pool.query('delete from link_rows where expires_at < now()'),
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

const withDate = (name: string, value: unknown) => (name === 'at' ? new Date(String(value)) : value)
