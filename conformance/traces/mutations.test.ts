import { afterEach, expect, test, vi } from 'vitest'
import type { SelectPersonReply, SessionStatus } from '../../packages/protocol-core/src/index.ts'
import { SessionTies } from '../../packages/wrapper-host/src/command/admission.ts'
import { CommandRunner } from '../../packages/wrapper-host/src/command/command-runner.ts'
import { Bridge } from '../../packages/wrapper-host/src/web-app/bridge.ts'
import { PageGoneError } from '../../packages/wrapper-host/src/web-app/read-page.ts'
import { StatusKeeper } from '../../packages/wrapper-host/src/web-app/status-keeper.ts'
import type { Wish } from '../model/state.ts'
import { playTrace } from './run-traces.ts'
import { busy, choose, click, type Desktop, goOn, reload, signIn, signOut } from './steps.ts'
import type { PageFaults } from './traced-page.ts'

const selectA: Wish = { does: 'select', person: 'A' }
const selectB: Wish = { does: 'select', person: 'B' }
const launchA: Wish = { ...selectA, isLaunch: true }

/** Faults of real parts, and for each a short trace that shows it. */
const mutations: readonly (readonly [
  name: string,
  trace: readonly Desktop[],
  mutate: () => PageFaults | undefined,
])[] = [
  [
    'an earlier selection is not superseded',
    [click(selectA, 0), click(selectB, 1)],
    () => {
      vi.spyOn(SessionTies.prototype, 'supersede').mockImplementation(() => undefined)
      return undefined
    },
  ],
  [
    'an end gives way to a later selection, which is refused',
    [
      ...[signIn(), choose('A'), click(selectB, 0), click({ does: 'clear' }, 0), click(selectB, 1)],
      ...[goOn(), goOn(false, true)],
    ],
    () => {
      const { add } = SessionTies.prototype
      vi.spyOn(SessionTies.prototype, 'add').mockImplementation(function (this: SessionTies, work) {
        return add.call(this, { ...work, focus: work.focus && { ...work.focus, isEnd: false } })
      })
      return undefined
    },
  ],
  [
    'work of a user is done for the next one',
    [signIn(), click(selectA, 0), signOut()],
    () => {
      vi.spyOn(SessionTies.prototype, 'follow').mockImplementation(() => undefined)
      return undefined
    },
  ],
  [
    'a lost call is repeated although its page has told of a change of focus',
    [signIn(), click(launchA, 0), goOn(), reload()],
    () => {
      const { run } = Bridge.prototype
      vi.spyOn(Bridge.prototype, 'run').mockImplementation(async function (
        this: Bridge,
        ...args: Parameters<typeof run>
      ) {
        try {
          return await run.apply(this, args)
        } catch (error) {
          throw String(error).includes('after the focus had changed') ? new PageGoneError('') : error
        }
      } as typeof run)
      return undefined
    },
  ],
  [
    'success is told before the page has drawn',
    [signIn(), click(selectA, 0)],
    () => {
      const { run } = Bridge.prototype
      vi.spyOn(Bridge.prototype, 'run').mockImplementation(async function (
        this: Bridge,
        ...args: Parameters<typeof run>
      ) {
        run.apply(this, args).catch(() => undefined)
        const [{ args: person }] = args
        return { status: 'selected', userId: 1, ...person }
      } as typeof run)
      vi.spyOn(StatusKeeper.prototype, 'noteCarriedOut').mockImplementation((_command, result) => result)
      return undefined
    },
  ],
  [
    'success is told although somebody else is in focus',
    [signIn(), click(selectA, 0), goOn(), choose('B'), goOn()],
    () => {
      const { noteCarriedOut } = StatusKeeper.prototype
      vi.spyOn(StatusKeeper.prototype, 'noteCarriedOut').mockImplementation(function (
        this: StatusKeeper,
        ...args
      ) {
        try {
          return noteCarriedOut.apply(this, args)
        } catch {
          return { ...(args[1] as SelectPersonReply), focusNumber: this.status().focusNumber ?? 0 }
        }
      })
      return undefined
    },
  ],
  [
    'the person stays in focus when the user signs out',
    [signIn(), choose('A'), signOut()],
    () => {
      const { status } = StatusKeeper.prototype
      const last = new WeakMap<StatusKeeper, SessionStatus['person']>()
      vi.spyOn(StatusKeeper.prototype, 'status').mockImplementation(function (this: StatusKeeper) {
        const now = status.call(this)
        if (now.signedin) last.set(this, now.person)
        return { ...now, person: last.get(this) ?? null }
      })
      return undefined
    },
  ],
  [
    'a launch is carried out twice',
    [signIn(), click(launchA, 0), goOn(), goOn()],
    () => {
      const { runLaunch } = CommandRunner.prototype
      vi.spyOn(CommandRunner.prototype, 'runLaunch').mockImplementation(async function (
        this: CommandRunner,
        launch,
        answered,
      ) {
        const number = await runLaunch.call(this, launch, answered)
        runLaunch.call(this, launch).catch(() => undefined)
        return number
      })
      return undefined
    },
  ],
  [
    'the page carries out a call of the user before',
    [signIn(), busy(), click(selectA, 0, true), signOut(true), signIn()],
    () => ({ servesFormerUser: true }),
  ],
  [
    'the page keeps the person when its user signs out',
    [signIn(), choose('A'), signOut()],
    () => ({ keepsPerson: true }),
  ],
]

afterEach(() => void vi.restoreAllMocks())

test.for(mutations)('a trace finds: %s', async ([, trace, mutate]) => {
  await playTrace(trace)
  await expect(playTrace(trace, mutate())).rejects.toThrow('The wrapper differs')
})
