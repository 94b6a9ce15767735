import { parseCommandLine } from '@service-link/cli-args'
import { ClosingError } from '@service-link/protocol-core'
import type { EngineWindow } from '@service-link/window-engine'
import { describe, expect, test, vi } from 'vitest'
import { CommandRunner } from '../command/command-runner.ts'
import type { Bridge } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { XmlFileError } from './launch-file.ts'
import { LauncherGoneError } from './launch-offers.ts'
import { LaunchQueue, type LaunchQueueOptions } from './launch-queue.ts'
import type { Provider } from './provider.ts'

/** A queue of one provider, whose launches run at once. */
function queueOf(provide: Provider['provide'], options: Partial<LaunchQueueOptions> = {}) {
  const window: Pick<EngineWindow, 'show'> = { show: async () => undefined }
  const bridge: Pick<Bridge, 'state'> = { state: { isLoaded: true, isSignedIn: true } }
  const signIn = { isSignedIn: true, on: () => () => undefined }
  const opened = Promise.resolve({ window, bridge, signIn } as unknown as HostedWindow)
  const runner = new CommandRunner({ opened, version: '3.0.0.0', requestClose: () => undefined })
  const providers = { choose: async () => ({ provider: { provide }, isOwn: true }) }
  const queue = new LaunchQueue({
    runner,
    providers,
    ssoUrl: 'https://sso.example',
    culture: 'en',
    ...options,
  })
  return { queue, runner }
}

const launch = (id: string, ...argv: string[]) => ({ id, argv, workingDirectory: '/' })

