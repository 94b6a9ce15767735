import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { partnerLanguages } from '../../internal/test-kit/src/partner-programs.ts'
import { describePacked, folder, nodesOf, run, startWrapper } from './packed.ts'

describePacked('a partner’s program with the pipe', () => {
  const [oldest] = nodesOf('pipe-client')
  const printed = 'created 1 ERR_PIPE_REFUSED 4711\n'

  test.each(['pipe.mjs', 'pipe.cjs'])(`%s runs on Node ${oldest?.version}`, async file => {
    await using wrapper = await startWrapper()
    const { userFolder } = JSON.parse(wrapper.firstLine)
    expect(await run(oldest?.path ?? '', [file], { SERVICE_WRAPPER_DATA: userFolder })).toBe(printed)
  })

  test(`TypeScript without DOM compiles, and runs on Node ${oldest?.version}`, async () => {
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    await run(process.execPath, [
      ...[tsc, 'pipe.mts', '--ignoreConfig', '--outDir', 'built', '--strict', '--skipLibCheck', 'false'],
      ...[
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022',
        '--types',
        'node',
        '--typeRoots',
        'types-20',
      ],
    ])
    await using wrapper = await startWrapper()
    const { userFolder } = JSON.parse(wrapper.firstLine)
    expect(await run(oldest?.path ?? '', ['built/pipe.mjs'], { SERVICE_WRAPPER_DATA: userFolder })).toBe(
      printed,
    )
  })
})

describePacked('the documentation’s tests in another language', () => {
  const examples = fileURLToPath(new URL('../../conformance/', import.meta.url))
  const PATH = `${dirname(nodesOf('wrapper-host')[0]?.path ?? '')}:${process.env.PATH}`
  const leftOut = (language: string) => partnerLanguages.find(({ name }) => name === language)?.leftOut
  const copy = (...files: string[]) => {
    for (const file of files) copyFileSync(join(examples, file), join(folder, file.replace(/^.*\//, '')))
  }

  test.skipIf(leftOut('Python'))(`pass in Python${leftOut('Python') ?? ''}`, async () => {
    copy('python/service_pipe.py', 'python/test_journal.py')
    await run('python3', ['-B', '-m', 'unittest', 'test_journal'], { PATH })
  })

  test.skipIf(leftOut('C#'))(`pass in C#${leftOut('C#') ?? ''}`, async () => {
    copy('csharp/ServicePipe.cs', 'csharp/JournalTest.cs')
    await run('mcs', ['ServicePipe.cs', 'JournalTest.cs', '-langversion:5', '-out:JournalTest.exe'])
    expect(await run('mono', ['JournalTest.exe'], { PATH })).toBe('The patient was put in focus.\n')
  })
})
