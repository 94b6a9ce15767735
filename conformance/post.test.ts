import { describe, expect, test } from 'vitest'
import { serve } from '../internal/test-kit/src/serve.ts'
import { claims, runHere } from '../internal/test-kit/src/service-payload.ts'
import { keysAndReceiver } from './support/keygen-receiver.ts'

describe('keygen, the service’s registration, and post over http', () => {
  test('signs claims and prints the one-time URL', async () => {
    await using service = await keysAndReceiver()
    const args = ['post', service.url, '--key', service.file('private.pem')]
    const { exitCode, stdout, stderr } = await runHere(args, JSON.stringify(claims))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${service.url}/open/\\S+\n$`))
  })

  test('a shared secret, and --json', async () => {
    await using service = await keysAndReceiver({ isSecret: true })
    const args = ['post', service.url, '--key', service.file('secret.txt'), '--kid', service.keyId, '--json']
    const { exitCode, stdout } = await runHere(args, JSON.stringify(claims))
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ url: expect.stringContaining(`${service.url}/open/`) })
  })

  test('posts a token that was signed before, and fails the second time', async () => {
    await using service = await keysAndReceiver()
    const key = ['--key', service.file('private.pem')]
    const signed = await runHere(['sign', ...key, '--audience', service.url], JSON.stringify(claims))
    const args = ['post', service.url]
    const first = await runHere(args, signed.stdout)
    expect(first.exitCode).toBe(0)
    expect(first.stdout).toContain('/open/')
    const second = await runHere(args, signed.stdout)
    expect({ exitCode: second.exitCode, stdout: second.stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(second.stderr).toMatch(
      /answered 401 ERR_PAYLOAD_REPLAYED: .*\[ERR_POST_REFUSED\]\n→ Sign a new payload/,
    )
    expect(second.stderr).toMatch(/in its log as request \S+\./)
    const third = await runHere([...args, '--json'], signed.stdout)
    expect(JSON.parse(third.stdout)).toEqual({
      refusal: { code: 'ERR_PAYLOAD_REPLAYED', status: 401, requestId: expect.any(String) },
    })
  })

  test('explain finds the reason of the service’s refusal', async () => {
    await using service = await keysAndReceiver()
    const key = ['--key', service.file('private.pem')]
    const signed = await runHere(['sign', ...key, '--audience', `${service.url}/`], JSON.stringify(claims))
    const posted = await runHere(['post', service.url], signed.stdout)
    const looking = ['explain', '--key', service.file('registration.json'), '--audience', service.url]
    const explained = await runHere(looking, signed.stdout)
    for (const { exitCode, stderr } of [posted, explained]) {
      expect(exitCode).toBe(4)
      expect(stderr).toContain('ERR_PAYLOAD_AUDIENCE')
    }
    expect(posted.stderr).toContain('service-payload explain')
  })
})

describe('post', () => {
  test('3 when the service does not answer, or not in time', async () => {
    await using silent = await serve(() => new Promise(() => {}))
    for (const [url, args, code] of [
      ['http://127.0.0.1:1/partner/payload', [], 'ERR_POST_UNREACHABLE'],
      [silent.origin, ['--timeout', '1'], 'ERR_POST_TIMEOUT'],
    ] as const) {
      const { exitCode, stdout, stderr } = await runHere(['post', url, ...args], 'a.b.c')
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
      expect(stderr).toContain(`[${code}]`)
    }
  })

  test('4 with advice when the service is busy or answers something else', async () => {
    await using busy = await serve(() =>
      Response.json(
        { code: 'ERR_RATE_LIMITED', detail: 'Too many \u001b[31mposts.\u009b', requestId: 'r-1\u0007' },
        { status: 429, headers: { 'content-type': 'application/problem+json', 'retry-after': '17' } },
      ),
    )
    await using proxy = await serve(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    const limited = await runHere(['post', busy.origin], 'a.b.c')
    expect(limited.exitCode).toBe(4)
    expect(limited.stderr).not.toMatch(/[^\P{Cc}\n]/u)
    expect(limited.stderr).toContain('→ Post more slowly. The service asks to wait 17 seconds.')
    const other = await runHere(['post', proxy.origin], 'a.b.c')
    expect(other.exitCode).toBe(4)
    expect(other.stderr).toContain('such as a proxy')
  })

  test.each([
    [['not a url'], /absolute address/],
    [['https://sso.example/', '--kid', 'x'], /Options for signing need --key/],
    [['https://sso.example/', '--audience', 'https://x.example'], /Options for signing need --key/],
    [['https://sso.example/', '--key', 'k', '--token', 't'], /not both/],
    [['https://sso.example/', '--token', '/no/such/file'], /does not exist/],
  ])('2 for %j', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await runHere(['post', ...args], 'a.b.c')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})
