import type { WrapperClient } from '../../src/index.ts'

/** One method of the client, its request and its result. */
export interface ExampleCall {
  /** Requirement of the specification. */
  readonly id: string
  readonly call: (wrapper: WrapperClient) => Promise<unknown>
  /** The request without its id. */
  readonly sent: object
  /** Answer of the wrapper, if there is one: a JSON value or bare text. */
  readonly answer?: unknown
  readonly result?: unknown
}

/** Calls of both modes of the pipe. */
export const exampleCalls: readonly ExampleCall[] = [
  { id: '4.5-hide', call: wrapper => wrapper.hide(), sent: { Method: 'hide' } },
  { id: '4.5-show', call: wrapper => wrapper.show(), sent: { Method: 'show' } },
  { id: '4.5-close', call: wrapper => wrapper.close(), sent: { Method: 'close' } },
  {
    id: '4.5-close',
    call: wrapper => wrapper.close({ signOut: false, timeoutMs: 30_000 }),
    sent: { Method: 'close', Args: { signout: false } },
  },
  { id: 'design, pipe protocol', call: wrapper => wrapper.log(), sent: { Method: 'log' } },
  {
    id: '4.5-version',
    call: wrapper => wrapper.version(),
    sent: { Method: 'version' },
    answer: '3.0.0.0',
    result: '3.0.0.0',
  },
  {
    id: '4.5-getworkoutsforclient',
    call: wrapper => wrapper.getWorkoutsForClient({ customId: 'A-1', from: '2024-02-29' }),
    sent: { Method: 'getworkoutsforclient', Args: { customid: 'A-1', from: '2024-02-29' } },
    answer: [{ id: 7, name: 'Knee', extra: { kept: true } }],
    result: [{ id: 7, name: 'Knee', extra: { kept: true } }],
  },
  {
    id: '4.5-getworkoutsforclient',
    call: wrapper => wrapper.getWorkoutsForClient({ userId: 12 }),
    sent: { Method: 'getworkoutsforclient', Args: { userid: 12 } },
    answer: [],
    result: [],
  },
  {
    id: '4.5-openworkout',
    call: wrapper => wrapper.openWorkout(17),
    sent: { Method: 'openworkout', Args: { id: 17 } },
  },
  {
    id: '4.5-getlistofusers',
    call: wrapper => wrapper.getListOfUsers(),
    sent: { Method: 'getlistofusers' },
    answer: [{ id: 1 }, { id: 2 }],
    result: [{ id: 1 }, { id: 2 }],
  },
  {
    id: '4.5-getlistofusers',
    call: wrapper => wrapper.getListOfUsers({ customId: 'x' }),
    sent: { Method: 'getlistofusers', Args: { customid: 'x' } },
    answer: [],
    result: [],
  },
  {
    id: '4.5-setcustomid',
    call: wrapper => wrapper.setCustomId({ userId: 3, customId: 'ø' }),
    sent: { Method: 'setcustomid', Args: { userid: 3, customid: 'ø' } },
  },
  {
    id: '4.5-selectperson',
    call: wrapper =>
      wrapper.selectPerson({
        customId: 'A-1',
        source: 'Journal',
        userId: 0,
        firstname: 'Kari',
        lastname: 'Nordmann',
        dateOfBirth: '1980-04-03',
        phoneHome: '1',
        profileData: [{ key: 'weight', value: '80', customkey: 'kept' }],
      }),
    sent: {
      Method: 'selectperson',
      Args: {
        customid: 'A-1',
        source: 'Journal',
        userid: 0,
        firstname: 'Kari',
        lastname: 'Nordmann',
        phonehome: '1',
        dateofbirth: '1980-04-03',
        profiledata: [{ key: 'weight', value: '80', customkey: 'kept' }],
      },
    },
    answer: { status: 'created', userid: 5, customid: 'A-1' },
    result: { status: 'created', userId: 5, customId: 'A-1' },
  },
  {
    id: '4.5-getworkoutsforclient',
    call: wrapper => wrapper.getWorkoutsForClient({ userId: 12, from: '2024-02-29' }),
    sent: { Method: 'getworkoutsforclient', Args: { userid: 12, from: '2024-02-29' } },
    answer: [{ id: 7, own: true }],
    result: [{ id: 7, own: true }],
  },
  {
    id: '4.5-getlistofusers',
    call: wrapper => wrapper.getListOfUsers(),
    sent: { Method: 'getlistofusers' },
    answer: [],
    result: [],
  },
  {
    id: '4.5-selectperson',
    call: wrapper =>
      wrapper.selectPerson({ customId: 'A', firstname: 'Kari', lastname: 'Nordmann', source: 'J' }),
    sent: {
      Method: 'selectperson',
      Args: { customid: 'A', firstname: 'Kari', lastname: 'Nordmann', source: 'J' },
    },
    answer: { status: 'created', userid: 5, customid: 'A' },
    result: { status: 'created', userId: 5, customId: 'A' },
  },
]
