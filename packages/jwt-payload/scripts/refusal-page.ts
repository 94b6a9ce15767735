import { z } from 'zod'
import { refusalStatus } from '../src/index.ts'
import { refusalCodes, refusalTable } from '../src/receiver/refusal-table.ts'
import { askRefused, refusedPosts } from '../test/support/refused-posts.ts'

/** Replaces the random request id in the page. */
const sampleRequestId = '0f8f2f4e-9a2b-4a57-8a3f-2a3f6d1f7c55'

/** Headers that a partner's program reads. */
const shownHeaders = ['content-type', 'allow', 'retry-after', 'x-request-id']

const problemSchema = z.record(z.string(), z.unknown())

/** Writes docs/reference/partner-link-refusals.md: the table of refusals, and a receiver's answer to an example of each. */
export async function renderRefusalPage(): Promise<string> {
  const answers: string[] = []
  for (const code of refusalCodes) answers.push(await renderAnswer(code))
  return `${introduction}\n${renderTable()}\n\n## Answers\n\n${answersIntroduction}\n\n${answers.join('\n\n')}\n`
}

const introduction = `<!-- Written by packages/jwt-payload/scripts/refusal-page.ts; change it there. -->
# Refusals of the partner link

This page lists the refusals of a [partner link](partner-link.md) receiver in the order of its checks: the first that fails
answers. It reads claims after the signature was verified, or before if only \`iss\` names the partner.

- \`code\` is stable; \`detail\` and \`title\` are for people and may change. No refusal repeats the token or a value of it.
- Give \`requestId\`, which is also the header \`X-Request-Id\`, to the service's support.
- A refusal does not use up the token, but its time passes: sign anew where a retry helps.
- After \`ERR_UNAVAILABLE\` the payload may have been taken. A new one then finds the same person; nothing is entered twice.
`

const answersIntroduction = `Each example shows the answer as \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). A client
that prefers HTML gets a page with the same status, headers, sentence, code and request id.`

function renderTable(): string {
  const rows = refusalCodes.map(code => {
    const { meaning, change, retry } = refusalTable[code]
    return `| \`${code}\` | ${refusalStatus[code]} | ${meaning} | ${change} | ${retry} |`
  })
  const head = '| code | status | what is wrong | what to change | worth a retry? |\n|---|---|---|---|---|'
  return `${head}\n${rows.join('\n')}`
}

async function renderAnswer(code: keyof typeof refusalStatus): Promise<string> {
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
