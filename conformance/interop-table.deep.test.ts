import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type PartnerProgram, partnerLanguages } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'
import { createMemoryWebApp } from '../packages/wrapper-host/src/testing/memory-web-app.ts'
import type { TestWrapper } from '../packages/wrapper-host/src/testing/start-test-wrapper.ts'
import { startTestWrapper } from '../packages/wrapper-host/src/testing/start-test-wrapper.ts'
import { startAsking } from './support/asking-programs.ts'
import { olderRequests, outcomeOf, takingWebApp } from './support/older-requests.ts'

const done = { exitCode: 0, output: '', errors: '' }
const everyScript = 'Kåre "Æ" \\ Ødegård 漢字 😀 </script>'
const workouts = [
  { id: 3, userId: 8, name: 'Kné 漢字', lastChangedAt: '2026-02-01T10:00:00Z' },
  { id: 4, userId: 8, name: 'Hip', lastChangedAt: '2025-02-01T10:00:00Z' },
]
/** A reply of half a million bytes, with characters of every UTF-8 length. */
const users = Array.from({ length: 4000 }, (_, index) => ({
  id: index + 1,
  customId: 'å漢😀',
  firstname: everyScript,
}))

for (const { name, leftOut, build } of partnerLanguages) {
  describe.skipIf(leftOut !== undefined)(`the wrapper, asked in ${name}${leftOut ?? ''},`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let program: PartnerProgram
    let wrapper: TestWrapper
    const ask = (command: string, args?: object) =>
      program(String(wrapper.pid), command, ...(args ? [JSON.stringify(args)] : []))
    const askForJson = async (command: string, args?: object) => {
      const { output, ...end } = await ask(command, args)
      expect(end).toEqual({ exitCode: 0, errors: '' })
      return JSON.parse(output)
    }

    beforeAll(async () => {
      folder = await temporaryFolder()
      program = await build(folder.path)
      wrapper = await startTestWrapper({
        version: '3.1.4.1',
        webApp: createMemoryWebApp({ users: [...users], workouts }),
      })
      vi.stubEnv('SERVICE_WRAPPER_DATA', wrapper.folders.userFolder)
    })
    afterAll(async () => {
      vi.unstubAllEnvs()
      await wrapper?.close()
      await folder?.[Symbol.asyncDispose]()
    })

    test('[4.5-hide] [4.5-show] hides and shows its window without a reply', async () => {
      expect(await ask('hide')).toEqual(done)
      expect(wrapper.window.state).toBe('minimised')
      expect(await ask('show')).toEqual(done)
      expect(wrapper.window.state).toBe('normal')
    })

    test('[4.5-version] answers its version as bare text', async () => {
      expect(await ask('version')).toEqual({ ...done, output: '3.1.4.1' })
    })

    test('[4.5-getlistofusers] lists users, half a million bytes in every script', async () => {
      const found = await askForJson('getlistofusers', { customid: 'å漢😀' })
      expect(found).toHaveLength(users.length)
      expect(found.at(-1)).toMatchObject({ Id: users.length, Firstname: everyScript })
    })

    test('[4.5-getworkoutsforclient] lists workouts', async () => {
      expect(await askForJson('getworkoutsforclient', { userid: 8 })).toMatchObject([
        { Name: 'Kné 漢字' },
        { Id: 4 },
      ])
      expect(await askForJson('getworkoutsforclient', { userid: 8, from: '2026-01-01' })).toMatchObject([
        { Id: 3 },
      ])
      expect(await askForJson('getworkoutsforclient', { userid: 8, from: '2099-01-01' })).toEqual([])
    })

    test('[4.5-openworkout] [4.5-setcustomid] runs commands without a reply', async () => {
      const before = wrapper.calls.length
      expect(await ask('openworkout', { id: 3 })).toEqual(done)
      expect(await ask('setcustomid', { userid: 8, customid: 'Å-8' })).toEqual(done)
      expect(wrapper.calls.slice(before)).toEqual([
        { handler: 'openWorkout', args: { id: 3 }, via: 'pipe' },
        { handler: 'setCustomId', args: { userId: 8, customId: 'Å-8' }, via: 'pipe' },
      ])
    })

    test('[4.5-selectperson] creates a person and then selects the same one, with names in every script', async () => {
      const person = { customid: 'ny-漢-1', firstname: everyScript, lastname: 'Nordmann 😀' }
      const created = await askForJson('selectperson', person)
      expect(created).toEqual({ status: 'created', userid: users.length + 1, customid: 'ny-漢-1' })
      expect(await askForJson('selectperson', person)).toEqual({ ...created, status: 'selected' })
      expect(wrapper.calls.at(-1)).toEqual({
        handler: 'selectPerson',
        args: { customId: 'ny-漢-1', firstname: everyScript, lastname: 'Nordmann 😀' },
        via: 'pipe',
      })
    })

    test.each([
      ['ERR_NOT_FOUND', 'openworkout', { id: 99 }],
      ['ERR_METHOD', 'nosuchcommand', undefined],
      ['ERR_METHOD', 'queryexercises', { text: 'knee' }],
      ['ERR_ARGS', 'openworkout', { id: 'x' }],
      ['ERR_ARGS', 'selectperson', { customid: '1' }],
    ])('fails with %s for %s %j, without effect', async (code, command, args) => {
      const end = await ask(command, args)
      expect(end).toMatchObject({ exitCode: 4, output: '' })
      expect(end.errors).toContain(code)
    })

    test('answers concurrent programs, each with its own reply', async () => {
      const ends = await Promise.all(
        workouts.map(({ userId }) => ask('getworkoutsforclient', { userid: userId })),
      )
      const more = await Promise.all(['version', 'show', 'version'].map(command => ask(command)))
      expect(ends.map(({ output }) => JSON.parse(output).length)).toEqual([2, 2])
      expect(more.map(({ output }) => output)).toEqual(['3.1.4.1', '', '3.1.4.1'])
    })

    test.each([...olderRequests()])(
      '[4.5-older-programs] takes, in %s, the requests of programs in the field',
      async (Culture, requests) => {
        await using older = await startTestWrapper({ settings: { Culture }, webApp: takingWebApp })
        vi.stubEnv('SERVICE_WRAPPER_DATA', older.folders.userFolder)
        using asking = await startAsking(name, folder.path)
        const outcomes = []
        for (const { id, command, args } of requests) {
          const before = older.calls.length
          const told = asking ? await asking.ask(older.pid, command, args) : (await ask(command, args)).errors
          outcomes.push([id, outcomeOf(told, older.calls.slice(before))])
        }
        vi.stubEnv('SERVICE_WRAPPER_DATA', wrapper.folders.userFolder)
        expect(outcomes).toEqual(requests.map(({ id, expected }) => [id, expected]))
      },
    )

    test('clears the person in focus and no other, and signs the user out, without a reply', async () => {
      await askForJson('selectperson', { customid: 'å-1', firstname: 'Kåre', lastname: 'Nordmann' })
      const ends = () => wrapper.pageEvents.map(({ type }) => type).filter(type => /cleared|out/i.test(type))
      expect(await ask('clearperson', { customid: 'å-2' })).toEqual(done)
      expect(ends()).toEqual([])
      expect(await ask('clearperson', { customid: 'å-1' })).toEqual(done)
      expect(ends()).toEqual(['personCleared'])
      expect(await ask('signout')).toEqual(done)
      expect(ends()).toEqual(['personCleared', 'signedOut'])
      // Nobody is in focus where nobody is signed in.
      expect(await ask('clearperson')).toEqual(done)
    })

    // The last test: it ends the wrapper.
    test('[4.5-close] answers before it exits', async () => {
      expect(await ask('close')).toEqual(done)
      await wrapper.closed
    })
  })
}
