import { type SigningKey, signPayload } from '@service-link/jwt-payload'
import { measureCallsInTurns, median, medianRatio, quantile, takeTurns } from '../measure/calls.ts'
import { makeKeys } from '../measure/keys.ts'
import { postsPerSecond } from '../measure/posts.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

const publicUrl = 'https://sso.example'
const issuer = 'https://partner.example'
const employee = { organizationId: 'clinic', employeeId: 'ada' }

const rounds = 8
const postsPerTurn = 400

/** Contacts of the organization while a page of their list and a post are measured. */
const contactCounts = {
  sqlite: [1000, 5000, 10_000, 100_000],
  postgres: [1000, 5000, 100_000, 1_000_000],
} as const

type Store = keyof typeof contactCounts

type Ports = { readonly none: number } & Partial<Record<Store, number>>

const names: Readonly<Record<Store, string>> = {
  sqlite: 'SQLite without fsync',
  postgres: 'PostgreSQL without fsync',
}

/** The demo's receiver with its database beside the same receiver without a store, and its list of persons. */
export const servicePostsPath: MeasuredPath = {
  name: 'store',
  title: 'Receiver and list with the demo’s database',
  async measure() {
    const { key, publicJwk } = await makeKeys('RS256')
    const sign = signer(key)
    const input = { publicJwk, issuer, publicUrl, employee }
    await using resources = new AsyncDisposableStack()
    const start = async (store: Store | 'none') =>
      resources.use(await startParty('service-posts', { input: { store, ...input } })).address
    const ports: Ports = { none: Number(await start('none')), sqlite: Number(await start('sqlite')) }
    const postgres = await start('postgres')
    if (Number(postgres) > 0) ports.postgres = Number(postgres)
    else process.stderr.write(`Without PostgreSQL: ${postgres}\n`)
    const rows = await measurePosts(ports, sign)
    for (const store of ['sqlite', 'postgres'] as const) {
      const port = ports[store]
      if (port !== undefined) rows.push(...(await measureGrowth(store, port, sign)))
    }
    return { rows }
  },
}

type Sign = (count: number) => Promise<readonly string[]>

/** Signs payloads of one known employee about fifty contacts, each with its own `jti`. */
function signer(key: SigningKey): Sign {
  const options = { audience: `${publicUrl}/partner/payload`, issuer }
  const sign = (index: number) => {
    const contact = { id: `c-${index % 50}`, firstname: 'Søren', lastname: `Dyk ${index % 50}` }
    return signPayload({ ...employee, contact }, key, options)
  }
  return count => Promise.all(Array.from({ length: count }, (_, index) => sign(index)))
}

/** Posts the same tokens to every receiver in turns; each receiver has seen none of them before. */
async function measurePosts(ports: Ports, sign: Sign): Promise<Row[]> {
  const tokens = await Promise.all(Array.from({ length: 1 + rounds }, () => sign(postsPerTurn)))
  const turns = Object.entries(ports).map(([name, port]) => {
    return [name, (round: number) => postsPerSecond(port, (tokens[round] ?? []).values())] as const
  })
  // The first round makes the contacts.
  const rates = await takeTurns(Object.fromEntries(turns), { rounds, warmUp: 1 })
  const of = (name: string) => rates[name] ?? []
  const row = (store: Store, atMost: number): Row => ({
    name: `a post with its store, ${names[store]}`,
    unit: 'requests/s',
    floor: { of: 'verify only', value: median(of('none')) },
    ours: median(of(store)),
    ratio: medianRatio(of('none'), of(store)),
    goal: { on: 'ratio', atMost },
  })
  return [row('sqlite', 1.3), ...(ports.postgres === undefined ? [] : [row('postgres', 2.6)])]
}

/** Lower quartiles of a page of the list, of a search and of one post, with more and more contacts. */
async function measureGrowth(store: Store, port: number, sign: Sign): Promise<Row[]> {
  const rows: Row[] = []
  let first: Record<string, number> | undefined
  for (const count of contactCounts[store]) {
    for (const statement of fillings[store](count)) await send(port, '/run', statement)
    const tokens = (await sign(40)).values()
    const samples = await measureCallsInTurns(
      {
        'a page of the list': () => search(port, {}),
        'a search': () => search(port, { text: 'last99 first' }),
        'one post': () => postsPerSecond(port, [tokens.next().value ?? ''].values()),
      },
      { rounds: 25, warmUp: 10 },
    )
    const ms = Object.fromEntries(
      Object.entries(samples).map(([name, all]) => [name, quantile(all, 0.25) / 1000]),
    )
    first ??= ms
    for (const [name, value] of Object.entries(ms)) {
      const least = first[name] ?? Number.NaN
      rows.push({
        name: `${name} of ${count.toLocaleString('en')} contacts, ${names[store]}`,
        unit: 'ms',
        floor: { of: `of ${contactCounts[store][0].toLocaleString('en')}`, value: least },
        ours: value,
        ...(count === 5000 && name !== 'one post' ? { goal: { on: 'ours', atMost: 60 } } : {}),
        ...(count === contactCounts[store].at(-1) ? { goal: { on: 'ratio', atMost: 3 } } : {}),
      })
    }
  }
  return rows
}

const search = (port: number, filter: object) =>
  send(port, '/persons/search', JSON.stringify({ ...filter, limit: 50 }))

async function send(port: number, path: string, body: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) throw new Error(`The party answered ${path} with ${answer.status}.`)
  await answer.arrayBuffer()
}

/** Adds contacts with other names than the posted ones, until there are `count`. Their columns are as the service writes them. */
const fillContacts = (text: 'text' | 'char', count: number) => `
  insert into persons (organization_id, custom_id, custom_id_key, firstname, lastname, sort_name, search_text, created_at,
    updated_at)
  with recursive numbers (i) as (
    select (select count(*) from persons) + 1 union all select i + 1 from numbers where i < ${count}),
    named (n) as (select cast(i as ${text}) from numbers)
  select (select min(id) from organizations), 'n' || n, 'n' || n, 'First', 'Last' || n, 'last' || n || ' first',
    'first last' || n || ' n' || n, '', '' from named`

/** A million rows take seconds if the indexes are made afterwards. */
const fillOnPostgres = (count: number) => `
  do $$
    declare
      definitions text[] = (select array_agg(indexdef) from pg_indexes where indexname like 'persons@_by@_%' escape '@');
      definition text;
    begin
      foreach definition in array definitions loop
        execute 'drop index ' || split_part(definition, ' ', 3);
      end loop;
      ${fillContacts('text', count)};
      foreach definition in array definitions loop
        execute definition;
      end loop;
    end
  $$`

const fillings: Readonly<Record<Store, (count: number) => readonly string[]>> = {
  sqlite: count => [fillContacts('char', count), 'analyze'],
  postgres: count => [fillOnPostgres(count), 'vacuum analyze persons'],
}
