import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, it } from 'vitest'

const pageScript = `send => {
  globalThis.__wrapperHost = { receive: value => ({ at: location.href, value }), send }
  send({ from: location.pathname })
}`

/** Reports whether a page without opener can see anything of the host. Everything must stay hidden. */
const snoop = `<script>
const names = Object.getOwnPropertyNames(globalThis).filter(name => /host/i.test(name) && !/^(host|on)/.test(name))
const found = names.filter(name => name.startsWith('__'))
for (const name of found) try { globalThis[name]('{"from":"attack"}') } catch {}
document.title = found.join() || 'nothing'
</script>`

describe.runIf(hasBrowser)('pages of other origins', () => {
  it.each([
    ['of another origin on the same machine', '127.0.0.1'],
    ['of another site', 'localhost'],
  ])('cannot send from a frame %s', async (_name, host) => {
    const report = `<script>parent.postMessage(document.title, '*')</script>`
    await using other = await serveSite({ '/': `<title>new</title>${snoop}${report}` }, host)
    const app = `<script>
addEventListener('message', event => __wrapperHost.send({ frameSaw: event.data }))
</script><iframe src="${other.origin}/"></iframe>`
    await using site = await serveSite({ '/': app })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
    const messages: unknown[] = []
    opened.window.on('message', ({ value }) => messages.push(value))
    await nextEvent(opened.window, 'message', ({ value }) => JSON.stringify(value).includes('frameSaw'))
    expect(messages).toEqual([{ from: '/' }, { frameSaw: 'nothing' }])
  })

  it('may talk when their origin is listed', async () => {
    await using site = await serveSite({ '/': '<p>app' })
    await using signIn = await serveSite({ '/sign-in': '<p>sign in' })
    await using opened = await openTestWindow({
      url: `${site.origin}/`,
      pageScript,
      allowedOrigins: [site.origin, `${signIn.origin}/`],
    })
    await nextEvent(opened.window, 'loaded')
    const message = nextEvent(opened.window, 'message', ({ origin }) => origin === signIn.origin)
    await opened.window.navigate(`${signIn.origin}/sign-in`)
    expect(await message).toEqual({ value: { from: '/sign-in' }, origin: signIn.origin })
  })
})