describe('LaunchQueue', () => {
  test.each<[string, string, string, string]>([
    ['that is no signed JWT', 'a.b', 'https://sso.example', 'ERR_PAYLOAD_MALFORMED'],
    ['for an address that anybody may listen to', 'a.b.c', 'http://sso.example', 'ERR_SSO_URL'],
  ])('a payload %s is refused from any provider', async (_title, payload, ssoUrl, code) => {
    const { queue } = queueOf(async () => ({ payload, commands: [] }), { ssoUrl })
    await expect(queue.take(launch('a'))).rejects.toMatchObject({ code })
  })

  test('words are for custom providers; built-in ones take them for values without quotes', async () => {
    const words: (readonly string[])[] = []
    const provide: Provider['provide'] = async ({ arguments: args }) => {
      words.push(args.words)
      return { commands: [] }
    }
    await queueOf(provide).queue.take(launch('a', 'acme://open'))
    const builtIn = { choose: async () => ({ provider: { provide }, isOwn: false }) }
    const refused = queueOf(provide, { providers: builtIn }).queue.take(launch('a', 'acme://open'))
    await expect(refused).rejects.toMatchObject({ code: 'ERR_ARGS' })
    expect(words).toEqual([['acme://open']])
  })

  test('the notice and the log say how a culture read a date, without the date', async () => {
    const told: unknown[] = []
    const provide: Provider['provide'] = async ({ arguments: args, culture, onNoted }) => {
      parseCommandLine(args, { culture, onNoted })
      return { commands: [] }
    }
    const { queue } = queueOf(provide, { culture: 'nb-NO', report: event => told.push(event) })
    const person = ['id=1', 'firstname=Kari', 'lastname=Nordmann']
    const noticeOf = async (id: string, date: string) => {
      const { notice, completed } = await queue.take(launch(id, ...person, `dateofbirth=${date}`))
      expect((await completed).notice).toBe(notice)
      return notice
    }
    expect(await noticeOf('a', '03.04.1980')).toBe(
      'dateofbirth was read as DD.MM.YYYY, the order of the culture nb-NO; write YYYY-MM-DD, which needs none.',
    )
    expect(told).toContainEqual({
      type: 'field-noted',
      source: 'command line',
      field: 'dateofbirth',
      problem: 'was read as DD.MM.YYYY, the order of the culture nb-NO; write YYYY-MM-DD, which needs none',
    })
    for (const date of ['1980-04-03', '1980/4/3', '13.04.1980'])
      expect(await noticeOf(`b${date.length}`, date)).toBeUndefined()
    expect(JSON.stringify(told)).not.toContain('1980')
  })

  test('the notice says which arguments no built-in provider reads, and if nothing is left', async () => {
    const noticeOf = async (isOwn: boolean, ...argv: string[]) => {
      const provide: Provider['provide'] = async ({ arguments: args, onDropped }) => ({
        commands: parseCommandLine(args, { onDropped }),
      })
      const choose = async () => ({ provider: { provide }, isOwn })
      const { queue } = queueOf(provide, { providers: { choose } })
      return (await queue.take(launch('a', ...argv))).notice
    }
    expect(await noticeOf(false, '--id=4711')).toBe(
      '--id=… was ignored; write id=…. Nothing is selected, searched or opened.',
    )
    expect(await noticeOf(false, '--wait', 'queryexercises=knee')).toBe(
      '--wait was ignored; write wait=true.',
    )
    expect(await noticeOf(false, 'patient=4711')).toMatch(/did you mean id=…\? Nothing is selected/)
    expect(await noticeOf(false, 'openworkout=0')).toMatch(
      /^openworkout was left out: it is no workout.* Nothing is selected, searched or opened\.$/,
    )
    expect(await noticeOf(false, 'tab=patients')).toBeUndefined()
    expect(await noticeOf(true, '--id=4711')).toBeUndefined()
  })

  test('without a culture of the settings, a provider gets the machine’s', async () => {
    const given: (string | undefined)[] = []
    const provide: Provider['provide'] = async ({ culture }) => {
      given.push(culture)
      return { commands: [] }
    }
    vi.stubEnv('LC_ALL', 'nb_NO.UTF-8')
    await queueOf(provide, { culture: undefined }).queue.take(launch('a'))
    vi.unstubAllEnvs()
    expect(given).toEqual(['nb-NO'])
  })

  test('a launch is refused once the wrapper closes, so that the next wrapper may take it', async () => {
    const { queue, runner } = queueOf(async () => ({ commands: [] }))
    runner.close()
    await expect(queue.take(launch('a'))).rejects.toMatchObject({ code: 'ERR_CLOSING' })
  })

  test('an endless clean-up of a provider does not delay its launch', async () => {
    const told: unknown[] = []
    const { queue } = queueOf(async () => ({ commands: [], taken: () => new Promise(() => undefined) }), {
      providerTimeoutMs: 20,
      report: event => told.push(event),
    })
    await (await queue.take(launch('a'))).completed
    expect(told).toContainEqual({ type: 'launch-leftover', launchId: 'a', code: 'ERR_PROVIDER_TIMEOUT' })
  })

  test.each(['provider', 'module that never finishes loading'])(
    'a %s without an answer is given up, and later launches keep their order',
    async what => {
      const order: string[] = []
      const signals: (AbortSignal | undefined)[] = []
      const never = () => new Promise<never>(() => undefined)
      const provide: Provider['provide'] = ({ launch: { id }, signal }) => {
        signals.push(signal)
        return id === 'stuck' ? never() : Promise.resolve({ commands: [] })
      }
      let chosen = 0
      const choose = () =>
        what !== 'provider' && ++chosen === 2
          ? never()
          : Promise.resolve({ provider: { provide }, isOwn: true })
      const { queue } = queueOf(provide, { providerTimeoutMs: 20, providers: { choose } })
      const take = (id: string) =>
        queue.take(launch(id)).then(
          () => order.push(`${id} taken`),
          error => order.push(`${id} ${error.code}`),
        )
      await Promise.all(['a', 'stuck', 'b', 'c'].map(take))
      expect(order).toEqual(['a taken', 'stuck ERR_PROVIDER_TIMEOUT', 'b taken', 'c taken'])
      const aborted = signals.map(signal => signal?.aborted)
      expect(aborted).toEqual(what === 'provider' ? [false, true, false, false] : [false, false, false])
    },
  )

  test('a working provider is given up when the wrapper closes', async () => {
    const closing = new AbortController()
    const begun = Promise.withResolvers<AbortSignal | undefined>()
    const { queue } = queueOf(
      ({ signal }) => {
        begun.resolve(signal)
        return new Promise(() => undefined)
      },
      { signal: closing.signal },
    )
    const taking = queue.take(launch('a'))
    const signal = await begun.promise
    closing.abort(new ClosingError())
    await expect(taking).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    expect(signal?.aborted).toBe(true)
  })

  test.each<[string, Error, string | undefined, string]>([
    ['reported', new XmlFileError('/a.xml', 'stays'), 'The XML file /a.xml stays.', 'a ERR_XML_FILE'],
    ['an own provider’s words aside', new Error('Secret'), undefined, 'a ERR_INTERNAL'],
  ])(
    'a finished launch is completed even when its file cannot be deleted, %s',
    async (_title, error, notice, leftover) => {
      const told: string[] = []
      const { queue } = queueOf(async () => ({ commands: [], taken: () => Promise.reject(error) }), {
        report: event => {
          if (event.type === 'launch-failed') told.push(`${event.launchId} failed`)
          if (event.type === 'launch-leftover') told.push(`${event.launchId} ${event.code}`)
        },
      })
      const ticket = await queue.take(launch('a', 'wait=true'))
      expect((await ticket.completed).notice).toBe(notice)
      expect(told).toEqual([leftover])
    },
  )

  test('a launch begins after its process’s answer, keeps its turn until then, and is dropped without it', async () => {
    const failed: string[] = []
    const { queue } = queueOf(async () => ({ commands: [] }), {
      report: event => event.type === 'launch-failed' && failed.push(`${event.launchId} ${event.code}`),
    })
    const ends: string[] = []
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const tickets = await Promise.all([
      queue.take(launch('gone'), answers[0]?.promise),
      queue.take(launch('told'), answers[1]?.promise),
      queue.take(launch('after')),
    ])
    for (const [index, { completed }] of tickets.entries())
      completed.then(
        () => ends.push(`${index} done`),
        () => ends.push(`${index} dropped`),
      )
    await new Promise(resolve => setImmediate(resolve))
    expect(ends).toEqual([])
    answers[0]?.reject(new LauncherGoneError())
    answers[1]?.resolve()
    await tickets[2].completed
    expect(ends).toEqual(['0 dropped', '1 done', '2 done'])
    expect(failed).toEqual(['gone ERR_LAUNCHER_GONE'])
  })
})
