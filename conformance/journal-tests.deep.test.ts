import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compile, partnerLanguages, run } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'

const wrapper = new URL('../packages/wrapper-host/src/cli/service-webwrapper.ts', import.meta.url)
const fromSources = ['-C', '@service-link/source', fileURLToPath(wrapper)]
const examples = fileURLToPath(new URL('./', import.meta.url))
const guide = readFileSync(new URL('../docs/guides/test-with-a-wrapper.md', import.meta.url), 'utf8')

/** A program to copy, with the sources in place of the packages. */
function fromSample(program: string): string {
  const source = (path: string) => new URL(`../packages/${path}`, import.meta.url).href
  return program
    .replaceAll('@service-link/wrapper-host/testing', source('wrapper-host/src/testing/index.ts'))
    .replaceAll('@service-link/pipe-client', source('pipe-client/src/index.ts'))
    .replace('[process.execPath, ', "[process.execPath, '-C', '@service-link/source', ")
}

describe('the tests of the documentation', () => {
  test('start, crash and restart a wrapper in memory', async () => {
    await using folder = await temporaryFolder()
    for (const file of ['wrapper-for-tests.mjs', 'restart.mjs'])
      await writeFile(
        join(folder.path, file),
        fromSample(readFileSync(join(examples, 'javascript', file), 'utf8')),
      )
    const [options, env] = [['-C', '@service-link/source'], { ...process.env, TMPDIR: folder.path }]
    const program = `process.chdir(${JSON.stringify(folder.path)}); await import('./restart.mjs')`
    await writeFile(join(folder.path, 'start.mjs'), program)
    expect(await run(process.execPath, [...options, join(folder.path, 'start.mjs')], env)).toEqual({
      exitCode: 0,
      output: '',
      errors: '',
    })
  })

  const leftOut = (language: string) => partnerLanguages.find(({ name }) => name === language)?.leftOut

  test.each(['python/test_journal.py', 'csharp/JournalTest.cs', 'javascript/restart.mjs'])(
    'the guide leads to %s',
    file => {
      expect(existsSync(join(examples, file))).toBe(true)
      expect(guide).toContain(`conformance/${file})`)
    },
  )

  const sentence = 'The wrapper needs another Node.'

  /** A program that ends as a Node that is too old does. */
  async function tooOld(folder: string): Promise<string> {
    const file = join(folder, 'too-old.cjs')
    await writeFile(file, `process.stderr.write('${sentence}\\n'); process.exitCode = 2`)
    return file
  }

  test.skipIf(leftOut('Python'))(
    `show why the wrapper does not start, in Python${leftOut('Python') ?? ''}`,
    async () => {
      await using folder = await temporaryFolder()
      const env = {
        ...process.env,
        SERVICE_WEBWRAPPER: `'${process.execPath}' '${await tooOld(folder.path)}'`,
      }
      const { errors } = await run(
        'python3',
        ['-B', '-W', 'error', join(examples, 'python/test_journal.py')],
        env,
      )
      expect(errors).toContain(`AssertionError: The wrapper did not start: ${sentence}\n`)
    },
  )

  test.skipIf(leftOut('Python'))(`pass in Python${leftOut('Python') ?? ''}`, async () => {
    const command = [process.execPath, ...fromSources].map(word => `'${word}'`).join(' ')
    const env = { ...process.env, SERVICE_WEBWRAPPER: command }
    const { exitCode, errors } = await run(
      'python3',
      ['-B', '-W', 'error', join(examples, 'python/test_journal.py')],
      env,
    )
    expect(errors).toContain('Ran 2 tests')
    expect({ exitCode, errors }).toMatchObject({ exitCode: 0 })
  })

  test.skipIf(leftOut('C#'))(`pass in C#${leftOut('C#') ?? ''}`, async () => {
    await using folder = await temporaryFolder()
    const built = join(folder.path, 'JournalTest.exe')
    const sources = ['ServicePipe.cs', 'JournalTest.cs'].map(file => join(examples, 'csharp', file))
    await compile('mcs', ['-langversion:5', '-warn:4', '-warnaserror', `-out:${built}`, ...sources])
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
    expect(await run('mono', [built, fromSources.join(' ')], env)).toEqual({
      exitCode: 0,
      output: 'The patient was put in focus.\n',
      errors: '',
    })
    expect(await run('mono', [built, await tooOld(folder.path)], env)).toEqual({
      exitCode: 1,
      output: '',
      errors: `The wrapper did not start: ${sentence}\n`,
    })
  })
})
