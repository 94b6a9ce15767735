import { type Command, Option } from 'commander'
import { z } from 'zod'
import { PostRefusedError } from '../../post/post-errors.ts'
import { postPayload } from '../../post/post-payload.ts'
import { UsageError } from '../cli-errors.ts'
import type { CommandLine } from '../command-line.ts'
import { takeToken } from '../input/take-token.ts'
import { addressFrom, integerFrom } from '../option-values.ts'
import { plainLines } from '../output/plain-text.ts'
import { printJson } from '../output/print-json.ts'
import { withProgress } from '../output/with-progress.ts'
import type { Terminal } from '../terminal.ts'
import { addSigningOptions, claimsHelp, signingOptionsSchema, signRequested } from './sign-command.ts'

const postRequestSchema = signingOptionsSchema.extend({
  action: z.literal('post'),
  url: z.string(),
  key: z.string().optional(),
  audience: z.string().optional(),
  token: z.string().optional(),
  accept: z.enum(['page', 'json']),
  timeout: z.int().optional(),
  json: z.boolean().default(false),
})

/** What `service-payload post` is asked for. */
export type PostRequest = z.output<typeof postRequestSchema>

/** Adds `post` to the program. */
export function addPostCommand(program: Command, choose: (request: CommandLine) => void): void {
  const command = program
    .command('post')
    .description('Posts a payload to the service: signs claims when --key is given, else posts a token.')
    .argument('<url>', 'address of the receiver, {sso_url}/partner/payload', addressFrom)
    .option('--key <file>', 'private key or shared secret to sign with')
    .option('--token <file>', 'file with a token to post, without --key; default -, standard input')
    .option('--audience <url>', 'default: the address that is posted to', addressFrom)
    .addOption(
      new Option('--accept <what>', 'json prints the one-time URL to open, page the web page')
        .choices(['json', 'page'])
        .default('json'),
    )
    .option('--timeout <seconds>', 'longest wait, 1 to 3600; default 30', integerFrom(1, 3600))
    .option('--json', 'prints the answer, or the refusal, as JSON')
    .action((url, options) => choose(postRequestSchema.parse({ action: 'post', url, ...options })))
  addSigningOptions(command)
  command.addHelpText('after', claimsHelp)
}

/**
 * Posts, and prints what the service answers.
 *
 * @throws {PostRefusedError} when the service refuses
 */
export async function runPost(request: PostRequest, terminal: Terminal): Promise<void> {
  const { url, accept, timeout, json } = request
  const token = await tokenOf(request, terminal)
  const options = {
    signal: terminal.signal,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  }
  try {
    const answer = await withProgress('Waiting for the service', terminal, () =>
      postPayload(url, token, { ...options, accept }),
    )
    if (json) printJson(answer, terminal)
    else terminal.print('url' in answer ? `${answer.url}\n` : pageFor(terminal, answer.html))
  } catch (error) {
    if (json && error instanceof PostRefusedError) {
      const { status, refusalCode, requestId, retryAfterSeconds } = error
      printJson({ refusal: { code: refusalCode, status, requestId, retryAfterSeconds } }, terminal)
    }
    throw error
  }
}

/** As it is for a file or program; on a terminal it must not drive it. */
function pageFor({ isDataWatched }: Terminal, html: string): string {
  return isDataWatched ? plainLines(html) : html
}

async function tokenOf(request: PostRequest, terminal: Terminal): Promise<string> {
  const { key, url, audience = url, token } = request
  if (key === undefined) {
    assertNoSigning(request)
    return takeToken({ token: undefined, file: token }, terminal)
  }
  if (token !== undefined)
    throw new UsageError('Give --key to sign, or --token to post what is signed, and not both.')
  return signRequested(request, key, audience, terminal)
}

/** An option that would have no effect is a misunderstanding. */
function assertNoSigning(request: PostRequest): void {
  const given = Object.keys(signingOptionsSchema.shape).concat('audience')
  const useless = Object.entries(request).find(([name, value]) => value !== undefined && given.includes(name))
  if (useless) throw new UsageError('Options for signing need --key.')
}
