import { describe, expect, test } from 'vitest'
import { request } from './_pipe.ts'
import { figuresOf, type ProcessFigures } from './_process-figures.ts'
import { hasBrowser } from './_window-browser.ts'
import { browserProcesses, canListProcesses, killRenderers } from './_window-processes.ts'
import { reloadingWorkout, wrapperExecutable } from './_wrapper-executable.ts'

/** A day of a busy desk: 200 rounds of 100 commands and a hide and a show, with a reload in every fourth and a crash in every tenth. */
const rounds = 200
const commandsARound = 100
/** From here on nothing grows any more: caches are warm, the first pages have been replaced. */
const warmRounds = 40

const person = (id: string) => ({ customid: id, firstname: 'A', lastname: 'B', dateofbirth: '1980-02-03' })

describe.skipIf(!hasBrowser || !canListProcesses)('a wrapper through a long day', () => {
  test('holds no more memory and handles at its end than when it was warm', async () => {
    await using wrapper = await wrapperExecutable()
    const appears = wrapper.pipeAppears()
    const { child, isWrapper } = wrapper.start()
    await isWrapper
    const pipe = await appears
    const send = async (Method: string, Args: object = {}) => (await request(pipe, { Method, Args }))[0]
    const figures = async () => ({
      wrapper: await figuresOf([child.pid ?? 0]),
      browser: await figuresOf((await browserProcesses(wrapper.profileFolder)).map(({ pid }) => pid)),
    })
    let answered = 0

    /** Commands that were under way when the page went are refused, and asked again by their caller. */
    async function command(name: string, args: object): Promise<void> {
      for (;;) {
        const answer = await send(name, args)
        if (answer?.includes('ERR_WEB_APP')) continue
        expect(answer ?? '').not.toContain('"error"')
        answered++
        return
      }
    }

    async function round(index: number): Promise<void> {
      for (let number = 0; number < commandsARound; number += 5) {
        await Promise.all([
          command('version', {}),
          command('selectperson', person(`p${number}`)),
          command('getlistofusers', {}),
          command('getworkoutsforclient', { customid: `p${number}` }),
          command('setcustomid', { userid: 1, customid: 'other' }),
        ])
      }
      await send('hide')
      await send('show')
      if (index % 4 === 3) await command('openworkout', { id: reloadingWorkout })
      if (index % 10 === 9) await killRenderers(wrapper.profileFolder)
    }

    let warm: { wrapper: ProcessFigures; browser: ProcessFigures } | undefined
    for (let index = 0; index < rounds; index++) {
      await round(index)
      wrapper.calls.length = 0
      if (index === warmRounds - 1) warm = await figures()
    }
    await command('getlistofusers', {})
    const end = await figures()
    console.info(`After ${answered} commands:`, JSON.stringify({ warm, end }))
    expect(answered).toBeGreaterThanOrEqual(rounds * commandsARound)
    expect(child.exitCode).toBeNull()
    // One more than were open when it was warm is no leak: a connection or two may be on its way.
    expect(end.wrapper.handles).toBeLessThanOrEqual((warm?.wrapper.handles ?? 0) + 5)
    expect(end.wrapper.memoryMiB).toBeLessThanOrEqual((warm?.wrapper.memoryMiB ?? 0) * 1.3)
    expect(end.browser.processes).toBeLessThanOrEqual((warm?.browser.processes ?? 0) + 1)
    expect(end.browser.handles).toBeLessThanOrEqual((warm?.browser.handles ?? 0) * 1.2)
    expect(end.browser.memoryMiB).toBeLessThanOrEqual((warm?.browser.memoryMiB ?? 0) * 1.3)
  }, 900_000)
})
