import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { pageModules } from '@service-link/test-kit/page-modules'
import { canListProcesses, killRenderers, mainPid } from '@service-link/test-kit/processes'
import { listen } from '@service-link/test-kit/serve'
import { hasBrowser, headless } from '@service-link/test-kit/test-window'
import { describe, expect, test, vi } from 'vitest'
import { type NewWrapperOptions, newWrapper } from '../support/new-wrapper.ts'
import { payloadArgument } from '../support/provider-input.ts'

const soon = { timeout: 60_000 }
const patient = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const payload = 'eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.c2lnbmF0dXJl'
const byPartnerLink = 'provider=Service.Desktop.PartnerLink.Component, Service.Desktop'
const person = [
  'provider=Service.Desktop.Arguments.Component, Service.Desktop',
  'id=4711',
  'firstname=Kari',
  'lastname=Nordmann',
  'dateofbirth=1970-01-02',
]

/** The cookie is the session. The page asks at each load, and answers a selection when the service does. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  const host = connectHost({
    async selectPerson({ customId }, signal, via) {
      await fetch('/select?via=' + via, { method: 'POST', signal })
      return { status: 'selected', userId: 17, customId: customId ?? '' }
    },
    signOut: () => fetch('/sign-out', { method: 'POST' }),
  })
  addEventListener('beforeunload', event => {
    if (event.isTrusted) return
    const question = new XMLHttpRequest()
    question.open('GET', '/unsaved', false)
    question.send()
    if (question.responseText !== 'unsaved') return
    event.preventDefault()
    // The user works on, else there is no further question.
    dispatchEvent(new KeyboardEvent('keydown'))
  })
  if ((await (await fetch('/session')).text()) === 'signed in') host.signedIn()
</script>`

type Site = Awaited<ReturnType<typeof serveWebApp>>

/** A service with a log-in by payload. */
async function serveWebApp() {
  const modules = await pageModules()
  /** Method and path of each request, and its session: `GET /session signed in`. */
  const requests: string[] = []
  /** Number of the next selections that get no answer. */
  const silence = { count: 0 }
  /** Number of the next questions of the wrapper to which the page answers that it has an unsaved form. */
  const unsaved = { count: 0 }
  const server = await listen((request, response) => {
    const { method = '', url = '/' } = request
    const isSignedIn = /\bsession=1\b/.test(request.headers.cookie ?? '')
    requests.push(`${method} ${url}${isSignedIn ? ' signed in' : ''}`)
    const module = modules[url]
    if (typeof module === 'object')
      return response.writeHead(200, { 'content-type': module.type }).end(module.body)
    if (url === '/session') return response.end(isSignedIn ? 'signed in' : 'nobody')
    if (url.startsWith('/select')) return silence.count-- > 0 ? response : response.end()
    if (url === '/unsaved') return response.end(unsaved.count-- > 0 ? 'unsaved' : 'saved')
    if (url === '/sign-out') return response.end()
    // A wrapper that has not reached the service looks for it by GET, which signs nobody in.
    if (url === '/partner/payload' && method !== 'POST') return response.writeHead(405).end()
    if (url === '/partner/payload')
      return response
        .writeHead(303, { location: '/', 'set-cookie': 'session=1; Path=/; HttpOnly; SameSite=Lax' })
        .end()
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(webApp)
  })
  return { ...server, requests, silence, unsaved }
}

/** A wrapper with a real headless browser, whose employee a payload signs in. */
async function startWithBrowser(site: Site, options: Pick<NewWrapperOptions, 'commandTimeoutMs'> = {}) {
  const made = await newWrapper({ ...options, engine: headless, settings: { AppUrl: `${site.origin}/` } })
  const wrapper = await made.run(byPartnerLink, await payloadArgument(made.folder, payload))
  const client = await connectWrapper({ userFolder: made.userFolder })
  return { ...made, wrapper, client, profileFolder: made.userFolder }
}

const selections = (site: Site) => site.requests.filter(text => text.startsWith('POST /select')).length

