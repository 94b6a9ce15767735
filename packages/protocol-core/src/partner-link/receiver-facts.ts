import * as z from 'zod/mini'
import { described, withJson } from '../schema/facts.ts'
import { object } from '../schema/object.ts'

// Printable ASCII: programs show these texts on a terminal.
const address = withJson(
  z.string().check(
    z.maxLength(2048),
    z.refine(text => /^https?:\/\/[!-~]+$/i.test(text) && URL.canParse(text), {
      error: 'must be an absolute http or https URL',
    }),
  ),
  { format: 'uri' },
)

const name = z.string().check(z.regex(/^[\w.-]{1,64}$/, { error: 'must be a name' }))
const names = z.array(name).check(z.maxLength(64))

// Far above what a receiver needs: a foreign one must not talk a sender into tokens that live for years.
const numberFrom = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))
const seconds = numberFrom(1, 86_400)

/** What a receiver says of itself to everybody, at `{sso_url}/.well-known/partner-link`. It may have further members. */
export const receiverFactsSchema = object({
  version: described(z.literal(1), 'Version of this document'),
  address: described(address, 'Address of the post'),
  audiences: described(
    z.array(address).check(z.minLength(1), z.maxLength(64)),
    'Addresses that tokens may have in aud; the first is that of the post',
  ),
  algorithms: described(names, 'Each alg that some key may be registered with'),
  policies: described(names, 'Policies that a partner may be registered with'),
  limits: described(
    object({
      formBytes: described(numberFrom(1, 2 ** 20), 'Bytes of the body of a post'),
      spanSeconds: described(seconds, 'Seconds from iat to exp under strict'),
      toleranceSeconds: described(numberFrom(0, 3600), 'Seconds by which clocks may differ'),
      openSeconds: described(seconds, 'Seconds for which a one-time URL works'),
      logInSeconds: described(seconds, 'Seconds for which a payload waits for a log-in'),
    }),
    'Limits of a post and of what it opens',
  ),
  frames: described(
    object({
      messages: described(
        numberFrom(1, 1000),
        'Version of the messages of a frame, their member serviceLink',
      ),
      headers: described(names, 'Headers by which the browser of a frame must say what it loads'),
      sandbox: described(names, 'What the attribute sandbox of a frame must allow, if there is one'),
    }),
    'What a frame needs beside a registered origin',
  ),
  docs: described(address, 'The reference of the partner link'),
  errors: described(address, 'The explanation of each code'),
})

/** See {@link receiverFactsSchema}. */
export type ReceiverFacts = Readonly<z.output<typeof receiverFactsSchema>>
