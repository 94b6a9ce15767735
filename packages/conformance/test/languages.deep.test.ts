import { partnerLanguages } from '@service-link/test-kit/partner-programs'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { runConformance } from '../src/index.ts'
import { failuresOf } from './support/failures.ts'

/** Java reads arguments and the names of files by the locale, and that of CI has ASCII alone. */
const utf8 = ['env', 'LC_ALL=C.UTF-8'] as const

const copiesText =
  'The sample puts the claims into the token as text: the service refuses what is wrong in them'

const copying = {
  'refuses-no-claims': copiesText,
  'keeps-its-own-claims': copiesText,
  'refuses-claims-without-contact': copiesText,
}

/** Scenarios that a sample fails, with the reason. */
const knownFailures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'TypeScript, pipe': {
    'tells-wrong-arguments': 'Arguments that the client refuses end it with exit code 3',
  },
  'C#, pipe': { 'foreign-record': 'The framework of C# does not tell the permissions of a file' },
  'C#, signature': copying,
  'Java, signature': copying,
  'Delphi, signature': copying,
}

// Side by side: each waits for half a minute for a wrapper that does not answer.
for (const { name, leftOut, buildPipe } of partnerLanguages) {
  const testBeside = leftOut === undefined ? test.concurrent : test.skip
  testBeside(`the sample of the pipe in ${name}${leftOut ?? ''} conforms`, { timeout: 300_000 }, async () => {
    await using folder = await temporaryFolder()
    const options = { knownFailures: knownFailures[`${name}, pipe`], timeoutMs: 120_000 }
    const report = await runConformance(
      { role: 'pipe-client', program: [...utf8, ...(await buildPipe(folder.path))] },
      options,
    )
    expect(failuresOf(report)).toEqual({})
  })
}

for (const { name, leftOut, buildSign } of partnerLanguages)
  test.skipIf(leftOut !== undefined)(
    `the sample of a signature in ${name}${leftOut ?? ''} conforms`,
    async () => {
      await using folder = await temporaryFolder()
      const program = [...(await buildSign(folder.path)), '{key}', '{kid}', '{audience}']
      const options = { knownFailures: knownFailures[`${name}, signature`] }
      expect(failuresOf(await runConformance({ role: 'signer', program }, options))).toEqual({})
    },
  )
