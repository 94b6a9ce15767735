import { DatabaseSync } from 'node:sqlite'
import { type Account, runOneByOne, storesOverRows } from '@service-link/receiver'

export function openStore(file: string, accounts: readonly Account[]) {
  const database = new DatabaseSync(file)
  database.exec(`
    create table if not exists link_rows (kind text, key text, value text, expires_at int, primary key (kind, key));
    create table if not exists contacts (id text primary key, organization text, value text)`)
  const add = database.prepare('insert into link_rows values (?, ?, ?, ?) on conflict do nothing')
  const get = database.prepare('select value from link_rows where kind = ? and key = ?')
  const remove = database.prepare('delete from link_rows where kind = ? and key = ? returning value')
  const findContacts = database.prepare('select value from contacts where organization = ? order by rowid')
  const save = database.prepare(
    'insert into contacts values (?, ?, ?) on conflict do update set value = excluded.value',
  )
  const audit = database.prepare("select value from link_rows where kind = 'audit' order by rowid")
  const expire = database.prepare('delete from link_rows where expires_at < ?')

  const stores = storesOverRows({
    rows: {
      add: ({ kind, key, value, expiresAt }) =>
        add.run(kind, key, value, expiresAt?.getTime() ?? null).changes > 0,
      get: (kind, key) => textOf(get.get(kind, key)),
      remove: (kind, key) => textOf(remove.get(kind, key)),
    },
    findAccount: id => accounts.find(account => account.id === id),
    contacts: {
      find: organizationId => findContacts.all(organizationId).map(({ value }) => JSON.parse(String(value))),
      save: contact => void save.run(contact.contactId, contact.organizationId, JSON.stringify(contact)),
    },
  })
  return {
    runTransaction: runOneByOne(stores, {
      begin: () => database.exec('begin immediate'),
      commit: () => database.exec('commit'),
      rollBack: () => database.exec('rollback'),
    }),
    auditEntries: () => audit.all().map(({ value }) => JSON.parse(String(value), withDate)),
    deleteExpired: (now = new Date()) => void expire.run(now.getTime()),
  }
}

const textOf = (row?: Record<string, unknown>) => (row ? String(row.value) : undefined)
const withDate = (name: string, value: unknown) => (name === 'at' ? new Date(String(value)) : value)
