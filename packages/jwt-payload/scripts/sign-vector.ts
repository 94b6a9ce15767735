// Prints a token for a new vector of conformance/vectors/payload-verification.json, signed with a key of that file.
//
//   echo '{"key": "p256", "alg": "ES256", "claims": {…}}' | node -C @service-link/source scripts/sign-vector.ts
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { base64url, CompactSign, importPKCS8 } from 'jose'
import * as z from 'zod/mini'

const vectorsUrl = new URL('../../../conformance/vectors/payload-verification.json', import.meta.url)
const keySchema = z.object({ privatePem: z.optional(z.string()), secret: z.optional(z.string()) })
const { keys } = z
  .object({ keys: z.record(z.string(), keySchema) })
  .parse(JSON.parse(await readFile(vectorsUrl, 'utf8')))

const { key, alg, header, claims } = z
  .object({
    key: z.string(),
    alg: z.string(),
    /** Default: the key’s name as `kid`. */
    header: z.optional(z.record(z.string(), z.unknown())),
    claims: z.unknown(),
  })
  .parse(JSON.parse(await text(process.stdin)))

const { privatePem = '', secret } = keySchema.parse(keys[key])
const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
  .setProtectedHeader({ alg, ...(header ?? { typ: 'JWT', kid: key }) })
  .sign(secret === undefined ? await importPKCS8(privatePem, alg) : base64url.decode(secret))
process.stdout.write(`${token}\n`)
