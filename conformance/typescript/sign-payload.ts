// Signs a payload of the partner link, to be copied: Node with @service-link/jwt-payload.
// sign-payload.ts <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output
import { readFile } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import { importSigningKey, type PayloadClaims, signPayload } from '@service-link/jwt-payload'

const [file = '', kid = '', audience = ''] = process.argv.slice(2)
const key = await importSigningKey({ kind: 'pkcs8', pem: await readFile(file, 'utf8'), kid })

// Sign at the click: the token lives a minute and works once. It checks the claims as the service does.
console.log(await signPayload((await json(process.stdin)) as PayloadClaims, key, { audience }))
