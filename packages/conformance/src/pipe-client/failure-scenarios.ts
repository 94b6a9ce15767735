import frames from '@service-link/vectors/frames.json' with { type: 'json' }
import { temporaryFolder } from '../programs/temporary-folder.ts'
import { NotChecked, type Scenario, type ScenarioContext } from '../scenario.ts'
import { checkFailure } from './check-end.ts'
import { checkMessages } from './check-messages.ts'
import type { PipeClientSubject } from './open-pipe-client.ts'
import { startTap, type TapOptions } from './start-tap.ts'

/** A scenario in which the program must not reach the wrapper. */
async function checkUnreached(
  program: PipeClientSubject,
  { checks, signal }: ScenarioContext,
  options: TapOptions,
  happened: 'no wrapper' | 'no answer',
): Promise<void> {
  // A request that should not have come is answered by the end of the connection.
  await using tap = await startTap({ answer: new Uint8Array(), ...options })
  checkFailure(checks, await program.ask(tap, signal, 'version'), happened)
  const requests = tap.connections.flatMap(connection => connection.requests)
  checks.equal('The number of requests that were sent', requests.length, 0)
}

/** Bytes that end a reply in the wrong way. */
const brokenReplies: readonly Uint8Array[] = [
  ...['0700', '07000000', '07000000332e30'].map(hex => Buffer.from(hex, 'hex')),
  ...frames.vectors
    .filter(({ id }) =>
      ['frame-length-zero', 'frame-length-negative', 'frame-reply-above-limit'].includes(id),
    )
    .map(({ input }) => Buffer.from(input.streamHex, 'hex')),
]

/** What a program does where it gets no result. */
export const failureScenarios: readonly Scenario<PipeClientSubject>[] = [
  {
    id: 'tells-a-refusal',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Tells a refusal with its code, by exit code 4.',
    async run(program, { checks, signal }) {
      await using desk = await program.startWrapper()
      const end = await program.ask(desk.tap, signal, 'openworkout', 'id=99')
      checkFailure(checks, end, 'refused')
      checks.that(end.errors.includes('ERR_NOT_FOUND'), 'Standard error does not name ERR_NOT_FOUND.')
      checkMessages(checks, desk.tap.connections)
    },
  },
  {
    id: 'tells-wrong-arguments',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Refuses a person without a name, or tells that the wrapper did.',
    async run(program, { checks, signal }) {
      await using desk = await program.startWrapper()
      const end = await program.ask(desk.tap, signal, 'selectperson', 'customid=1')
      checkFailure(checks, end, 'wrong arguments')
      checkMessages(checks, desk.tap.connections, { areArgsWrong: true })
      checks.equal('The number of calls that reached the web app', desk.wrapper.calls.length, 0)
    },
  },
  {
    id: 'broken-replies',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Fails when a reply is cut off or has a wrong length.',
    async run(program, { checks, signal }) {
      for (const answer of brokenReplies) {
        await using tap = await startTap({ answer })
        checkFailure(checks, await program.ask(tap, signal, 'version'), 'no answer')
      }
    },
  },
  {
    id: 'unknown-code',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Takes a failure with a code of a later wrapper as a refusal.',
    async run(program, { checks, signal }) {
      const change = (reply: string) => reply.replaceAll('ERR_NOT_FOUND', 'ERR_FROM_THE_FUTURE')
      await using desk = await program.startWrapper({}, { change })
      const end = await program.ask(desk.tap, signal, 'openworkout', 'id=99')
      checkFailure(checks, end, 'refused')
    },
  },
  {
    id: 'no-wrapper',
    spec: 'reference/pipe',
    requirements: ['4.5-name'],
    sentence: 'Says, by exit code 3, that no wrapper runs.',
    async run(program, { checks, signal }) {
      await using folder = await temporaryFolder()
      checkFailure(checks, await program.ask({ userFolder: folder.path }, signal, 'version'), 'no wrapper')
    },
  },
  {
    id: 'unproven',
    spec: 'reference/pipe',
    requirements: ['4.5-name'],
    sentence: 'Sends no request to a process that does not prove to be the wrapper of the record.',
    run: (program, context) => checkUnreached(program, context, { isForeign: true }, 'no answer'),
  },
  {
    id: 'foreign-record',
    spec: 'reference/pipe',
    requirements: ['4.5-name'],
    sentence: 'Does not use a record that other users may have written.',
    async run(program, context) {
      if (process.platform === 'win32') throw new NotChecked('Windows has no such permissions of a file.')
      await checkUnreached(program, context, { mode: 0o622 }, 'no wrapper')
    },
  },
  {
    id: 'limits-its-wait',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Gives up when the wrapper does not answer for 35 seconds.',
    timeoutMs: 60_000,
    async run(program, { checks, signal }) {
      await using tap = await startTap()
      checkFailure(checks, await program.ask(tap, signal, 'version'), 'no answer')
    },
  },
]
