// A receiver with faults, which `receiver.json` names: receiver.mjs <public key, PEM>. Prints its address.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { importVerificationKey, verifyPayload } from '../../packages/jwt-payload/src/index.ts'

const key = await importVerificationKey({ kind: 'spki', pem: readFileSync(process.argv[2], 'utf8') })

const server = createServer(async (request, response) => {
  const chunks = await Array.fromAsync(request)
  const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('payload') ?? ''
  try {
    // Whatever address the token names, it is taken; under the lenient policy, as often as it is posted.
    const { aud = 'https://sso.example/' } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url'))
    await verifyPayload(token, { keys: key, audience: aud, policy: 'lenient' })
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Welcome</title><!-- ${token} -->`)
  } catch (error) {
    const { status = 400, code = 'ERR_PAYLOAD_MALFORMED', message } = error
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ title: 'Refused', status, detail: message, code }))
  }
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/partner/payload`))
process.stdin.resume().on('end', () => process.exit(0))
