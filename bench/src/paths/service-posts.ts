import { type SigningKey, signPayload } from '@service-link/jwt-payload'
import { inTurns, measureCallsInTurns, median, medianRatio, quantile } from '../measure/calls.ts'
import { makeKeys } from '../measure/keys.ts'
import { postAll } from '../measure/posts.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

const publicUrl = 'https://sso.example'
const issuer = 'https://partner.example'
const employee = { organizationId: 'clinic', employeeId: 'ada' }

const rounds = 8
const postsPerTurn = 400

/** Contacts of the organization while a page of their list, a search and a post are measured. */
const contactCounts = [1000, 1_000_000]

type Store = 'sqlite' | 'postgres'

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

/** Word that the fifty posted contacts have, and none of the filled ones. */
const rareWord = 'dyk'

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
    return [name, (round: number) => microsOfPost(port, (tokens[round] ?? []).values())] as const
  })
  // The first round makes the contacts.
  const micros = await inTurns(Object.fromEntries(turns), { rounds, warmUp: 1 })
  const of = (name: string) => micros[name] ?? []
  const row = (store: Store, atMost: number): Row => ({
    name: `a post with its store, ${names[store]}`,
    unit: 'µs',
    beside: { of: 'verify only', value: median(of('none')) },
    ours: median(of(store)),
    ratio: medianRatio(of(store), of('none')),
    goal: { on: 'ratio', atMost },
  })
  return [row('sqlite', 2.5), ...(ports.postgres === undefined ? [] : [row('postgres', 3)])]
}

const microsOfPost = async (port: number, tokens: Iterator<string, unknown>) =>
  1e6 / (await postAll(port, tokens)).perSecond

/** Lower quartiles of a page of the list, of a search and of one post, with few contacts and with many. */
async function measureGrowth(store: Store, port: number, sign: Sign): Promise<Row[]> {
  const stages: Readonly<Record<string, number>>[] = []
  for (const count of contactCounts) {
    for (const statement of fillings[store](count)) await send(port, '/run', statement)
    const tokens = (await sign(40)).values()
    const samples = await measureCallsInTurns(
      {
        'a page of the list': () => search(port, {}),
        'a search of a rare word': () => search(port, { text: rareWord }),
        'one post': () => postAll(port, [tokens.next().value ?? ''].values()),
      },
      { rounds: 25, warmUp: 10 },
    )
    stages.push(
      Object.fromEntries(
        Object.entries(samples).map(([name, all]) => [name, quantile(all, 0.25) / 1000] as const),
      ),
    )
  }
  const [few, many] = contactCounts.map(count => count.toLocaleString('en'))
  const [first = {}, last = {}] = stages
  return Object.entries(last).map(([name, ours]) => ({
    name: `${name}, ${many} contacts, ${names[store]}`,
    unit: 'ms',
    beside: { of: `${few} contacts`, value: first[name] ?? Number.NaN },
    ours,
    goal: { on: 'ratio', atMost: 3 },
  }))
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
  select (select min(id) from organizations), 'n' || n, 'n' || n, 'First', 'Last' || n, 'last' || n || '\u0001first',
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
