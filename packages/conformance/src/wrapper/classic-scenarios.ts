import { randomUUID } from 'node:crypto'
import {
  compareVersions,
  encodeFrame,
  minimumPipeVersion,
  parseVersion,
  readClassicReply,
  writeClassicRequest,
} from '@service-link/protocol-core'
import type { Scenario, ScenarioContext } from '../scenario.ts'
import { askClassic, askWrongly } from './ask.ts'
import type { WrapperSubject } from './open-wrapper.ts'
import { goodClassicRequests, wrongClassicRequests, wrongStreams } from './requests.ts'

type WrapperScenario = Scenario<WrapperSubject>

/** A person whom no other scenario has. */
export const newPerson = () => ({
  customid: `conformance-${randomUUID()}`,
  firstname: 'Kåre 漢字 😀',
  lastname: 'Ødegård',
})

/** Selects a person, and returns who was selected. */
async function select(wrapper: WrapperSubject, context: ScenarioContext, args: object) {
  return (await askClassic(wrapper, context, 'selectperson', { ...args }))?.result
}

const withoutReply = (id: 'hide' | 'show', sentence: string): WrapperScenario => ({
  id,
  spec: '4.5',
  requirements: [`4.5-${id}`],
  sentence,
  async run(wrapper, context) {
    const reply = await askClassic(wrapper, context, id)
    context.checks.that(reply?.hasReply === false, `${id} has a reply.`)
  },
})

