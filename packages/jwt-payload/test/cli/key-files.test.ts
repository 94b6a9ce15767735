import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { memoryTerminal } from '@service-link/terminal/testing'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import {
  audience,
  claims,
  finish,
  runHere,
  startCli,
  temporaryFolder,
} from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import { quoteArgument } from '../../src/cli/files.ts'
import { runServicePayload } from '../../src/cli/run-service-payload.ts'
import { signPayload } from '../../src/index.ts'

const sec1 = createPrivateKey(keyText('p256', 'privatePem')).export({ type: 'sec1', format: 'pem' })
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'

describe('a key file of several blocks', () => {
  test.each([
    ['certificate, then private key', `${keyText('rsa', 'pem')}${keyText('rsa', 'privatePem')}`],
    ['private key, then certificate', `${keyText('rsa', 'privatePem')}${keyText('rsa', 'pem')}`],
  ])('%s: the private key signs', async (_name, pem) => {
    await using folder = await temporaryFolder()
    await writeFile(folder.file('both.pem'), pem)
    const args = ['sign', '--key', folder.file('both.pem'), '--audience', audience]
    const { exitCode, stdout } = await runHere(args, JSON.stringify(claims))
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^eyJ/) })
  })

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
})

const certificate = keyText('certificate', 'pem')
const derOf = (pem: string) => Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64')

test.each([
  ['a .cer in DER', derOf(certificate)],
  ['UTF-16 of an editor of Windows', Buffer.from(`\ufeff${certificate}`, 'utf16le')],
])('%s is read as the certificate that it is', async (_name, content) => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('partner.cer'), content)
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

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  async function pipeFolder() {
    const folder = await temporaryFolder()
    await promisify(execFile)('mkfifo', [folder.file('pipe')])
    return folder
  }

  test('is read to the end', async () => {
    await using folder = await pipeFolder()
    const args = ['sign', '--key', folder.file('pipe'), '--audience', audience]
    const signed = runHere(args, JSON.stringify(claims))
    await writeFile(folder.file('pipe'), keyText('rsa', 'privatePem'))
    expect(await signed).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('with a silent writer: Ctrl+C ends the process', async () => {
    await using folder = await pipeFolder()
    const child = startCli(['sign', '--key', folder.file('pipe'), '--audience', audience])
    const finished = finish(child)
    // Resolves as soon as the process reads.
    await using _writer = await open(folder.file('pipe'), 'w')
    child.kill('SIGINT')
    expect(await finished).toMatchObject({ exitCode: 130, stdout: '' })
  })
})

test('printed values are escaped for the terminal and keep their meaning', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('public.pem'), keyText('rsa', 'pem'))
  const name = 'a\u009b31m\u202e\u007f\u2028\u{e0041}å'
  const sent = { ...claims, organizationName: name }
  const token = await signPayload(sent, signingKey('rsa'), { audience })
  const args = ['verify', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
  for (const isDataWatched of [true, false]) {
    const terminal = memoryTerminal({ stdin: Readable.from([token]), isDataWatched })
    expect(await runServicePayload(args, terminal)).toBe(0)
    const stdout = terminal.printed()
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u)
    expect(JSON.parse(stdout)).toEqual(sent)
  }
})
