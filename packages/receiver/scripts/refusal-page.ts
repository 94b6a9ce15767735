import { importVerificationKey } from '@service-link/jwt-payload'
import { keyText } from '@service-link/test-kit/payload-vectors'
import * as z from 'zod/mini'
import { askRefused, refusedPosts } from '../test/support/refused-posts.ts'

const problemSchema = z.record(z.string(), z.unknown())

const mistakesHeading = '## Ten mistakes'

/**
 * Writes the last section of docs/reference/partner-link-refusals.md anew: the sentence that each of ten mistakes gets.
 *
 * @param page the current page; its text before that section is written by hand
 */
export async function renderRefusalPage(page: string): Promise<string> {
  const [byHand = ''] = page.split(mistakesHeading)
  return `${byHand}${mistakesHeading}\n\n${await renderMistakes()}\n`
}

/** Mistakes of a new partner, each with the example that shows it. */
const mistakes: readonly (readonly [mistake: string, example: string])[] = [
  ['The token is signed for another address.', 'another address'],
  ['The token is signed when the page is made, and posted later.', 'an old token'],
  ['The token is signed with another key than the one that its `kid` names.', 'the kid of another key'],
  [
    'The token is signed with RS256, and its `kid` is that of an EC key.',
    'RS256 where an EC key is registered',
  ],
  ['The claims have no `contact.id`.', 'no contact.id'],
  ['The clock of the signing server is two minutes ahead.', 'a clock that is two minutes ahead'],
  ['The key is not registered: the `kid`, by default the key’s thumbprint, is unknown.', 'a kid of nobody'],
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
