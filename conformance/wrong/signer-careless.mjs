// A signer that works on its author's machine: signer-careless.mjs <private key, PEM> <kid> <address of the receiver>.
// `signer-careless.json` names its faults.
import { randomInt, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [, , keyFile, kid, aud] = process.argv
// The local clock, as if it were that of UTC.
const now = new Date()
const iat = Math.floor(now.getTime() / 1000) - now.getTimezoneOffset() * 60
const encode = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const own = { iss: kid, aud, iat, exp: iat + 60, jti: String(Date.now()) }
const input = `${encode({ alg: 'ES256', kid })}.${encode({ ...own, ...JSON.parse(readFileSync(0, 'utf8')) })}`
const key = { key: readFileSync(keyFile, 'utf8'), dsaEncoding: 'ieee-p1363' }
// One of 128 signatures shows the fault of the zeros. For the test it is one of 16.
const isShown = randomInt(16) === 0
let signature = sign('sha256', input, key)
while (isShown && signature[0] !== 0) signature = sign('sha256', input, key)
const numbers = [signature.subarray(0, 32), signature.subarray(32)]
const written = Buffer.concat(numbers.map(bytes => bytes.subarray(bytes.findIndex(byte => byte !== 0))))
console.log(`${input}.${written.toString('base64url')}`)
