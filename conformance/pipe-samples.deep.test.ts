import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgramEnd, partnerLanguages, run } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'
import { eventually } from '../internal/test-kit/src/waits.ts'
import { startTestWrapper, type TestWrapper } from '../packages/wrapper-host/src/testing/index.ts'

const everyScript = 'Kåre "Æ" \\ Ødegård 漢字 😀 </script>'
const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }

/** What the conformance runner does not ask: one command, and its result on standard output. */
const answered: readonly [words: readonly string[], result: unknown][] = [
  [['hello'], { version: '3.1.4.1', pid: process.pid }],
  [['clearperson', 'customid=4711'], null],
]

/** Names in lower case, for members at any depth. */
const foldNames = (json: string): unknown =>
  JSON.parse(json, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
      : value,
  )

for (const { name, leftOut, buildPipe } of partnerLanguages) {
  describe.skipIf(leftOut !== undefined)(`the pipe in ${name}${leftOut ?? ''}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let wrapper: TestWrapper
    let words: Awaited<ReturnType<typeof buildPipe>>
    const ask = (args: readonly string[], input?: string): Promise<ProgramEnd> => {
      const [command, ...before] = words
      const env = { LC_ALL: 'C.UTF-8', WAYLAND_DISPLAY: '', SERVICE_WRAPPER_DATA: wrapper.folders.userFolder }
      return run(command, [...before, ...args], { ...process.env, ...env }, input)
    }

    beforeAll(async () => {
      folder = await temporaryFolder()
      words = await buildPipe(folder.path)
      wrapper = await startTestWrapper({ version: '3.1.4.1' })
    })
    afterAll(async () => {
      await wrapper?.close()
      await folder?.[Symbol.asyncDispose]()
    })

    test.each(answered)('%j prints its result', async (args, result) => {
      const { output, ...end } = await ask(args)
      expect(end).toEqual({ exitCode: 0, errors: '' })
      const found = foldNames(output)
      if (result === null || typeof result !== 'object') expect(found).toBe(result)
      else expect(found).toMatchObject(result)
    })

    test('lists the running wrappers without a secret', async () => {
      const { output, ...end } = await ask(['list'])
      expect(end).toEqual({ exitCode: 0, errors: '' })
      const [found, ...others] = JSON.parse(output)
      expect(Object.keys(found).sort()).toEqual(['address', 'desktop', 'pid', 'version'])
      expect([found.pid, found.version, others]).toEqual([wrapper.pid, '3.1.4.1', []])
    })

    test('reads arguments from standard input', async () => {
      const person = { customid: 'ny-漢-1', firstname: everyScript, lastname: 'Nordmann' }
      expect((await ask(['selectperson', '-'], JSON.stringify(person))).exitCode).toBe(0)
      expect(wrapper.calls.at(-1)).toMatchObject({ args: { customId: 'ny-漢-1', firstname: everyScript } })
    })

    test('prints the next event that it subscribes to', async () => {
      let end: ProgramEnd | undefined
      const ended = ask(['subscribe', 'events=personselected,closing']).then(found => {
        end = found
      })
      // It may not have subscribed yet: another person comes into focus, until it has one.
      let count = 0
      await eventually('the event', () => {
        if (!end) wrapper.selectInPage({ ...kari, customId: `${++count}` })
        return end !== undefined
      })
      await ended
      expect(end).toMatchObject({ exitCode: 0, errors: '' })
      expect(foldNames(end?.output ?? '')).toMatchObject({
        event: 'personselected',
        data: { firstname: 'Kari', lastname: 'Nordmann' },
      })
    })

    test('tells wrong words by its usage', async () => {
      for (const args of [[], ['openworkout', '3']]) {
        const end = await ask(args)
        expect(end).toMatchObject({ exitCode: 2, output: '' })
        expect(end.errors).toContain('subscribe events=')
      }
    })
  })
}
