import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { describe, expect, test, vi } from 'vitest'
import type { Provider } from '../../src/launch/provider.ts'
import { startTestWrapper } from '../../src/testing/start-test-wrapper.ts'

const journalName = 'Acme.Journal.Component, Acme.Journal'
const person = { customId: '4711', firstname: 'Ola', lastname: 'van Dyk' }

/** Reads `acme:<word>`: a person, a payload, or an unknown word. */
const journal: Provider = {
  async provide({ arguments: { words, otherValues }, refusal }) {
    const [word] = words
    if (word === 'acme:person') return { commands: [{ name: 'selectperson', args: person }] }
    if (word === 'acme:sign-in')
      return {
        payload: otherValues.token ?? 'no token',
        commands: [{ name: 'queryexercises', args: { text: 'knee' } }],
      }
    if (word !== undefined) throw refusal('The journal’s address is not known.')
    return { commands: [] }
  },
}

const startJournal = (answerPost?: () => number) =>
  startTestWrapper({
    providers: { [journalName]: journal },
    settings: { ProtocolProvider: journalName },
    ...(answerPost ? { answerPost } : {}),
  })

describe('a provider of the embedding program', () => {
  test('[4.2-provider] is chosen by the setting, and gets handed-over launches', async () => {
    await using wrapper = await startJournal()
    expect(await wrapper.launch('acme:person', 'wait=true')).toEqual({ status: 'completed', focusNumber: 1 })
    expect(wrapper.calls).toEqual([{ handler: 'selectPerson', args: person }])
    expect(await wrapper.launch('acme:else')).toEqual({
      status: 'refused',
      code: 'ERR_PROVIDER_REFUSED',
      message: 'The journal’s address is not known.',
      docsUrl: docsUrlOf('ERR_PROVIDER_REFUSED'),
    })
    const [log = ''] = await readdir(join(wrapper.folders.userFolder, 'logs'))
    const written = () => readFile(join(wrapper.folders.userFolder, 'logs', log), 'utf8')
    await vi.waitFor(async () => expect(await written()).toContain('"ERR_PROVIDER_REFUSED"'), 60_000)
    expect(await written()).not.toMatch(/4711|van Dyk|acme:/)
  })

  test('[4.1-post] may have a payload posted before its commands', async () => {
    await using wrapper = await startJournal()
    expect(await wrapper.launch('acme:sign-in', 'token=good.b.c', 'wait=true')).toEqual({
      status: 'completed',
    })
    expect(wrapper.posts).toEqual([
      { url: 'https://webapp.invalid/partner/payload', form: { payload: 'good.b.c' } },
    ])
    expect(wrapper.calls).toEqual([{ handler: 'queryExercises', args: { text: 'knee' } }])
  })

  test('runs none of its commands when the service refuses its payload', async () => {
    await using wrapper = await startJournal(() => 401)
    expect(await wrapper.launch('acme:sign-in', 'token=no-token.b.c', 'wait=true')).toMatchObject({
      status: 'refused',
      code: 'ERR_SIGN_ON_REFUSED',
    })
    expect(await wrapper.launch('acme:sign-in', 'token=no-token')).toMatchObject({
      code: 'ERR_PAYLOAD_MALFORMED',
    })
    expect(wrapper.calls).toEqual([])
    expect(wrapper.notices.join()).not.toContain('no-token')
  })

  test('precedes one of the same name in the folder', async () => {
    await using wrapper = await startTestWrapper({
      providers: { [journalName]: journal },
      async prepare({ applicationRoot }) {
        await mkdir(join(applicationRoot, 'providers'), { mode: 0o755 })
        await writeFile(join(applicationRoot, 'providers', 'Acme.Journal.mjs'), 'throw new Error()')
      },
    })
    const outcome = await wrapper.launch(`provider=${journalName}`, 'acme:person', 'wait=true')
    expect(outcome).toEqual({ status: 'completed', focusNumber: 1 })
  })
})
