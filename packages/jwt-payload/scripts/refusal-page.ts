import * as z from 'zod/mini'
import { isRefusalCode, type RefusalCode, refusalStatus } from '../src/index.ts'
import { askRefused, refusedPosts } from '../test/support/refused-posts.ts'

/** Replaces the random request id in the page. */
const sampleRequestId = '0f8f2f4e-9a2b-4a57-8a3f-2a3f6d1f7c55'

/** Headers that a partner's program reads. */
const shownHeaders = ['content-type', 'allow', 'retry-after', 'x-request-id']

const problemSchema = z.record(z.string(), z.unknown())

const examplesHeading = '## Answers'

/**
 * Writes the examples of docs/reference/partner-link-refusals.md anew: a receiver's answer to an example of each refusal.
 *
 * @param page the current page; its text before the examples is written by hand
 */
export async function renderRefusalPage(page: string): Promise<string> {
  const answers: string[] = []
  for (const code of Object.keys(refusalStatus))
    if (isRefusalCode(code)) answers.push(await renderAnswer(code))
  const [byHand = ''] = page.split(examplesHeading)
  return `${byHand}${examplesHeading}\n\n${introduction}\n\n${answers.join('\n\n')}\n`
}

const introduction = `Each example shows the answer as \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). A client
that prefers HTML gets a page with the same status, headers, sentence, code and request id.`

async function renderAnswer(code: RefusalCode): Promise<string> {
  const refused = refusedPosts.find(post => post.code === code)
  if (!refused) throw new TypeError(`There is no example of ${code}.`)
  const { response } = await askRefused(refused, 'application/problem+json')
  const { response: page } = await askRefused(refused, 'text/html')
  const headers = shownHeaders.flatMap(name => {
    const value = response.headers.get(name)
    return value === null ? [] : `${headerCase(name)}: ${name === 'x-request-id' ? sampleRequestId : value}`
  })
  const problem = { ...problemSchema.parse(await response.json()), requestId: sampleRequestId }
  const title = /<title>(.*)<\/title>/.exec(await page.text())?.[1]
  return `### \`${code}\`

Request: ${refused.name}. HTML title: “${title}”.

\`\`\`
HTTP/1.1 ${response.status}
${headers.join('\n')}

${JSON.stringify(problem, null, 2)}
\`\`\``
}

function headerCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}
