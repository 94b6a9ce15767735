import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { memoryTerminal } from '@service-link/terminal/testing'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { audience, claims, finish, startCli, temporaryFolder } from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import { runServicePayload } from '../../src/cli/run-service-payload.ts'

const passphrase = 'pass-phrase-8f3b'
const key = createPrivateKey(keyText('rsa', 'privatePem'))
const sealed = { cipher: 'aes-256-cbc', passphrase } as const

/** Whether openssl runs here. */
const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0
  } catch {
    return false
  }
})()

/** Writes a PKCS#12 file with the certificate, and the private key if wanted. */
async function writeArchive(folder: string, name: string, options: readonly string[]): Promise<void> {
  await writeFile(`${folder}/key.pem`, keyText('rsa', 'privatePem'))
  await writeFile(`${folder}/certificate.pem`, keyText('certificate', 'pem'))
  const files = ['-in', `${folder}/certificate.pem`, '-out', `${folder}/${name}`]
  execFileSync('openssl', ['pkcs12', '-export', ...options, ...files, '-passout', `pass:${passphrase}`])
}

/** Signs with the file, and the pass phrase that the person types. */
async function signTyping(file: string, typed: string | undefined) {
  const asked: string[] = []
  const terminal = memoryTerminal({
    askSecret: async question => {
      asked.push(question)
      return typed
    },
  })
  await writeFile(`${file}.json`, JSON.stringify(claims))
  const args = ['sign', '--key', file, '--audience', audience, '--claims', `${file}.json`]
  const exitCode = await runServicePayload(args, terminal)
  return { exitCode, asked, token: terminal.printed(), told: terminal.told() }
}

const contents = {
  'PKCS#8 in PEM': key.export({ type: 'pkcs8', format: 'pem', ...sealed }),
  'PKCS#8 in DER': key.export({ type: 'pkcs8', format: 'der', ...sealed }),
  'an older PEM': key.export({ type: 'pkcs1', format: 'pem', ...sealed }),
}

describe('an encrypted private key', () => {
  test.each(Object.entries(contents))('%s is read with its pass phrase', async (_name, content) => {
    await using folder = await temporaryFolder()
    const file = folder.file('locked')
    await writeFile(file, content)
    const signed = await signTyping(file, passphrase)
    expect(signed).toMatchObject({ exitCode: 0, token: expect.stringMatching(/^eyJ/), told: '' })
    expect(signed.asked).toEqual([`Pass phrase of ${file}: `])
    for (const [typed, sentence] of [
      ['wrong', 'its pass phrase is wrong'],
      [undefined, 'no terminal is there to ask; set SERVICE_KEY_PASSPHRASE to its pass phrase'],
    ] as const) {
      const { exitCode, token, told } = await signTyping(file, typed)
      expect({ exitCode, token, told }).toMatchObject({
        exitCode: 2,
        token: '',
        told: expect.stringContaining(sentence),
      })
    }
  })

  test.skipIf(!hasOpenssl)(
    'PKCS#12 is read with its pass phrase, of which the process takes the variable',
    async () => {
      await using folder = await temporaryFolder()
      await writeArchive(folder.path, 'my.pfx', ['-inkey', folder.file('key.pem')])
      await writeArchive(folder.path, 'old.pfx', ['-legacy', '-inkey', folder.file('key.pem')])
      await writeArchive(folder.path, 'none.pfx', ['-nokeys'])
      expect(await signTyping(folder.file('my.pfx'), 'wrong')).toMatchObject({
        exitCode: 2,
        told: expect.stringContaining('its pass phrase is wrong'),
      })
      expect(await signTyping(folder.file('none.pfx'), passphrase)).toMatchObject({
        exitCode: 2,
        told: expect.stringContaining('it holds no private key'),
      })
      expect(await signTyping(folder.file('old.pfx'), passphrase)).toMatchObject({ exitCode: 0, told: '' })
      const args = ['sign', '--key', folder.file('my.pfx'), '--audience', audience]
      const child = startCli(args, { SERVICE_KEY_PASSPHRASE: passphrase })
      const finished = finish(child)
      child.stdin.end(JSON.stringify(claims))
      expect(await finished).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^eyJ/), stderr: '' })
    },
  )
})
