import { ConnectedWrapper } from '../../packages/pipe-client/src/client/connected-wrapper.ts'
import { Reconnection } from '../../packages/pipe-client/src/client/reconnection.ts'
import {
  connectWrapper,
  findWrappers,
  launchWrapper,
  locateWrapper,
} from '../../packages/pipe-client/src/index.ts'
import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import {
  type Argument,
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testPublicFunctions,
  texts,
} from '../support/public-arguments.ts'

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
const callOptions: Argument = {
  parameter: 'options',
  right: {},
  takes: optionalObject,
  members: { timeoutMs: optionalNumber, signal: optional },
}
const brand = { ...defaultBrand, pipePrefix: 'none-of-this-name' }
const brandMembers = { brand: optional, signal: optional, timeoutMs: optionalNumber } as const
const environment = { HOME: '/nonexistent' }

testPublicFunctions([
  {
    name: 'connectWrapper',
    call: connectWrapper,
    args: [
      {
        parameter: 'options',
        right: { brand, timeoutMs: 1000 },
        takes: optionalObject,
        members: {
          ...brandMembers,
          pid: optionalNumber,
          mode: optional,
          reconnect: optional,
          maxInFlight: optionalNumber,
          source: optionalText,
          startIfNeeded: optional,
          onWarning: optional,
        },
      },
    ],
    ends: 'ERR_PIPE_NOT_FOUND',
  },
  {
    name: 'findWrappers',
    call: findWrappers,
    args: [
      {
        parameter: 'options',
        right: { brand },
        takes: optionalObject,
        members: brandMembers,
      },
    ],
  },
  {
    name: 'launchWrapper',
    call: launchWrapper,
    args: [
      { parameter: 'args', right: [] },
      {
        parameter: 'options',
        right: { brand, environment },
        // The first two would look for an installed wrapper.
        takes: optionalObject,
        members: { ...brandMembers, environment: optionalObject },
      },
    ],
    ends: 'ERR_PIPE_NOT_INSTALLED',
  },
  {
    name: 'locateWrapper',
    call: locateWrapper,
    args: [
      {
        parameter: 'options',
        right: { brand, environment },
        takes: optionalObject,
        members: { brand: optional, environment: optionalObject },
      },
    ],
    ends: 'ERR_PIPE_NOT_INSTALLED',
  },
  ...(['hide', 'show', 'version', 'close', 'status'] as const).map(name => ({
    name: `WrapperClient.${name}`,
    call: client[name].bind(client),
    args: [callOptions],
  })),
  {
    name: 'WrapperClient.getWorkoutsForClient',
    call: client.getWorkoutsForClient.bind(client),
    args: [
      {
        parameter: 'query',
        right: { customId: '1' },
        takes: ['an empty object'],
        members: {
          customId: optionalText,
          userId: optionalNumber,
          from: optionalText,
        },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.openWorkout',
    call: client.openWorkout.bind(client),
    args: [{ parameter: 'id', right: 1, takes: ['number'] }, callOptions],
  },
  {
    name: 'WrapperClient.getListOfUsers',
    call: client.getListOfUsers.bind(client),
    args: [
      {
        parameter: 'query',
        right: {},
        takes: optionalObject,
        members: { customId: optionalText },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.setCustomId',
    call: client.setCustomId.bind(client),
    args: [
      {
        parameter: 'change',
        right: { userId: 1, customId: '1' },
        members: { userId: ['number'], customId: texts },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.selectPerson',
    call: client.selectPerson.bind(client),
    args: [
      {
        parameter: 'person',
        right: { customId: '1', firstname: 'Kari', lastname: 'Nordmann' },
        members: {
          customId: optionalText,
          userId: optionalNumber,
          firstname: texts,
          lastname: texts,
          dateOfBirth: optional,
        },
      },
      callOptions,
    ],
  },
  ...(['queryExercises', 'queryWorkouts'] as const).map(name => ({
    name: `WrapperClient.${name}`,
    call: client[name].bind(client),
    args: [{ parameter: 'text', right: 'low back', takes: texts }, callOptions],
  })),
  {
    name: 'WrapperClient.events',
    call: client.events.bind(client),
    args: [
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: { events: optional, signal: optional, maxQueued: optionalNumber },
      },
    ],
  },
])