/** Requests as programs in the field send them: one a connection. */
export const classicScenarios: readonly WrapperScenario[] = [
  {
    id: 'record',
    spec: 'reference/pipe',
    requirements: ['8-minimum-version', '9-version-parts'],
    sentence:
      'Publishes a record for its user alone, with its version in four parts, and proves that it holds the key.',
    async run(wrapper, { checks, signal }) {
      const { record } = await wrapper.running(signal)
      const version = checks.message('The version of the record', () => parseVersion(record.version))
      if (version)
        checks.that(
          compareVersions(version, minimumPipeVersion) >= 0,
          'The version is older than the minimum.',
        )
      const connection = await wrapper.connect(signal)
      connection[Symbol.dispose]()
    },
  },
  {
    id: 'pipe-name',
    spec: '4.5',
    requirements: ['4.5-name'],
    sentence: 'Answers at the pipe with its process id in the name.',
    async run(wrapper, { checks, signal }) {
      using connection = await wrapper.connectByName(signal)
      connection.send(writeClassicRequest('version'))
      const body = await connection.next(signal)
      checks.message('The reply to version', () => readClassicReply('version', body))
    },
  },
  {
    id: 'version',
    spec: '4.5',
    requirements: ['4.5-version', '4.5-envelope', '9-version-parts'],
    sentence: 'Answers the version of its record as bare text, and ends the connection.',
    async run(wrapper, context) {
      const { record } = await wrapper.running(context.signal)
      const reply = await askClassic(wrapper, context, 'version')
      context.checks.equal('The version', reply?.result, record.version)
    },
  },
  withoutReply('hide', 'Hides its window without a reply.'),
  withoutReply('show', 'Shows its window without a reply.'),
  {
    id: 'selectperson',
    spec: '4.5',
    requirements: ['4.5-selectperson', '2.3-custom-id'],
    sentence: 'Creates a person, and then selects the same one.',
    async run(wrapper, context) {
      const args = newPerson()
      const created = await select(wrapper, context, args)
      const again = await select(wrapper, context, args)
      context.checks.equal('The first status', created?.status, 'created')
      context.checks.equal('The second status', again?.status, 'selected')
      context.checks.equal('The second userid', again?.userId, created?.userId)
      context.checks.equal('The customid', created?.customId, args.customid)
    },
  },
  {
    id: 'selectperson-id',
    spec: '4.5',
    requirements: ['4.5-selectperson-id', '4.5-gender', '4.5-userid-new'],
    sentence: 'Reads id as customid, M as a gender, and userid 0 as a new user.',
    async run(wrapper, context) {
      const { customid, ...names } = newPerson()
      const created = await select(wrapper, context, { id: customid, userid: '0', gender: 'M', ...names })
      context.checks.equal('The status', created?.status, 'created')
      context.checks.equal('The customid', created?.customId, customid)
    },
  },
  {
    id: 'getlistofusers',
    spec: '4.5',
    requirements: ['4.5-getlistofusers'],
    sentence: 'Lists the users with a customid, under the names that programs in the field read.',
    async run(wrapper, context) {
      const args = newPerson()
      const created = await select(wrapper, context, args)
      const list = (await askClassic(wrapper, context, 'getlistofusers', { customid: args.customid }))?.result
      const found = list?.map(({ id, customId, firstname }) => ({ id, customId, firstname }))
      const { customid: customId, firstname } = args
      context.checks.equal('The users', found, [{ id: created?.userId, customId, firstname }])
    },
  },
  {
    id: 'setcustomid',
    spec: '4.5',
    requirements: ['4.5-setcustomid'],
    sentence: 'Sets the customid of a user without a reply.',
    async run(wrapper, context) {
      const created = await select(wrapper, context, newPerson())
      const { customid } = newPerson()
      await askClassic(wrapper, context, 'setcustomid', { userid: created?.userId, customid })
      const list = (await askClassic(wrapper, context, 'getlistofusers', { customid }))?.result
      context.checks.equal(
        'The ids with the new customid',
        list?.map(({ id }) => id),
        [created?.userId],
      )
    },
  },
  {
    id: 'getworkoutsforclient',
    spec: '4.5',
    requirements: ['4.5-getworkoutsforclient'],
    sentence: 'Lists workouts, and none that is newer than a day to come.',
    async run(wrapper, context) {
      const { customid, ...names } = newPerson()
      await select(wrapper, context, { customid, ...names })
      await askClassic(wrapper, context, 'getworkoutsforclient', { customid })
      const later = await askClassic(wrapper, context, 'getworkoutsforclient', {
        customid,
        from: '2099-01-01',
      })
      context.checks.equal('The workouts', later?.result, [])
    },
  },
  {
    id: 'openworkout-unknown',
    spec: '4.5',
    requirements: ['4.5-openworkout'],
    sentence: 'Refuses a workout that does not exist.',
    async run(wrapper, context) {
      const code = await askWrongly(
        wrapper,
        context,
        encodeFrame(writeClassicRequest('openworkout', { id: 987654321 })),
      )
      context.checks.equal('The code', code, 'ERR_NOT_FOUND')
    },
  },
  {
    id: 'single-bytes',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Reads a request that arrives in single bytes.',
    async run(wrapper, { checks, signal }) {
      using connection = await wrapper.connect(signal)
      for (const byte of encodeFrame(writeClassicRequest('version')))
        connection.sendBytes(Uint8Array.of(byte))
      const body = await connection.next(signal)
      checks.message('The reply to version', () => readClassicReply('version', body))
    },
  },
  {
    id: 'wrong-frames',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Ends a connection whose bytes are no frame, and says so.',
    async run(wrapper, context) {
      for (const { id, bytes, code } of wrongStreams)
        context.checks.equal(`The code for ${id}`, await askWrongly(wrapper, context, bytes), code)
    },
  },
  {
    id: 'older-programs',
    spec: '4.5',
    requirements: ['4.5-older-programs', '4.5-envelope'],
    sentence: 'Takes each classic request of the vectors, also those of programs in the field.',
    async run(wrapper, { checks, signal }) {
      for (const { id, bytes, name } of goodClassicRequests) {
        using connection = await wrapper.connect(signal)
        connection.sendBytes(bytes)
        const body = await connection.next(signal)
        const reply = checks.message(`The reply to ${id}`, () => readClassicReply(name, body))
        // Whether the user or the workout exists is the web app's to say.
        const code = reply?.isFailure ? reply.failure.code : 'ERR_NOT_FOUND'
        checks.equal(`The refusal of ${id}`, code, 'ERR_NOT_FOUND')
      }
    },
  },
  {
    id: 'wrong-classic-requests',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Refuses each wrong classic request of the vectors with its code.',
    async run(wrapper, context) {
      for (const { id, bytes, code } of wrongClassicRequests)
        context.checks.equal(`The code for ${id}`, await askWrongly(wrapper, context, bytes), code)
    },
  },
]
