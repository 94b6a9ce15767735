import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import {
  audience,
  claims,
  finish,
  runHere,
  startCli,
  temporaryFolder,
} from '@service-link/test-kit/service-payload'
import { expect, test } from 'vitest'
import { quoteArgument } from '../../src/cli/files.ts'
import { signPayload } from '../../src/index.ts'

const sec1 = createPrivateKey(keyText('p256', 'privatePem')).export({ type: 'sec1', format: 'pem' })
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'

test('parameters before a SEC1 key: the command that converts it stands on its own line', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('ec key.pem'), `${parameters}${sec1}`)
  const args = ['sign', '--key', folder.file('ec key.pem'), '--audience', audience]
  const { exitCode, stderr } = await runHere(args, JSON.stringify(claims))
  expect(exitCode).toBe(2)
  const path = quoteArgument(folder.file('ec key.pem'))
  expect(stderr).toContain('cannot be used: it is SEC1; convert it with: ')
  expect(stderr).toContain(`\n→ openssl pkcs8 -topk8 -nocrypt -in ${path} -out new-private.pem\n`)
})

const certificate = keyText('certificate', 'pem')
const derOf = (pem: string) => Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64')

test('a .cer in DER is read as the certificate that it is', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('partner.cer'), derOf(certificate))
  const token = await signPayload(claims, signingKey('rsa'), { audience })
  const args = ['verify', '--key', folder.file('partner.cer'), '--kid', 'rsa', '--audience', audience]
  const { stdout, stderr } = await runHere([...args, '--at', 'iat'], token)
  expect({ stdout: JSON.parse(stdout || '{}'), stderr }).toMatchObject({ stdout: claims })
})

test('bytes that are no key are refused, and not taken for a secret', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('key'), Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0x00))
  for (const args of [['sign'], ['verify', '--file', folder.file('key')]]) {
    const named = [...args, '--key', folder.file('key'), '--audience', audience]
    const { exitCode, stderr } = await runHere(named, JSON.stringify(claims))
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('it is neither PEM, nor DER of a key or certificate'),
    })
  }
})

test('an SSH key is named, and not taken for a secret', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('id.pub'), 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB kari@journal\n')
  const args = ['explain', '--key', folder.file('id.pub'), '--audience', audience]
  const { exitCode, stderr } = await runHere(args, 'token')
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`\n→ ssh-keygen -e -m PKCS8 -f ${folder.file('id.pub')} > new-public.pem\n`)
})

test.skipIf(process.platform === 'win32')('a silent named pipe: Ctrl+C ends the process', async () => {
  await using folder = await temporaryFolder()
  await promisify(execFile)('mkfifo', [folder.file('pipe')])
  const child = startCli(['sign', '--key', folder.file('pipe'), '--audience', audience])
  const finished = finish(child)
  // Resolves as soon as the process reads.
  await using _writer = await open(folder.file('pipe'), 'w')
  child.kill('SIGINT')
  expect(await finished).toMatchObject({ exitCode: 130, stdout: '' })
})
