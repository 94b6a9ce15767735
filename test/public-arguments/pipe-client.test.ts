import { ConnectedWrapper } from '../../packages/pipe-client/src/client/connected-wrapper.ts'
import { Reconnection } from '../../packages/pipe-client/src/client/reconnection.ts'
import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import { testPublicFunctions } from '../support/public-arguments.ts'

/** A client whose wrapper answers every call with nothing. */
const client = new ConnectedWrapper(
  new Reconnection(
    {
      mode: 'classic',
      wrapper: { pid: 1, address: '' },
      isOpen: true,
      request: async () => Object(undefined),
      openEvents: () => ({ next: async () => ({ done: true, value: undefined }) }),
      close: async () => undefined,
    },
    undefined,
  ),
  1000,
)
const brand = { ...defaultBrand, pipePrefix: 'none-of-this-name' }
const environment = { HOME: '/nonexistent' }
const ofCalls = { 'options?': [{}, '{ timeoutMs?: milliseconds, signal? }'] } as const
const person = { customId: '1', firstname: 'Kari', lastname: 'Nordmann' }

/** The first argument of each method of a client; after it come the options of a call. */
const methods = {
  hide: {},
  show: {},
  version: {},
  close: {},
  status: {},
  getWorkoutsForClient: { query: [{ customId: '1' }, '{ customId?: text, userId?: number, from?: text }'] },
  openWorkout: { id: [1, 'number'] },
  getListOfUsers: { 'query?': [{}, '{ customId?: text }'] },
  setCustomId: { change: [{ userId: 1, customId: '1' }, '{ userId: number, customId: text }'] },
  clearPerson: { 'person?': [{}, '{ customId?: text, userId?: number }'] },
  signOut: {},
  queryExercises: { text: ['low back', 'text'] },
  queryWorkouts: { text: ['low back', 'text'] },
} as const

await testPublicFunctions(
  'pipe-client',
  {
    connectWrapper: {
      takes: {
        'options?': [
          { brand, timeoutMs: 1000 },
          '{ brand?, signal?, timeoutMs?: milliseconds, pid?: count, mode?, reconnect?, source?: text, startIfNeeded?, onWarning? }',
        ],
      },
      ends: 'ERR_PIPE_NOT_FOUND',
    },
    findWrappers: { takes: { 'options?': [{ brand }, '{ brand?, signal?, timeoutMs?: milliseconds }'] } },
    launchWrapper: {
      takes: {
        args: [[], 'other'],
        'options?': [
          { brand, environment },
          '{ brand?, signal?, timeoutMs?: milliseconds, environment?: object }',
        ],
      },
      ends: 'ERR_PIPE_NOT_INSTALLED',
    },
    locateWrapper: {
      takes: { 'options?': [{ brand, environment }, '{ brand?, environment?: object }'] },
      ends: 'ERR_PIPE_NOT_INSTALLED',
    },
    ...Object.fromEntries(
      Object.entries(methods).map(([name, first]) => [
        `WrapperClient.${name}`,
        { call: client[name as keyof typeof methods].bind(client), takes: { ...first, ...ofCalls } },
      ]),
    ),
    'WrapperClient.selectPerson': {
      call: client.selectPerson.bind(client),
      takes: {
        person: [
          person,
          '{ customId?: text, userId?: number, firstname: text, lastname: text, dateOfBirth? }',
        ],
        'options?': [{}, '{ timeoutMs?: milliseconds, signal?, receipt? }'],
      },
    },
    'WrapperClient.events': {
      call: client.events.bind(client),
      takes: { 'options?': [{}, '{ events?, signal?, maxQueued?: count }'] },
    },
  },
  `connectProven grantForeground isAlive isPrivateFolder isThisUsers isThisUsersAlone listWrapperRecords ownDesktop
  ownUserFolder readRecords readWrapperRecord recordFolder`,
)
