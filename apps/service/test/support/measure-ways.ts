// Runs each way in this process and prints, as JSON, the source files of which a function ran, in their order: way → paths.
// `node -C @service-link/source --import ./scripts/note-files.ts apps/service/test/support/measure-ways.ts`
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @boundaries-ignore: a file of the repository
import { takeNoted } from '../../../../scripts/note-files.ts'

const person = { customId: 'c-1', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' }

const ways: Record<string, readonly string[]> = {}
await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'ways-'))
resources.defer(() => rm(folder, { recursive: true, force: true }))
await measureWrapper()
await measureService()
await resources.disposeAsync()
console.log(JSON.stringify(ways))

/** Files that run when `go` is called a second time: the first call may read what is kept afterwards. */
async function measure(way: string, go: () => Promise<void>): Promise<void> {
  await go()
  takeNoted()
  await go()
  ways[way] = takeNoted()
}

/** A wrapper and its client; the window and the web app are in memory. */
async function measureWrapper(): Promise<void> {
  const { connectWrapper } = await import('@service-link/pipe-client')
  const { startTestWrapper } = await import('@service-link/wrapper-host/testing')
  const wrapper = resources.use(await startTestWrapper())
  const { brand, folders } = wrapper
  await using client = await connectWrapper({ brand, userFolder: folders.userFolder })
  await measure('call', async () => {
    await client.selectPerson(person)
    await wrapper.nextCall()
  })
  await measure('launch', async () => {
    const names = ['id=c-1', 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1980-04-03']
    await wrapper.launch('provider=Service.Desktop.Arguments.Component, Service.Desktop', ...names)
    await wrapper.nextCall()
  })
  const file = join(folder, 'input.xml')
  await measure('file', async () => {
    const { customId, firstname, lastname, dateOfBirth } = person
    await writeFile(
      file,
      `<serviceinput><source_customerno>${customId}</source_customerno><firstname>${firstname}</firstname>` +
        `<lastname>${lastname}</lastname><born>${dateOfBirth}</born></serviceinput>`,
    )
    await wrapper.launch(file, 'provider=Service.Desktop.Legacy.Component, Service.Desktop', 'wait=true')
    await wrapper.nextCall()
  })
}

/** The demo's service and a partner whose employee is linked. The browser's part does not run. */
async function measureService(): Promise<void> {
  const { createPartnerKey, Visitor } = await import('../../src/testing/index.ts')
  const { createService } = await import('../../src/server/create-service.ts')
  const { demoAccounts } = await import('../../src/server/demo-data.ts')
  const { signPayload } = await import('@service-link/jwt-payload')
  const key = await createPartnerKey()
  const service = resources.use(
    await createService({ port: 0, dataFolder: folder, partners: [key.registration], demoAccounts }),
  )
  const visitor = new Visitor()
  const ask = async (path: string, body?: URLSearchParams | object) => {
    const isForm = body instanceof URLSearchParams
    const answer = await visitor.go(`${service.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        accept: isForm ? 'text/html' : 'application/json',
        origin: service.url,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return answer.text()
  }
  const audience = `${service.url}/partner/payload`
  const sign = (lastname = 'Nordmann') => {
    const contact = { id: 'c-1', firstname: 'Kari', lastname, birthdate: '1980-04-03' }
    const payload = { organizationId: 'o-1', employeeId: 'e-1', contact }
    return signPayload(payload, key.signing, { audience, issuer: key.issuer })
  }
  const post = async (payload: string) => {
    const page = await ask('/partner/payload', new URLSearchParams({ payload }))
    return JSON.parse(/id="service-link-boot">([^<]*)</.exec(page)?.[1] ?? 'null')
  }
  const { handle } = await post(await sign())
  await ask('/api/auth/sign-in/email', demoAccounts[0])
  await ask('/api/partner-visits', { handle, confirmed: true })
  // The usual post, and one with another spelling, about which the stores decide.
  const tokens = await Promise.all(['Nordmann', 'NORDMANN', 'Nordmann', 'NORDMANN'].map(sign))
  await measure('post', async () => {
    await post(tokens.pop() ?? '')
    const { contact } = await post(tokens.pop() ?? '')
    await ask(`/api/persons/${contact.contactId}`)
  })
}
