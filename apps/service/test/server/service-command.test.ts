import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settingNames } from '../../src/server/operations/settings.ts'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { post, sign } from '../support/post.ts'
import { runInProcess, type ServiceRunning } from '../support/process.ts'
import { query } from '../support/service.ts'

const docs = join(import.meta.dirname, '../../../../docs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-link-command-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Runs `npm run service` on the folder of the test. */
const start = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
  runInProcess({ SERVICE_DATA: join(folder, 'data'), ...environment }, ...args)

/** Runs it until it ends by itself. */
async function refused(environment: NodeJS.ProcessEnv) {
  const service = start(environment)
  return { code: await service.ended, errors: service.output.join('\n') }
}

/** The service's public address. */
async function urlOf({ address, output }: ServiceRunning): Promise<string> {
  await address
  const [, url = ''] = /^Service: (\S+)$/m.exec(output.join('\n')) ?? []
  return url
}

describe('npm run service', () => {
  test.each([
    ['[5.1-asymmetric] a key pair', async () => createPartnerKey()],
    [
      '[5.1-symmetric] a shared secret and the lenient policy',
      async () => {
        const secret = Buffer.alloc(32, 7).toString('base64url')
        const keys = [{ kind: 'secret', secret }] as const
        const registration = { id: 'p', name: 'P', issuer: 'https://p.example', policy: 'lenient', keys }
        return { registration, signing: keys[0], issuer: registration.issuer }
      },
    ],
  ])('takes the partners of PARTNERS_FILE, with %s, and ends with 0 on a signal', async (_name, make) => {
    const { registration, ...key } = await make()
    const file = join(folder, 'partners.json')
    await writeFile(file, JSON.stringify([registration]))
    const service = start({ PARTNERS_FILE: file, LOG_LEVEL: 'silent' })
    const posting = { service: { url: await urlOf(service) }, key }
    expect((await post(posting, await sign(posting))).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  test.each<[NodeJS.ProcessEnv, { accounts: number; warnings: number }]>([
    [{}, { accounts: 2, warnings: 0 }],
    [{ PUBLIC_URL: 'https://service.example' }, { accounts: 0, warnings: 0 }],
    [
      { PUBLIC_URL: 'https://service.example', DEMO_ACCOUNTS: '1' },
      { accounts: 2, warnings: 1 },
    ],
  ])('with %j there are as many accounts with well-known passwords: %j', async (environment, expected) => {
    const service = start({ LOG_LEVEL: 'silent', ...environment })
    await service.address
    await service.stop()
    const errors = service.output.join('\n')
    const made = await query({ storage: { dataFolder: join(folder, 'data') } }, 'select id from auth_users')
    const [shown, warnings] = [/^Demo account: /gm, /^Warning: .*DEMO_ACCOUNTS=0/gm].map(
      line => errors.match(line)?.length ?? 0,
    )
    expect({ accounts: made.length, warnings }).toEqual(expected)
    expect(shown).toBe(made.length)
  })

  test('a used port stops the start with a message', async () => {
    await using first = start({ LOG_LEVEL: 'silent' })
    const { port } = new URL(await first.address)
    const { code, errors } = await refused({ PORT: port, SERVICE_DATA: join(folder, 'other') })
    expect(code).toBe(2)
    expect(errors).toMatch(`Port ${port} of 127.0.0.1 is taken`)
    expect(errors).toMatch(/another port\. PORT and METRICS_PORT name them\.$/)
  })

  test('--help and the guides name every setting', async () => {
    const { ended, printed } = start({}, '--help')
    expect(await ended).toBe(0)
    const output = printed.join('')
    const guides = ['run-the-service', 'consumer-log-in'].map(name =>
      readFile(`${docs}/guides/${name}.md`, 'utf8'),
    )
    const documented = (await Promise.all(guides)).join('')
    for (const name of settingNames) {
      expect(output).toContain(name)
      expect(documented).toContain(`\`${name}\``)
    }
  })
})
