import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type RefusalCode, refusalStatus } from '@service-link/jwt-payload'
import { docsSite } from '@service-link/protocol-core/errors'

type Json = Readonly<Record<string, unknown>>

const { resolve } = createRequire(import.meta.url)

/** The schemas that travel, as protocol-core publishes them. */
const schemas = ['payload', 'end', 'posted-link', 'posted-end', 'problem', 'receiver-facts'] as const

const ref = (name: (typeof schemas)[number]) => ({ $ref: `#/components/schemas/${name}` })

/** A schema of protocol-core. The document names its dialect once. */
function schemaOf(name: (typeof schemas)[number]): Json {
  const file = resolve(`@service-link/protocol-core/json-schema/${name}.json`)
  const { $schema: _dialect, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  return schema
}

const html = { 'text/html': { schema: { type: 'string' } } }
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }

/** Headers of a refusal by its status. */
const headersOf: Readonly<Record<number, readonly string[]>> = {
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The answers of all refusals that a request may get, by their status. */
function refusals(codes: readonly RefusalCode[]): Json {
  const byStatus = Map.groupBy(codes, code => refusalStatus[code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, found]) => {
        const named = headersOf[status] ?? []
        const headers = Object.fromEntries(
          named.map(name => [name, { $ref: `#/components/headers/${name}` }]),
        )
        const known = { properties: { status: { const: status }, code: { enum: found } } }
        const problem = { schema: { allOf: [ref('problem'), known] } }
        const content = { 'application/problem+json': problem, ...html }
        return [status, { description: found.join(', '), headers: { ...requestId, ...headers }, content }]
      }),
  )
}

/** The refusals of every address, and those of a one-time URL alone. All others are of the post. */
const everywhere: readonly RefusalCode[] = ['ERR_METHOD_NOT_ALLOWED']
const ofLinks: readonly RefusalCode[] = [
  'ERR_NOT_NAVIGATED',
  ...everywhere,
  'ERR_PARTNER_INACTIVE',
  'ERR_RATE_LIMITED',
  'ERR_UNAVAILABLE',
  'ERR_LINK_GONE',
]
const ofPosts = (Object.keys(refusalStatus) as RefusalCode[]).filter(code => code !== 'ERR_LINK_GONE')

const page = {
  description: 'The page that opens the web app, with the cookies of its session',
  content: html,
}

const post = {
  operationId: 'post',
  summary: 'Opens the service with a person in focus, or ends what was opened',
  description: 'Accept decides on the answer: HTML is for a browser, JSON for a program.',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['payload'],
          properties: {
            payload: {
              type: 'string',
              description: 'A signed JWT. It works once',
              contentMediaType: 'application/jwt',
              contentSchema: {
                type: 'array',
                prefixItems: [{ type: 'object', required: ['alg'] }, { anyOf: [ref('payload'), ref('end')] }],
              },
            },
          },
        },
      },
    },
  },
  responses: {
    200: {
      ...page,
      headers: requestId,
      content: {
        ...html,
        'application/json': { schema: { oneOf: [ref('posted-link'), ref('posted-end')] } },
      },
    },
    ...refusals(ofPosts),
  },
}

const open = {
  operationId: 'open',
  summary: 'Opens the service, once and within a minute of the post',
  parameters: [{ name: 'handle', in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: { ...page, headers: requestId }, ...refusals(ofLinks) },
}

const told = {
  description: 'Nothing of it is about a partner',
  headers: {
    'Access-Control-Allow-Origin': { description: 'Any page may read it', schema: { const: '*' } },
    'Cache-Control': { description: 'How long it may be kept', schema: { type: 'string' } },
    'Cross-Origin-Resource-Policy': { schema: { const: 'cross-origin' } },
    'X-Content-Type-Options': { schema: { const: 'nosniff' } },
  },
}
const untold = { description: 'The receiver does not tell' }

const describe = {
  operationId: 'describe',
  summary: 'Says where the receiver is and what it takes, to everybody',
  responses: {
    200: { ...told, content: { 'application/json': { schema: ref('receiver-facts') } } },
    404: untold,
    ...refusals(everywhere),
  },
}

const probe = {
  operationId: 'probe',
  summary: 'Gives the headers of GET alone',
  responses: { 200: told, 404: untold },
}

const document = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Receiver of the partner link',
    // Of the wire: another version has other addresses.
    version: '1',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  externalDocs: { url: docsSite },
  servers: [{ url: '{sso_url}', variables: { sso_url: { default: 'https://sso.example' } } }],
  // The token is the authorization.
  security: [],
  paths: {
    '/partner/payload': { post },
    '/partner/payload/open/{handle}': { get: open },
    '/.well-known/partner-link': { get: describe, head: probe },
  },
  components: {
    headers: {
      Allow: { description: 'The method that the address takes', schema: { type: 'string' } },
      'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
      'X-Request-Id': {
        description: 'Finds the request in the log of the service',
        schema: { type: 'string' },
      },
    },
    schemas: Object.fromEntries(schemas.map(name => [name, schemaOf(name)])),
  },
})

/** The receiver as OpenAPI 3.1: the text of `openapi.json` of this package. */
export function openApiFile(): { readonly url: URL; readonly text: string } {
  return {
    url: new URL('../openapi.json', import.meta.url),
    text: `${JSON.stringify(document(), null, 2)}\n`,
  }
}
