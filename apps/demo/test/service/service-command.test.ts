import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { signPayload } from '@service-link/jwt-payload'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/partner/create-partner.ts'
import { settingNames } from '../../src/service/settings.ts'
import { visit } from '../support/post.ts'
import { recordOutput, serviceArguments } from '../support/process.ts'
import { query, recordAudit } from '../support/service.ts'

const docs = join(import.meta.dirname, '../../../../docs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-link-command-'))
})
afterEach(async () => {
  await recordAudit({ dataFolder: join(folder, 'data') })
  await rm(folder, { recursive: true, force: true })
})

/** Starts `npm run service` without npm. */
function start(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [...serviceArguments, ...args], {
    env: { ...process.env, PORT: '0', SERVICE_DATA: join(folder, 'data'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = text(child.stderr.setEncoding('utf8')).then(written => {
    for (const line of written.split('\n')) recordOutput(line)
    return written
  })
  const ended = once(child, 'close').then(async () => ({
    code: child.exitCode,
    errors: await errors,
  }))
  return { child, ended }
}

/** Waits for the line that says where the service is. */
async function addressOf(child: ReturnType<typeof start>['child']): Promise<string> {
  let seen = ''
  for await (const [chunk] of onData(child)) {
    seen += chunk
    const [, url] = /^Service: (\S+)$/m.exec(seen) ?? []
    if (url !== undefined && seen.includes('Data:')) return url
  }
  throw new Error(`The service ended: ${seen}`)
}

async function* onData({ stderr }: ReturnType<typeof start>['child']): AsyncGenerator<string[]> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  stderr.once('end', end)
  const chunks: string[] = []
  stderr.on('data', chunk => chunks.push(String(chunk)))
  while (!stderr.readableEnded) {
    if (chunks.length === 0) await Promise.race([once(stderr, 'data'), over])
    if (chunks.length > 0) yield [chunks.splice(0).join('')]
  }
}

describe('npm run service', () => {
  test('[5.1-asymmetric] takes the partners of PARTNERS_FILE, and ends with 0 when it is told to', async () => {
    const key = await createPartnerKey()
    const file = join(folder, 'partners.json')
    await writeFile(file, JSON.stringify([key.registration]))
    const { child, ended } = start({ PARTNERS_FILE: file, LOG_LEVEL: 'silent' })
    const url = await addressOf(child)
    const token = await signPayload(visit, key.signing, {
      audience: `${url}/partner/payload`,
      issuer: key.issuer,
    })
    const answer = await fetch(`${url}/partner/payload`, {
      method: 'POST',
      body: new URLSearchParams({ payload: token }),
    })
    expect(answer.status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('[5.1-symmetric] a partner may share a secret, and be lenient', async () => {
    const secret = Buffer.alloc(32, 7).toString('base64url')
    const file = join(folder, 'partners.json')
    const registration = { id: 'p', name: 'P', policy: 'lenient', keys: [{ kind: 'secret', secret }] }
    await writeFile(file, JSON.stringify([registration]))
    const { child, ended } = start({ PARTNERS_FILE: file, LOG_LEVEL: 'silent' })
    const url = await addressOf(child)
    const token = await signPayload(visit, { kind: 'secret', secret }, { audience: `${url}/partner/payload` })
    const answer = await fetch(`${url}/partner/payload`, {
      method: 'POST',
      body: new URLSearchParams({ payload: token }),
    })
    expect(answer.status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test.each([
    ['PARTNERS_FILE', /PARTNERS_FILE: .* not JSON/],
    ['EID_ISSUER', /EID_ISSUER: must be an https address/],
  ])('a %s that is not acceptable stops the start and says why', async (name, message) => {
    const value = join(folder, 'do-not-print')
    await writeFile(value, '[{')
    const { code, errors } = await start({ [name]: value }).ended
    expect(code).toBe(2)
    expect(errors).toMatch(message)
  })

  test.each<[NodeJS.ProcessEnv, { accounts: number; warnings: number }]>([
    [{}, { accounts: 2, warnings: 0 }],
    [{ PUBLIC_URL: 'https://service.example' }, { accounts: 0, warnings: 0 }],
    [
      { PUBLIC_URL: 'https://service.example', DEMO_ACCOUNTS: '1' },
      { accounts: 2, warnings: 1 },
    ],
  ])(
    'with %j there are as many accounts whose passwords everybody knows: %j',
    async (environment, expected) => {
      const { child, ended } = start({ LOG_LEVEL: 'silent', ...environment })
      await addressOf(child)
      child.kill('SIGTERM')
      const { errors } = await ended
      const made = await query({ storage: { dataFolder: join(folder, 'data') } }, 'select id from auth_users')
      const [shown, warnings] = [/^Demo account: /gm, /^Warning: .*DEMO_ACCOUNTS=0/gm].map(
        line => errors.match(line)?.length ?? 0,
      )
      expect({ accounts: made.length, warnings }).toEqual(expected)
      expect(shown).toBe(made.length)
    },
  )

  test('a key of the cookies that was cut off stops the start and says what to do', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'auth-secret'), '')
    const { code, errors } = await start({}).ended
    expect(code).toBe(2)
    expect(errors).toMatch(/^The file auth-secret .* Delete it and start again/)
  })

  test('a port that is taken stops the start and says so', async () => {
    const first = start({ LOG_LEVEL: 'silent' })
    const url = await addressOf(first.child)
    const { code, errors } = await start({ PORT: new URL(url).port, SERVICE_DATA: join(folder, 'other') })
      .ended
    expect(code).toBe(2)
    expect(errors).toMatch(/port is taken/)
    first.child.kill('SIGTERM')
    await first.ended
  })

  test('--help and the guides name every setting', async () => {
    const { child, ended } = start({}, '--help')
    const output = await text(child.stdout)
    expect((await ended).code).toBe(0)
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
