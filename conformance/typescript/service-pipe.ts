// Drives the running wrapper, to be copied: Node 24 or later with @service-link/pipe-client.
import { json } from 'node:stream/consumers'
import {
  connectWrapper,
  findWrappers,
  PipeRefusedError,
  type WrapperClient,
  type WrapperEventType,
} from '@service-link/pipe-client'

const usage = `service-pipe.ts list                         the running wrappers
service-pipe.ts <command> [key=value ...]      one command; - in place of arguments reads them as JSON from standard input
service-pipe.ts subscribe events=<a>,<b>     the next of these events
`

type Args = Readonly<Record<string, string | undefined>>

/** A person as the client calls its fields. */
function personOf({ customid = '', userid, firstname = '', lastname = '', dateofbirth: dateOfBirth }: Args) {
  const ids = userid === undefined ? { customId: customid } : { customId: customid, userId: Number(userid) }
  return { ...ids, firstname, lastname, dateOfBirth }
}

const commands: Readonly<Record<string, (wrapper: WrapperClient, args: Args) => unknown>> = {
  hello: ({ wrapper }) => wrapper, // connectWrapper has said it
  status: wrapper => wrapper.status(),
  version: wrapper => wrapper.version(),
  show: wrapper => wrapper.show(),
  hide: wrapper => wrapper.hide(),
  close: wrapper => wrapper.close(),
  signout: wrapper => wrapper.signOut(),
  selectperson: (wrapper, args) => wrapper.selectPerson(personOf(args)),
  clearperson: (wrapper, { customid: customId }) => wrapper.clearPerson({ customId }),
  setcustomid: (wrapper, { userid, customid: customId = '' }) =>
    wrapper.setCustomId({ userId: Number(userid), customId }),
  getlistofusers: (wrapper, { customid: customId }) => wrapper.getListOfUsers({ customId }),
  getworkoutsforclient: (wrapper, { userid, customid, from }) =>
    wrapper.getWorkoutsForClient(
      userid === undefined ? { customId: customid ?? '', from } : { userId: Number(userid), from },
    ),
  openworkout: (wrapper, { id }) => wrapper.openWorkout(Number(id)),
  queryexercises: (wrapper, { text = '' }) => wrapper.queryExercises(text),
  queryworkouts: (wrapper, { text = '' }) => wrapper.queryWorkouts(text),
  async subscribe(wrapper, { events = '' }) {
    const names = events.split(',') as WrapperEventType[]
    for await (const { type: Event, ...facts } of wrapper.events({ events: names })) {
      const { person, ...others } = { person: undefined, ...facts }
      return { Event, Data: { ...(person ?? {}), ...others } }
    }
    throw new Error('The wrapper has ended the connection.')
  },
}

async function readArgs(words: readonly string[]): Promise<Args | undefined> {
  if (words.length === 1 && words[0] === '-') return (await json(process.stdin)) as Args
  const entries = words.map(word => /^([^=]+)=(.*)$/s.exec(word)?.slice(1))
  return entries.every(entry => entry !== undefined) ? Object.fromEntries(entries) : undefined
}

async function run(name: string, args: Args): Promise<unknown> {
  if (name === 'list') return findWrappers()
  await using wrapper = await connectWrapper({ reconnect: false })
  return await commands[name]?.(wrapper, args)
}

const [name = '', ...words] = process.argv.slice(2)
const args = await readArgs(words).catch(() => undefined)
if ((name !== 'list' && !commands[name]) || !args) {
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  try {
    process.stdout.write(`${JSON.stringify((await run(name, args)) ?? null)}\n`)
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.message : failure}\n`)
    process.exitCode = failure instanceof PipeRefusedError ? 4 : 3
  }
}
