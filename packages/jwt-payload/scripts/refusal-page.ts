import * as z from 'zod/mini'
import { importVerificationKey, isRefusalCode, type RefusalCode, refusalStatus } from '../src/index.ts'
import { sentenceOf } from '../src/receiver/refusal-page.ts'
import { askRefused, refusedPosts } from '../test/support/refused-posts.ts'
import { keyText } from '../test/support/vectors.ts'

/** Replaces the random request id in the page. */
const sampleRequestId = '0f8f2f4e-9a2b-4a57-8a3f-2a3f6d1f7c55'

/** Headers that a partner's program reads. */
const shownHeaders = ['content-type', 'allow', 'access-control-allow-origin', 'retry-after', 'x-request-id']

const problemSchema = z.record(z.string(), z.unknown())

const mistakesHeading = '## Ten mistakes'
const examplesHeading = '## Answers'

/**
 * Writes two sections of docs/reference/partner-link-refusals.md anew: the sentence that each of ten mistakes gets, and a receiver's
 * answer to an example of each refusal.
 *
 * @param page the current page; its text before the examples is written by hand
 */
export async function renderRefusalPage(page: string): Promise<string> {
  const answers: string[] = []
  for (const code of Object.keys(refusalStatus))
    if (isRefusalCode(code)) answers.push(await renderAnswer(code))
  const [byHand = ''] = page.split(mistakesHeading)
  return `${byHand}${mistakesHeading}

${await renderMistakes()}

${examplesHeading}\n\n${introduction}\n\n${answers.join('\n\n')}\n`
}

/** Mistakes of a new partner, each with the example that shows it. */
const mistakes: readonly (readonly [mistake: string, example: string])[] = [
  ['The token is signed for another address.', 'another address'],
  ['The token is signed when the page is made, and posted later.', 'an old token'],
  ['The token is signed with a key that is not registered.', 'the kid of another key'],
  ['The token is signed with RS256, and an EC key is registered.', 'RS256 where an EC key is registered'],
  ['The claims have no `contact.id`.', 'no contact.id'],
  ['The clock of the signing server is two minutes ahead.', 'a clock that is two minutes ahead'],
  ['The header names a `kid` that is not registered.', 'a kid of nobody'],
  ['A template has escaped the token as HTML.', 'a token that a template has escaped as HTML'],
  ['The same token is posted twice.', 'a token used before'],
]

async function renderMistakes(): Promise<string> {
  const rows = await Promise.all(
    mistakes.map(async ([mistake, example]) => {
      const refused = refusedPosts.find(({ name }) => name === example)
      if (!refused) throw new TypeError(`There is no example ${example}.`)
      const { response } = await askRefused(refused, 'application/problem+json')
      const { code, detail } = problemSchema.parse(await response.json())
      return `| ${mistake} | \`${code}\` | ${detail} |`
    }),
  )
  const pem = keyText('rsa', 'privatePem')
  const refusal: unknown = await importVerificationKey({ kind: 'spki', pem }).catch((error: unknown) => error)
  const { code, message } = Object(refusal)
  rows.push(`| The private key is registered in place of the public one. | \`${code}\` | ${message} |`)
  return [
    'Each row is the receiver’s answer, or the error of the registration.',
    '',
    '| mistake | code | sentence |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}

const introduction = `Each example shows the answer as \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). A client
that prefers HTML gets a page with the same status and headers. It shows one sentence for its reader; the facts for
developers are in a fold. The option \`renderRefusal\` of the receiver writes another page.`

async function renderAnswer(code: RefusalCode): Promise<string> {
  const refused = refusedPosts.find(post => post.code === code)
  if (!refused) throw new TypeError(`There is no example of ${code}.`)
  const { response } = await askRefused(refused, 'application/problem+json')
  const headers = shownHeaders.flatMap(name => {
    const value = response.headers.get(name)
    return value === null ? [] : `${headerCase(name)}: ${name === 'x-request-id' ? sampleRequestId : value}`
  })
  const problem = { ...problemSchema.parse(await response.json()), requestId: sampleRequestId }
  const page = code === 'ERR_CROSS_ORIGIN' ? 'A script gets no page.' : `The page says: “${sentenceOf(code)}”`
  return `### \`${code}\`

Request: ${refused.name}. ${page}

\`\`\`
HTTP/1.1 ${response.status}
${headers.join('\n')}

${JSON.stringify(problem, null, 2)}
\`\`\``
}

function headerCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}
