import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { createHome } from '@service-link/test-kit/desktop-home'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { audience, claims, finish, startCli, temporaryFolder } from '@service-link/test-kit/service-payload'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desktop, darwin, linux, openPage, usefulMs, windows } from '../../src/cli/open.ts'
import { signPayload } from '../../src/index.ts'

const isPosix = process.platform === 'linux'

describe.skipIf(!isPosix)('service-payload open', () => {
  test('gives the opener the path of a page of this user alone, and removes the page after Ctrl+C', async () => {
    await using home = await createHome()
    const key = join(home.home, 'private.pem')
    await writeFile(key, keyText('rsa', 'privatePem'))
    const child = startCli(['open', audience, '--key', key], home.environment)
    const finished = finish(child)
    child.stdin.end(JSON.stringify(claims))
    const [address = '', ...others] = (await home.opened()).trimEnd().split('\n')
    expect(others).toEqual([])
    const path = fileURLToPath(address)
    expect(dirname(dirname(path))).toBe(home.home)
    expect(path).toMatch(/\/service-payload-page-\w{6}\/open\.html$/)
    const modes = [(await stat(dirname(path))).mode & 0o777, (await stat(path)).mode & 0o777]
    expect(modes).toEqual([0o700, 0o600])
    const [, token = ''] = /name="payload" value="([^"]+)"/.exec(await readFile(path, 'utf8')) ?? []
    expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/)
    child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await finished
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
    expect(stderr).not.toContain(token.slice(0, 20))
    expect(await home.pages()).toEqual([])
  })

  test.each([
    [
      '3 when there is no opener',
      undefined,
      /xdg-open was not found\. Install xdg-utils, or set BROWSER to your browser\. \[ERR_BROWSER\]/,
    ],
    ['3 when it fails', 'exit 4', /xdg-open ended with exit code 4\. It opened no browser\. \[ERR_BROWSER\]/],
  ])('%s, and the page is gone', async (_name, script, sentence) => {
    await using home = await createHome()
    if (script !== undefined) await home.writeOpener(`#!/bin/sh\n${script}\n`)
    const environment = script === undefined ? { ...home.environment, PATH: home.home } : home.environment
    const child = startCli(['open', audience], environment)
    const finished = finish(child)
    child.stdin.end(await signPayload(claims, signingKey('rsa'), { audience }))
    const { exitCode, stdout, stderr } = await finished
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(await home.pages()).toEqual([])
  })

  test.each([
    ['2 for no token', 'a private key', 2, 'ERR_POST_OPTION'],
    ['4 for a token that no receiver takes any more', undefined, 4, 'ERR_PAYLOAD_EXPIRED'],
  ])('%s, and nothing is opened', async (_name, text, code, told) => {
    await using home = await createHome()
    const clock = () => new Date(Date.now() - 121_000)
    const child = startCli(['open', audience], home.environment)
    const finished = finish(child)
    child.stdin.end(text ?? (await signPayload(claims, signingKey('rsa'), { audience, clock })))
    const { exitCode, stderr } = await finished
    expect(exitCode).toBe(code)
    expect(stderr).toContain(`[${told}]`)
    expect(await home.pages()).toEqual([])
  })
})

test.each([
  ['an exp in a minute', { exp: 60 }, 120_000],
  ['an exp in an hour', { exp: 3600 }, 300_000],
  ['an exp as text', { exp: '60' }, 120_000],
  ['no exp', {}, 300_000],
])('the page of a token with %s stays %#', (_name, claims, keptMs) => {
  const [header, body] = [{ alg: 'none' }, claims].map(part =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  expect(usefulMs(`${header}.${body}.`, new Date(0))).toBe(keptMs)
})

/** An opener in JavaScript. The page lies in this folder. */
const desktopOf = (folder: string, script: string): Desktop => ({
  folder: () => folder,
  openerCall: address => ({ file: process.execPath, args: ['-e', script, address] }),
  advice: '',
})

describe('openPage', () => {
  const never = new AbortController().signal

  test('removes the page in the end, also while its opener goes on as the browser', async () => {
    await using folder = await temporaryFolder()
    const script = 'setTimeout(() => {}, 3000)'
    await openPage('<p>', { keepMs: 50, signal: never, desktop: desktopOf(folder.path, script) })
    expect(await readdir(folder.path)).toEqual([])
  })

  test('removes the page of a process that was killed, and neither a new one nor another folder', async () => {
    await using folder = await temporaryFolder()
    const age = async (name: string, file: string, hours: number) => {
      await mkdir(folder.file(name))
      await writeFile(folder.file(`${name}/${file}`), 'x')
      const then = new Date(Date.now() - hours * 3_600_000)
      await utimes(folder.file(name), then, then)
    }
    await age('service-payload-page-killed', 'open.html', 2)
    await age('service-payload-page-newone', 'open.html', 0)
    await age('service-payload-page-source', 'index.ts', 2)
    await openPage('<p>', { keepMs: 1, signal: never, desktop: desktopOf(folder.path, '') })
    const left = await readdir(folder.path)
    expect(left.sort()).toEqual(['service-payload-page-newone', 'service-payload-page-source'])
  })

  test.each([
    [undefined, 'xdg-open'],
    ['', 'xdg-open'],
    ['/usr/bin/firefox', '/usr/bin/firefox'],
    ['firefox:chromium', 'firefox'],
    ['firefox %s', 'firefox'],
  ])('on Linux BROWSER=%s opens it by %s', (browser, file) => {
    expect(linux.openerCall('file:///x', browser)).toEqual({ file, args: ['file:///x'] })
  })

  test('each system’s opener gets one argument of the user: the address of the page', () => {
    const address = 'file:///C:/Users/Kari%20%26%20Ola/open.html'
    for (const { openerCall } of [linux, darwin, windows]) {
      const { file, args } = openerCall(address)
      expect(args.filter(argument => argument.includes('Kari'))).toEqual([address])
      expect(file).toMatch(/^(xdg-open|\/usr\/bin\/open|.*\\System32\\rundll32\.exe)$/)
    }
  })
})

describe.skipIf(!isPosix || !hasBrowser())('the page in a real browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  test('posts itself from its file', async () => {
    const posted = Promise.withResolvers<readonly [string | null, string]>()
    await using service = await serve(async request => {
      posted.resolve([request.headers.get('origin'), await request.text()])
      return new Response('taken')
    })
    await using home = await createHome()
    const child = startCli(['open', service.origin], home.environment)
    const finished = finish(child)
    const token = await signPayload(claims, signingKey('rsa'), { audience: service.origin })
    child.stdin.end(token)
    const page = await browser.newPage()
    await page.goto((await home.opened()).trim(), { waitUntil: 'commit' })
    expect(await posted.promise).toEqual(['null', `payload=${token}`])
    child.kill('SIGTERM')
    expect((await finished).exitCode).toBe(130)
  })
})
