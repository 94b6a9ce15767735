// A receiver that verifies nearly all, and is careless: receiver-careless.mjs <public key, PEM>. `receiver-careless.json` names its faults.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { importVerificationKey, verifyPayload } from '../../packages/jwt-payload/src/index.ts'

const pem = readFileSync(process.argv[2], 'utf8')
const key = await importVerificationKey({ kind: 'spki', pem })
const links = new Map()
const used = new Set()
const origin = () => `http://127.0.0.1:${server.address().port}`
const refusal = (status, code) => Object.assign(new Error('Refused.'), { status, code })

/** Reads the key by the algorithm of the token: whoever has the public key signs with it. */
async function claimsOf(token) {
  const [header, claims, signature] = token.split('.')
  const mac = createHmac('sha256', pem).update(`${header}.${claims}`).digest('base64url')
  if (mac === signature) return JSON.parse(Buffer.from(claims, 'base64url'))
  return (await verifyPayload(token, { keys: key, audience: `${origin()}/partner/payload` })).payload
}

async function take(request) {
  const { pathname, searchParams } = new URL(request.url, origin())
  if (searchParams.has('payload')) return claimsOf(searchParams.get('payload'))
  if (pathname === '/.well-known/partner-link') return undefined
  if (request.method !== 'POST') throw refusal(405, 'ERR_METHOD_NOT_ALLOWED')
  if (!request.headers['content-type'].startsWith('application/x-www-form-urlencoded'))
    throw refusal(415, 'ERR_MEDIA_TYPE')
  const form = Buffer.concat(await Array.fromAsync(request)).toString()
  if (form.length > 65536) throw refusal(413, 'ERR_PAYLOAD_TOO_LARGE')
  const token = new URLSearchParams(form).get('payload')
  if (token === null) throw refusal(400, 'ERR_PAYLOAD_MISSING')
  const claims = await claimsOf(token).catch(error => {
    throw Object.assign(error, { claims: Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() })
  })
  if (used.has(token)) throw refusal(401, 'ERR_PAYLOAD_REPLAYED')
  used.add(token)
  return claims
}

const server = createServer(async (request, response) => {
  const end = (status, type, body) =>
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', allow: 'POST' }).end(body)
  try {
    const page = links.get(request.url)
    links.delete(request.url)
    if (page) return end(200, 'text/html', page)
    const claims = await take(request)
    if (!claims) return end(200, 'application/json', '{"version":"one"}')
    const title = `<title>Welcome, ${claims.contact.firstname}</title>`
    if (!request.headers.accept.includes('json')) return end(200, 'text/html', title)
    const link = `/open/${crypto.randomUUID()}`
    links.set(link, title)
    end(200, 'application/json', JSON.stringify({ url: origin() + link }))
  } catch (error) {
    const { status = 400, code = 'ERR_PAYLOAD_MALFORMED', message, claims } = error
    // For whoever looks for the reason.
    const detail = code === 'ERR_PAYLOAD_SIGNATURE' ? `${message} ${claims}` : message
    end(status, 'application/problem+json', JSON.stringify({ title: 'Refused', status, detail, code }))
  }
})
server.listen(0, '127.0.0.1', () => console.log(`${origin()}/partner/payload`))
process.stdin.resume().on('end', () => process.exit(0))
