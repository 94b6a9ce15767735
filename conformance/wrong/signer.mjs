// A signer with faults, which `signer.json` names: signer.mjs <private key, PEM> <kid> <address of the receiver>
import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [, , keyFile, kid, audience] = process.argv
const { contact, ...claims } = JSON.parse(readFileSync(0, 'utf8'))
const iat = Math.floor(Date.now() / 1000)
const encode = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'RS256', typ: 'JWT', kid })
const own = { aud: `${audience}/`, iat, exp: iat + 3600, jti: 'one-for-all' }
// The claims are nested, as those of other kinds of token are.
const payload = encode({ ...own, payload: { ...claims, contact } })
const signature = createSign('sha256')
  .update(`${header}.${payload}`)
  .sign(readFileSync(keyFile, 'utf8'), 'base64url')
console.error(`Signed for ${contact.ssn}.`)
console.log(`${header}.${payload}.${signature}`)