describe.runIf(hasBrowser)('a wrapper with a real browser', () => {
  test('signs the employee in with a payload that never appears in an address', async () => {
    await using site = await serveWebApp()
    await using running = await startWithBrowser(site)
    expect(await running.client.selectPerson(patient)).toMatchObject({ status: 'selected' })
    expect(site.requests).toContain('POST /partner/payload')
    expect(site.requests).toContain('POST /select?via=pipe signed in')
    expect(site.requests.join()).not.toContain(payload)
  })

  test('waits for an update while a form is unsaved, and then closes', async () => {
    await using site = await serveWebApp()
    await using running = await startWithBrowser(site)
    await running.client.selectPerson(patient)
    const question = () => site.requests.filter(text => text.includes('/unsaved')).length
    site.unsaved.count = 2
    await running.client.close({ signOut: false, forUpdate: true })
    await vi.waitFor(() => expect(question()).toBe(2), soon)
    await running.wrapper.closed
    expect(question()).toBe(3)
  })

  test.each(['timed out', 'was canceled'])(
    'goes on at once after a call that %s: its handler has stopped',
    async how => {
      await using site = await serveWebApp()
      // The page would have an hour for the first call.
      await using running = await startWithBrowser(site, { commandTimeoutMs: 3_600_000 })
      // The page is ready: the time-out counts the call alone.
      await running.client.selectPerson(patient)
      site.silence.count = 1
      const giveUp = new AbortController()
      const options = how === 'timed out' ? { timeoutMs: 4000 } : { signal: giveUp.signal }
      const first = running.client.selectPerson(patient, options)
      first.catch(() => undefined)
      await vi.waitFor(() => expect(selections(site)).toBe(2), soon)
      giveUp.abort()
      await expect(first).rejects.toMatchObject(
        how === 'timed out' ? { code: 'ERR_PIPE_TIMEOUT' } : { name: 'AbortError' },
      )
      expect(await running.client.selectPerson({ ...patient, customId: '4712' })).toMatchObject({
        customId: '4712',
      })
      expect(running.notices).toEqual([])
    },
  )

  test.runIf(canListProcesses)('runs a launch although its page is killed, and its browser', async () => {
    await using site = await serveWebApp()
    await using running = await startWithBrowser(site)
    await running.client.selectPerson(patient)
    for (const [count, kill] of [
      [2, () => killRenderers(running.profileFolder)],
      [4, async () => void process.kill(await mainPid(running.profileFolder), 'SIGKILL')],
    ] as const) {
      site.silence.count = 1
      const launched = running.start([...person, 'wait=true'])
      await vi.waitFor(() => expect(selections(site)).toBe(count), soon)
      await kill()
      expect(await launched).toMatchObject({ role: 'handed-off', outcome: { status: 'completed' } })
      expect(selections(site)).toBe(count + 1)
      expect(site.requests.at(-1)).toBe('POST /select?via=arguments signed in')
    }
    // The session was kept, so no second sign-in was needed.
    expect(site.requests.filter(text => text.startsWith('POST /partner/payload'))).toHaveLength(1)
    expect(running.notices).toEqual([
      'The web app’s page has crashed.',
      'The browser of the window has ended without being asked to.',
    ])
  })

  test('really ends a session held by a cookie', async () => {
    await using site = await serveWebApp()
    await using running = await startWithBrowser(site)
    await running.client.selectPerson(patient)
    const before = site.requests.length
    const profiles = () => readdir(join(running.profileFolder, 'browser'))
    const former = await profiles()
    await running.wrapper.signOut()
    await vi.waitFor(() => expect(site.requests.slice(before)).toContain('GET /session'), soon)
    expect(site.requests.slice(before)).toContain('POST /sign-out signed in')
    const after = site.requests.slice(before).filter(text => !text.startsWith('POST /sign-out'))
    expect(after.join()).not.toContain('signed in')
    // History and the like go with the profile.
    const now = await profiles()
    expect([former.length, now.length]).toEqual([1, 1])
    expect(now).not.toEqual(former)
  })
})
