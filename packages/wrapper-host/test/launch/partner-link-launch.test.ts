import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { configuredExecutable } from '@service-link/test-kit/configured-executable'
import { listen } from '@service-link/test-kit/serve'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'
import { payloadArgument } from '../support/provider-input.ts'

interface Post {
  readonly path: string
  readonly type: string | undefined
  readonly body: string
}

/** A service of the partner link. It accepts payloads that begin with `good`, and redirects to the web app. */
async function partnerLinkService() {
  const posts: Post[] = []
  let appUrl = 'about:blank'
  const server = await listen(async (request, response) => {
    const body = await text(request)
    if (request.method !== 'POST') return response.writeHead(405).end()
    posts.push({ path: request.url ?? '', type: request.headers['content-type'], body })
    if (!body.startsWith('payload=good')) return response.writeHead(401).end('<p>refused</p>')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    return response.end(`<!doctype html><script>location.replace(${JSON.stringify(appUrl)})</script>`)
  })
  return {
    ...server,
    posts,
    url: `${server.origin}/sso/`,
    leadTo(url: string) {
      appUrl = url
    },
  }
}

/** Files below a folder that contain a text, such as log, settings and the browser's files. */
async function filesHolding(folder: string, sought: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(file)).includes(sought)) found.push(file)
  }
  return found
}

describe.skipIf(!hasBrowser)('service-webwrapper with a signed payload', () => {
  test('[4.1-post] [4.1-form] posts it in its window, first and second launch, then runs the commands', async () => {
    await using service = await partnerLinkService()
    await using wrapper = await configuredExecutable({ SsoUrl: service.url })
    service.leadTo(wrapper.appUrl)
    const first = wrapper.start('queryexercises=knee', await payloadArgument(wrapper.folder, 'good-1.b_.c-'))
    await wrapper.called(calls => calls.length === 1)
    expect(first.child.exitCode).toBeNull()
    const file = join(wrapper.folder, 'my.jwt')
    await writeFile(file, 'good-2.b.c\n', { mode: 0o600 })
    const second = wrapper.start('payload=@my.jwt', 'openworkout=3', 'wait=true')
    expect(await second.ended).toEqual({ exitCode: 0, errors: '' })
    await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(service.posts).toEqual(
      ['good-1.b_.c-', 'good-2.b.c'].map(payload => ({
        path: '/sso/partner/payload',
        type: 'application/x-www-form-urlencoded',
        body: `payload=${payload}`,
      })),
    )
    expect(wrapper.calls.map(({ name }) => name)).toEqual(['queryExercises', 'openWorkout'])
    first.child.kill('SIGTERM')
    const { errors } = await first.ended
    expect(errors).not.toMatch(/good-|my\.jwt/)
    expect(await filesHolding(wrapper.folder, 'good-')).toEqual([])
  })

  test('refuses an inline payload, in a first and a second launch, and writes it nowhere', async () => {
    await using service = await partnerLinkService()
    await using wrapper = await configuredExecutable({ SsoUrl: service.url })
    const refused = async () => {
      const { exitCode, errors } = await wrapper.start('payload=good-3.b.c').ended
      expect(exitCode).toBe(2)
      expect(errors).toMatch(/payload must be @ and the path of a file .*\(ERR_ARGS\)/)
      expect(errors).not.toContain('good-3')
    }
    await refused()
    const running = wrapper.start()
    await running.isWrapper
    await refused()
    expect(service.posts).toEqual([])
    running.child.kill('SIGTERM')
    await running.ended
    expect(await filesHolding(wrapper.folder, 'good-3')).toEqual([])
  })
})
