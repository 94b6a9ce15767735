import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { createProviderTable } from '../../src/launch/provider-table.ts'
import { providerInput } from '../support/provider-input.ts'

const example = fileURLToPath(
  new URL('../../../../docs/examples/providers/Acme.Journal.mjs', import.meta.url),
)

/** The example in the folder `providers`, chosen by the setting, and the working directory of launches. */
async function installedExample() {
  const folder = await temporaryFolder()
  const providers = join(folder.path, 'providers')
  await mkdir(providers, { mode: 0o755 })
  await writeFile(join(providers, 'Acme.Journal.mjs'), await readFile(example), { mode: 0o644 })
  const table = createProviderTable({
    brand: defaultBrand,
    setting: 'Acme.Journal.Component, Acme.Journal',
    applicationRoot: folder.path,
  })
  return {
    folder: folder.path,
    async provide(...argv: string[]) {
      const input = providerInput(argv, folder.path)
      return (await table.choose(input.arguments)).provider.provide(input)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

describe('the example of a custom provider', () => {
  test('selects the patient of a journal file, then deletes the file', async () => {
    await using at = await installedExample()
    const file = join(at.folder, 'now.jrn')
    await writeFile(
      file,
      '[Patient]\r\nPatientNo=4711\r\nGivenName = Ola\r\nfamilyname=van Dyk\r\nBorn=1980-04-03\r\nExercises=low back\r\n',
    )
    const { commands, taken } = await at.provide('now.jrn')
    expect(commands).toEqual([
      {
        name: 'selectperson',
        args: { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
      },
      { name: 'queryexercises', args: { text: 'low back' } },
    ])
    await taken?.()
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('runs the search of an acme: address', async () => {
    await using at = await installedExample()
    expect(await at.provide('acme://exercises?text=low%20back')).toEqual({
      commands: [{ name: 'queryexercises', args: { text: 'low back' } }],
    })
  })

  test.each<[string, string[], string | undefined, string]>([
    ['a file that is not there', ['Secret.jrn'], undefined, 'is not there'],
    ['a file without a name', ['in.jrn'], 'PatientNo=Secret', 'lacks'],
    ['a file with another date', ['in.jrn'], 'PatientNo=1\nGivenName=A\nFamilyName=B\nBorn=Secret', 'Born'],
    ['a file that is too large', ['in.jrn'], 'Secret'.repeat(20_000), 'is larger than'],
    ['another address', ['acme://person?id=Secret'], undefined, 'acme://exercises'],
    ['two words', ['Secret.jrn', 'acme://exercises?text=Secret'], undefined, 'one journal file'],
    ['another word', ['Secret'], undefined, 'neither'],
    ['what others read', ['queryexercises=Secret'], undefined, 'for another provider'],
  ])('refuses %s in its own words, without a value', async (_title, argv, content, message) => {
    await using at = await installedExample()
    if (content !== undefined) await writeFile(join(at.folder, 'in.jrn'), content)
    const refused = await at.provide(...argv).catch(error => error)
    expect(refused).toMatchObject({ code: 'ERR_PROVIDER_REFUSED' })
    expect(refused.message).toContain(message)
    expect(refused.message).not.toContain('Secret')
  })

  // The compiler reads the whole package: seconds on an idle machine.
  test('matches the types', { timeout: 300_000 }, () => {
    const root = fileURLToPath(new URL('../../../../', import.meta.url))
    const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    // From its own folder the example would not find the package.
    const file = fileURLToPath(new URL('./Acme.Journal.mjs', import.meta.url))
    const settings = { ...options, allowJs: true, checkJs: true }
    const host = ts.createCompilerHost(settings)
    const { readFile: read, fileExists } = host
    host.readFile = name => read(name === file ? example : name)
    host.fileExists = name => name === file || fileExists(name)
    const check = `import type { Provider } from '@service-link/wrapper-host'
import { Component } from './Acme.Journal.mjs'
export const provider: Provider = Component`
    const checkFile = file.replace('Acme.Journal.mjs', 'check-example.ts')
    const getSourceFile = host.getSourceFile.bind(host)
    host.getSourceFile = (name, ...rest) =>
      name === checkFile
        ? ts.createSourceFile(name, check, ts.ScriptTarget.ES2023)
        : getSourceFile(name, ...rest)
    const program = ts.createProgram([file, checkFile], settings, host)
    const problems = [file, checkFile].flatMap(name =>
      ts.getPreEmitDiagnostics(program, program.getSourceFile(name)),
    )
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
    expect(program.getSourceFile(file)?.text).toContain('export const Component')
  })
})
