import { spawn } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Terminal } from '@service-link/terminal'
import { KeyImportError } from '../errors/key-errors.ts'
import type { KeyFile } from '../registration/registered-keys.ts'

/** Holds the pass phrase of a key's file. */
export const passPhraseVariable = 'SERVICE_KEY_PASSPHRASE'

/**
 * Decrypts the private key of a file: PKCS#8 or an older PEM by Node, PKCS#12 (.pfx, .p12) by openssl, which gets the pass phrase on
 * its standard input. A file that is not encrypted stays as it is.
 *
 * @throws {KeyImportError} when there is no pass phrase, it is wrong, or the file has no or several private keys
 */
export async function unlockKey(
  path: string,
  { pem, labels }: Extract<KeyFile<Uint8Array>, { form: 'key' }>,
  terminal: Terminal,
): Promise<string | Uint8Array> {
  const isArchive = labels.includes('PKCS12')
  if (!isArchive && !labels.includes('ENCRYPTED PRIVATE KEY')) return pem
  const passPhrase =
    process.env[passPhraseVariable] ?? (await terminal.askSecret?.(`Pass phrase of ${path}: `))
  if (passPhrase === undefined)
    throw refusal(
      `it is encrypted, and no terminal is there to ask; set ${passPhraseVariable} to its pass phrase`,
    )
  return isArchive ? readArchive(path, passPhrase) : decrypt(pem, passPhrase)
}

const wrongPassPhrase = 'its pass phrase is wrong'

function refusal(problem: string): KeyImportError {
  return new KeyImportError('', problem)
}

function decrypt(content: Uint8Array, passphrase: string): string {
  const key = Buffer.from(content)
  const encoding = key[0] === 0x30 ? ({ format: 'der', type: 'pkcs8' } as const) : {}
  try {
    return createPrivateKey({ key, passphrase, ...encoding })
      .export({ type: 'pkcs8', format: 'pem' })
      .toString()
  } catch {
    throw refusal(wrongPassPhrase)
  }
}

async function readArchive(path: string, passPhrase: string): Promise<string> {
  const args = ['pkcs12', '-in', resolve(path), '-nocerts', '-nodes', '-passin', 'stdin']
  let found = await runOpenssl(args, passPhrase)
  // Ciphers of old Windows and Java, which OpenSSL 3 has only so.
  if (/unsupported|unknown digest|inner_evp_generic_fetch/i.test(found.errors))
    found = await runOpenssl([...args, '-legacy'], passPhrase)
  if (/mac verify|invalid password/i.test(found.errors)) throw refusal(wrongPassPhrase)
  if (found.code !== 0) throw refusal('openssl cannot read it as PKCS#12')
  const count = found.output.match(/-----BEGIN [A-Z ]*PRIVATE KEY-----/g)?.length ?? 0
  if (count === 0) throw refusal('it holds no private key')
  if (count > 1) throw refusal(`it holds ${count} private keys; give a file with one`)
  return found.output
}

async function runOpenssl(args: readonly string[], input: string) {
  const child = spawn('openssl', args, { windowsHide: true, timeout: 30_000 })
  const failed = once(child, 'error').then(() => {
    throw refusal(
      'openssl, which reads PKCS#12, is not installed here; install it, or export the key as PEM elsewhere',
    )
  })
  child.stdin.on('error', () => undefined).end(`${input}\n`)
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const [output, errors] = await Promise.race([ended, failed])
  return { code: child.exitCode, output, errors }
}
