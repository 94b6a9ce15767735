import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { InterruptedError } from '@service-link/command-line'
import { memoryTerminal } from '@service-link/command-line/testing'
import { describe, expect, test } from 'vitest'
import { runServicePayload } from '../../src/cli/run-service-payload.ts'
import { signPayload } from '../../src/index.ts'
import { audience, claims, finish, runHere, startCli, temporaryFolder } from '../support/service-payload.ts'
import { keyText, signingKey } from '../support/vectors.ts'

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

  test('parameters before a SEC1 key: the error names the command that converts it', async () => {
    await using folder = await temporaryFolder()
    await writeFile(folder.file('ec.pem'), `${parameters}${sec1}`)
    const args = ['sign', '--key', folder.file('ec.pem'), '--audience', audience]
    const { exitCode, stderr } = await runHere(args, JSON.stringify(claims))
    expect(exitCode).toBe(2)
    expect(stderr).toContain('it is SEC1; convert it with: openssl pkcs8 -topk8 -nocrypt')
  })
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

  test('without a writer: Ctrl+C ends the wait', async () => {
    await using folder = await pipeFolder()
    const controller = new AbortController()
    const terminal = memoryTerminal({ stdin: Readable.from([]), interruption: () => controller.signal })
    const args = ['sign', '--key', folder.file('pipe'), '--audience', audience]
    const exitCode = runServicePayload(args, terminal)
    controller.abort(new InterruptedError())
    expect(await exitCode).toBe(130)
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
