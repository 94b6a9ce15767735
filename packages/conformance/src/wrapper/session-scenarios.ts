import { readdirSync } from 'node:fs'
import { recordEnding, recordFolder } from '@service-link/pipe-client/running'
import { sessionProtocol } from '@service-link/protocol-core'
import { waitFor } from '@service-link/protocol-core/time'
import type { Scenario } from '../scenario.ts'
import { askClassic, openChannel } from './ask.ts'
import { newPerson } from './classic-scenarios.ts'
import type { WrapperSubject } from './open-wrapper.ts'
import { wrongSessionRequests } from './requests.ts'

/** Many requests on one connection, and the end of the wrapper, which comes last. */
export const sessionScenarios: readonly Scenario<WrapperSubject>[] = [
  {
    id: 'hello',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Answers hello with the version of the session mode, its own and its process.',
    async run(wrapper, context) {
      const { record } = await wrapper.running(context.signal)
      using session = await openChannel(wrapper, context)
      const hello = await session.ask('hello')
      context.checks.equal('The protocol', hello?.protocol, sessionProtocol)
      context.checks.equal('The process id', hello?.pid, record.pid)
      context.checks.equal('The version', hello?.version, record.version)
    },
  },
  {
    id: 'many-in-flight',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Answers many requests of one connection, each under its Id.',
    async run(wrapper, context) {
      using session = await openChannel(wrapper, context)
      const ids = new Set(Array.from({ length: 20 }, () => session.send('version')))
      while (ids.size > 0) {
        const message = await session.next()
        const { id } = { id: null, ...message }
        if (message?.type !== 'result' || !ids.delete(Number(id))) {
          context.checks.fail('A reply has the Id of no request, or is none.')
          return
        }
      }
    },
  },
  {
    id: 'events',
    spec: 'reference/pipe',
    requirements: ['4.5-selectperson'],
    sentence: 'Tells a subscriber who came into focus, and shows the same person as its status.',
    async run(wrapper, context) {
      const args = newPerson()
      using session = await openChannel(wrapper, context)
      const subscribed = await session.ask('subscribe', { events: ['personselected'] })
      context.checks.equal('The events', subscribed?.events, ['personselected'])
      const selected = await session.ask('selectperson', args)
      const status = await session.ask('status')
      context.checks.equal('The person of the status', status?.person?.userId, selected?.userId)
      if (session.events.length === 0) {
        const message = await session.next()
        if (message?.type === 'event') session.events.push(message.event)
      }
      context.checks.equal(
        'The events that came',
        session.events.map(({ event }) => event),
        ['personselected'],
      )
    },
  },
  {
    id: 'wrong-session-requests',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Refuses each wrong request of the session vectors with its code, under its Id.',
    async run(wrapper, context) {
      for (const { id, bytes, code, replyId } of wrongSessionRequests) {
        using session = await openChannel(wrapper, context)
        // Chooses the session mode, in which an unreadable request is answered under an Id of null.
        await session.ask('hello')
        session.connection.sendBytes(bytes)
        const message = await session.next()
        const refusal = message?.type === 'failure' ? { id: message.id, code: message.failure.code } : message
        context.checks.equal(`The refusal of ${id}`, refusal, { id: replyId, code })
      }
    },
  },
  {
    id: 'close',
    spec: '4.5',
    requirements: ['4.5-close'],
    sentence: 'Exits when it is asked to, and removes its record.',
    async run(wrapper, context) {
      const { exited } = await wrapper.running(context.signal)
      await askClassic(wrapper, context, 'close')
      await waitFor(exited, context.signal)
      const left = readdirSync(recordFolder(wrapper.userFolder)).filter(name => name.endsWith(recordEnding))
      context.checks.equal('The number of records that are left', left.length, 0)
    },
  },
]
