import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { type ConformanceTarget, type RoleName, runConformance } from '../src/index.ts'
import { failuresOf } from './support/failures.ts'

const wrong = (file: string) => fileURLToPath(new URL(`../../../conformance/wrong/${file}`, import.meta.url))
const node = [process.execPath, '-C', '@service-link/source']

/** A program with faults fails exactly the scenarios that the file beside it names. */
async function expectNamedFaults(target: ConformanceTarget, list: string = target.role): Promise<void> {
  const knownFailures: Record<string, string> = JSON.parse(readFileSync(wrong(`${list}.json`), 'utf8'))
  const report = await runConformance(target, { knownFailures })
  expect(failuresOf(report)).toEqual({})
  expect(report.isAsExpected).toBe(true)
  expect(
    report.scenarios
      .filter(({ outcome }) => outcome === 'known-failure')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(knownFailures).sort())
}

test.each<[RoleName, string[]]>([
  ['pipe-client', ['client.mjs']],
  ['wrapper', ['wrapper.mjs']],
  ['signer', ['signer.mjs', '{key}', '{kid}', '{audience}']],
])('the faults of a wrong %s are named', async (role, [file = '', ...words]) => {
  if (role !== 'receiver') await expectNamedFaults({ role, program: [...node, wrong(file), ...words] })
})

test('the faults of a careless signer are named', async () => {
  const program = [...node, wrong('signer-careless.mjs'), '{key}', '{kid}', '{audience}']
  await expectNamedFaults({ role: 'signer', program, algorithm: 'ES256' }, 'signer-careless')
})

test.each(['receiver', 'receiver-careless'])('the faults of a wrong %s are named', async name => {
  await using folder = await temporaryFolder()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(folder.path, 'public.pem')
  await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }))
  const [command = '', ...args] = [...node, wrong(`${name}.mjs`), file]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const address = String(line).trim()
    await expectNamedFaults({ role: 'receiver', address, key: { kind: 'pkcs8', pem } }, name)
  } finally {
    child.stdin.end()
  }
})
