import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ConformanceTarget, runConformance } from '../src/index.ts'
import { failuresOf } from './support/failures.ts'

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const node = [process.execPath, '-C', '@service-link/source']
const wrapper = [...node, source('wrapper-host/src/cli/service-webwrapper.ts')]
const signer = [...node, source('jwt-payload/src/cli/service-payload.ts'), 'sign', '--key', '{key}']

const programs: readonly (readonly [name: string, target: ConformanceTarget])[] = [
  [
    'service-pipe',
    { role: 'pipe-client', program: [...node, source('pipe-client/src/cli/service-pipe.ts')] },
  ],
  [
    'service-webwrapper',
    {
      role: 'wrapper',
      program: [...wrapper, 'test', '--folder', '{folder}'],
      launch: wrapper,
    },
  ],
  ...(['RS256', 'ES256', 'HS256'] as const).map(
    algorithm =>
      [
        `service-payload with ${algorithm}`,
        { role: 'signer', program: [...signer, '--kid', '{kid}', '--audience', '{audience}'], algorithm },
      ] as const,
  ),
]

test.each(programs)('%s conforms', async (_name, target) => {
  expect(failuresOf(await runConformance(target))).toEqual({})
})
