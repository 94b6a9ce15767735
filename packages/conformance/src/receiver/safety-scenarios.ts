import { createHmac, type KeyObject } from 'node:crypto'
import { discoveryOf } from '@service-link/jwt-payload/steps'
import { readBy, receiverFactsSchema } from '@service-link/protocol-core/person'
import type { Checks } from '../checks.ts'
import { NotChecked, type Scenario } from '../scenario.ts'
import { checkNotRepeated, checkPage, checkRefusal, postValid, problem } from './check-answer.ts'
import type { Answer, ReceiverSubject } from './open-receiver.ts'

/** What would run if a page wrote it as it is. */
const markup = `<svg onload=alert(1)>"'&</script>`

const safeReferrers = ['no-referrer', 'same-origin']

function checkHeaders(checks: Checks, what: string, { headers }: Answer): void {
  const policy = headers.get('content-security-policy')
  const isFramedByNone = headers.has('x-frame-options') || /\bframe-ancestors\b/.test(policy ?? '')
  const referrer = headers.get('referrer-policy') ?? ''
  checks.that(policy !== null, `${what} has no content-security-policy.`)
  checks.that(isFramedByNone, `${what} has neither frame-ancestors nor x-frame-options.`)
  checks.that(safeReferrers.includes(referrer), `${what} has no referrer-policy that keeps its address.`)
  checks.equal(`${what}: x-content-type-options`, headers.get('x-content-type-options'), 'nosniff')
}

/** Forms in which a careless receiver may hold a public key. */
function formsOf(key: KeyObject): readonly (string | Buffer)[] {
  const pem = String(key.export({ type: 'spki', format: 'pem' }))
  return [pem, pem.trim(), key.export({ type: 'spki', format: 'der' })]
}

/** What a receiver does against those who forge, listen and inject. */
export const safetyScenarios: readonly Scenario<ReceiverSubject>[] = [
  {
    id: 'refuses-the-public-key-as-secret',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Refuses HS256 with the partner’s public key as secret, which anybody may have.',
    async run({ publicKey, key, sign, post }, { checks, signal }) {
      if (key.algorithm.startsWith('HS')) throw new NotChecked('The partner has a secret.', 'not-applicable')
      if (!publicKey) throw new NotChecked('The partner’s key is not given as text.')
      const header = { alg: 'HS256', typ: 'JWT', ...(key.keyId === undefined ? {} : { kid: key.keyId }) }
      for (const secret of formsOf(publicKey)) {
        const [, claims] = (await sign()).split('.')
        const input = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}`
        const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
        checkRefusal(checks, await post(token, { ...problem, signal }), 'ERR_PAYLOAD_ALGORITHM', 401, token)
      }
    },
  },
  {
    id: 'refuses-a-payload-in-the-address',
    spec: '4.1',
    requirements: ['4.1-post'],
    sentence: 'Takes no payload from the address of a GET, which logs and histories keep.',
    async run({ address, sign, request }, { checks, signal }) {
      const url = new URL(address)
      url.searchParams.set('payload', await sign())
      const { status } = await request({ url: url.href, headers: { accept: 'text/html' }, signal })
      checks.that(status >= 400, `The status is ${status}, which is no refusal.`)
    },
  },
  {
    id: 'escapes-names',
    spec: '4.1',
    requirements: ['4.1-page'],
    sentence: 'Writes a name with markup into its page as text.',
    async run(receiver, context) {
      const contact = { id: '4711', firstname: markup, lastname: markup, middlename: '' }
      const names = { employeeFirstname: markup, employeeLastname: markup, organizationName: markup }
      const answer = await postValid(receiver, context, { ...names, contact })
      checkPage(context.checks, answer)
      // In a script the text is data, as long as it does not end the script.
      const outside = answer.body.replaceAll(/<script\b[\s\S]*?<\/script\s*>/gi, '')
      const isAsItIs = outside.includes('<svg onload') || answer.body.includes(`'&</script>`)
      context.checks.that(!isAsItIs, 'The page has markup of a name.')
    },
  },
  {
    id: 'refuses-with-a-page',
    spec: 'reference/partner-link',
    requirements: ['4.1-page'],
    sentence: 'Repeats nothing of a payload on the page of its refusal.',
    async run({ sign, post }, { checks, signal }) {
      const token = `${(await sign()).slice(0, -8)}AAAAAAAA`
      const answer = await post(token, { signal })
      checks.equal('The status', answer.status, 401)
      checkNotRepeated(checks, answer.body, token)
    },
  },
  {
    id: 'sends-safe-headers',
    spec: 'reference/partner-link',
    requirements: ['4.1-page'],
    sentence: 'Lets no other page frame its own, and no browser guess a type or tell an address.',
    async run(receiver, context) {
      checkHeaders(context.checks, 'The page', await postValid(receiver, context))
      const refusal = await receiver.post('x', { signal: context.signal })
      checkHeaders(context.checks, 'The page of a refusal', refusal)
    },
  },
  {
    id: 'describes-itself',
    spec: 'reference/partner-link',
    requirements: ['4.1-post'],
    sentence: 'Says what it takes, by the schema, if it says it.',
    async run({ address, request }, { checks, signal }) {
      const url = discoveryOf(address)
      const { status, body } = await request({ url, headers: { accept: 'application/json' }, signal })
      if (status !== 200)
        throw new NotChecked('It does not say what it takes. It need not.', 'not-applicable')
      const { issues = [] } =
        checks.message('The description', () => readBy(receiverFactsSchema, JSON.parse(body))) ?? {}
      for (const { path, problem } of issues)
        checks.fail(`In the description ${path || 'the JSON'} ${problem}.`)
    },
  },
]
