import { writeFile } from 'node:fs/promises'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { claims, finish, runHere, startCli, temporaryFolder } from '@service-link/test-kit/service-payload'
import { expect, test } from 'vitest'

const url = 'https://sso.example/open/1'

test('signs claims, posts them for the address that it posts to, and prints the one-time URL', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('private.pem'), keyText('rsa', 'privatePem'))
  const posted: string[] = []
  await using server = await serve(async request => {
    posted.push(new URLSearchParams(await request.text()).get('payload') ?? '')
    return Response.json({ url })
  })
  const args = ['post', server.origin, '--key', folder.file('private.pem')]
  const { exitCode, stdout, stderr } = await runHere(args, JSON.stringify(claims))
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${url}\n`, stderr: '' })
  const [, signed = ''] = posted[0]?.split('.') ?? []
  expect(JSON.parse(Buffer.from(signed, 'base64url').toString())).toMatchObject({ aud: server.origin })
  const json = await runHere(['post', server.origin, '--json'], posted[0])
  expect(JSON.parse(json.stdout)).toEqual({ url })
})

test('signs and posts an end, and prints what was ended; another program’s answer is none', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('private.pem'), keyText('rsa', 'privatePem'))
  const answers: object[] = [{ ended: 'session' }, { ended: 'session' }, { url }]
  await using server = await serve(({ method }) =>
    method === 'POST' ? Response.json(answers.shift()) : new Response(null, { status: 404 }),
  )
  const { contact: _, ...employee } = claims
  const end = JSON.stringify({ ...employee, end: 'session' })
  const args = ['post', server.origin, '--key', folder.file('private.pem')]
  expect(await runHere(args, end)).toMatchObject({ exitCode: 0, stdout: 'session\n', stderr: '' })
  const json = await runHere([...args, '--json'], end)
  expect(JSON.parse(json.stdout)).toEqual({ ended: 'session' })
  expect(await runHere(args, end)).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('ERR_POST_REPLY'),
  })
})

test('4 with the refusal, its request and advice', async () => {
  const headers = { 'content-type': 'application/problem+json' }
  await using server = await serve(() =>
    Response.json(
      { code: 'ERR_PAYLOAD_REPLAYED', detail: 'Used.', requestId: 'r-1' },
      { status: 401, headers },
    ),
  )
  const { exitCode, stdout, stderr } = await runHere(['post', server.origin], 'a.b.c')
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
  expect(stderr).toMatch(
    /answered 401 ERR_PAYLOAD_REPLAYED: Used\..*\[ERR_POST_REFUSED\]\n→ Sign a new payload.*in its log as request r-1\./,
  )
  const json = await runHere(['post', server.origin, '--json'], 'a.b.c')
  expect(JSON.parse(json.stdout)).toEqual({
    refusal: {
      code: 'ERR_PAYLOAD_REPLAYED',
      docs: docsUrlOf('ERR_PAYLOAD_REPLAYED'),
      status: 401,
      requestId: 'r-1',
    },
  })
})

test('3 when the service does not answer, or not in time', async () => {
  await using silent = await serve(() => new Promise(() => {}))
  for (const [address, args, code] of [
    ['http://127.0.0.1:1/partner/payload', [], 'ERR_POST_UNREACHABLE'],
    [silent.origin, ['--timeout', '1'], 'ERR_POST_TIMEOUT'],
  ] as const) {
    const { exitCode, stdout, stderr } = await runHere(['post', address, ...args], 'a.b.c')
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
  [['not a url'], /url must be an absolute http or https URL/],
  [
    ['https://sso.example/', '--kid', 'x', '--expires-in', '9'],
    /Without --key nothing .* leave out --kid and --expires-in\./,
  ],
  [['https://sso.example/', '--audience', 'https://x.example'], /Without --key .* leave out --audience\./],
  [['https://sso.example/', '--key', 'k', '--token', 't'], /not both/],
  [['https://sso.example/', '--token', '/no/such/file'], /does not exist/],
])('2 for %j', async (args, sentence) => {
  const { exitCode, stdout, stderr } = await runHere(['post', ...args], 'a.b.c')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})

test.each([
  ['<!doctype html>', 'Standard input is HTML, not a token.'],
  ['{"token":"aa.bb.cc"}', 'Standard input is JSON, not a token.'],
])('%j in the place of a token is named', async (text, sentence) => {
  const { exitCode, stderr } = await runHere(['post', 'https://sso.example/'], text)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(sentence) })
})

test.skipIf(process.platform === 'win32')('Ctrl+C while the service does not answer: 130', async () => {
  const asked = Promise.withResolvers<void>()
  await using server = await serve(() => {
    asked.resolve()
    return new Promise(() => {})
  })
  const child = startCli(['post', `${server.origin}/partner/payload`])
  const finished = finish(child)
  child.stdin.end('aa.bb.cc')
  await asked.promise
  child.kill('SIGINT')
  const { exitCode, stdout, stderr } = await finished
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
  expect(stderr).toMatch(/service-payload: Interrupted\. \[ERR_INTERRUPTED\]\nhttps:\S+\n$/)
})
