import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SigningKey } from '@service-link/jwt-payload'
import { makeKeys } from '../measure/keys.ts'
import { startProgram, temporaryFolder } from '../measure/processes.ts'

const program = fileURLToPath(new URL('../../../apps/demo/src/service/main.ts', import.meta.url))

export const partnerIssuer = 'https://partner.example'

interface DemoService extends AsyncDisposable {
  readonly url: string
  /** Signs as the only partner of the service. */
  readonly key: SigningKey
  readonly account: { readonly email: string; readonly password: string }
}

/** Starts the demo service with a new database and one partner. */
export async function startDemoService(): Promise<DemoService> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const { key, publicJwk: jwk } = await makeKeys('ES256')
  const partnersFile = join(folder.path, 'partners.json')
  const keys = [{ kind: 'jwk', kid: 'bench', jwk }]
  await writeFile(partnersFile, JSON.stringify([{ id: 'bench', name: 'Bench', issuer: partnerIssuer, keys }]))
  const { lines } = resources.use(
    startProgram([program], {
      PORT: '0',
      SERVICE_DATA: join(folder.path, 'data'),
      PARTNERS_FILE: partnersFile,
      DEMO_ACCOUNTS: '1',
      LOG_LEVEL: 'silent',
    }),
  )
  const said: string[] = []
  for await (const line of lines) {
    said.push(line)
    const [, url] = /^Service: (.*)/.exec(said[0] ?? '') ?? []
    const [, email, password] = /^Demo account: (\S+) {2}(\S+)/.exec(line) ?? []
    if (url === undefined || email === undefined || password === undefined) continue
    const owned = resources.move()
    return { url, key, account: { email, password }, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  throw new Error(`The demo service did not start: ${said.join('\n')}`)
}
