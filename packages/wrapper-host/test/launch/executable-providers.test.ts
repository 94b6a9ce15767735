import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configuredExecutable } from '@service-link/test-kit/configured-executable'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'

const example = await readFile(
  new URL('../../../../docs/examples/providers/Acme.Journal.mjs', import.meta.url),
)
const journal = 'Acme.Journal.Component, Acme.Journal'
const journalFile = 'PatientNo=4711\nGivenName=Ola\nFamilyName=van Dyk\nBorn=1980-04-03\nExercises=low back\n'

describe.skipIf(!hasBrowser)('service-webwrapper with a custom provider', () => {
  test('[4.2-provider] by the setting, runs a journal’s launches, first and second', async () => {
    await using wrapper = await configuredExecutable(
      { ProtocolProvider: journal },
      { 'Acme.Journal.mjs': example },
    )
    await writeFile(join(wrapper.folder, 'first.jrn'), journalFile)
    const first = wrapper.start('first.jrn')
    await wrapper.called(calls => calls.length === 2)
    expect(first.child.exitCode).toBeNull()
    await writeFile(join(wrapper.folder, 'second.jrn'), journalFile.replace('4711', '4712'))
    expect(await wrapper.start('second.jrn', 'wait=true').ended).toEqual({ exitCode: 0, errors: '' })
    await expect(access(join(wrapper.folder, 'second.jrn'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await wrapper.start('acme://exercises?text=knee', 'wait=true').ended).toMatchObject({
      exitCode: 0,
    })
    expect(wrapper.calls).toMatchObject([
      { name: 'selectPerson', value: { customId: '4711', lastname: 'van Dyk', dateOfBirth: '1980-04-03' } },
      { name: 'queryExercises' },
      { name: 'selectPerson', value: { customId: '4712' } },
      { name: 'queryExercises' },
      { name: 'queryExercises' },
    ])
  })

  test('[4.2-provider] by the argument; each refusal reaches the second process, and starts nothing', async () => {
    await using wrapper = await configuredExecutable(
      {},
      {
        'Acme.Journal.mjs': example,
        'Broken.mjs': 'export const Component = ',
        'Throwing.mjs': 'export const Component = { provide: async () => { throw new Error("Secret") } }',
        'Odd.mjs': 'export const Component = { provide: async () => ({ commands: [{ name: "Secret" }] }) }',
      },
    )
    const refused = async (...argv: string[]) => {
      const { exitCode, errors } = await wrapper.start(...argv).ended
      expect(exitCode).toBe(2)
      expect(errors).not.toContain('Secret')
      return errors
    }
    expect(await refused('provider=Component, Broken')).toContain('did not load (SyntaxError)')
    const running = wrapper.start()
    await running.isWrapper
    expect(await refused('provider=Component, Broken')).toContain('(ERR_PROVIDER_MODULE)')
    expect(await refused('provider=Component, ../root/providers/Broken')).toContain('(ERR_PROVIDER_UNKNOWN)')
    expect(await refused('provider=Component, Throwing')).toContain('(ERR_PROVIDER_FAILED)')
    expect(await refused('provider=Component, Odd', 'wait=true')).toContain('(ERR_PROVIDER_RESULT)')
    expect(await refused(`provider=${journal}`, 'none.jrn', 'wait=true')).toBe(
      'The journal file is not there, cannot be read, or is not UTF-8. (ERR_PROVIDER_REFUSED)\n',
    )
    expect(await refused('acme://exercises?text=Secret')).toContain('(ERR_ARGS)')
    await writeFile(join(wrapper.folder, 'in.jrn'), journalFile)
    const taken = wrapper.start(`provider=${journal}`, 'in.jrn', 'wait=true')
    expect(await taken.ended).toEqual({ exitCode: 0, errors: '' })
    expect(wrapper.calls.map(({ name }) => name)).toEqual(['selectPerson', 'queryExercises'])
  })
})
