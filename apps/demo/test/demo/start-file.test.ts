import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { keepStartFile, openInBrowser } from '../../src/demo/start-file.ts'
import { createPageKeys } from '../../src/own-pages/page-keys.ts'

const page = 'http://127.0.0.1:1/'

const keyIn = (content: string) => /#key=([\w-]+)/.exec(content)?.[1] ?? ''

test('a file leads to its page with a key of one use, and has the next key when that was used', async () => {
  const keys = createPageKeys()
  await using start = await keepStartFile(page, keys)
  const read = () => readFile(fileURLToPath(start.url), 'utf8')
  expect(await read()).toContain('content="0;url=http://127.0.0.1:1/#key=')
  const first = keyIn(await read())
  const key = keys.exchange(first)
  expect(key).toBeDefined()
  await expect.poll(read).not.toContain(first)
  expect(keys.exchange(keyIn(await read()))).toBe(key)
  expect(await read()).not.toContain(key)
})

test('the file ends with the demo', async () => {
  const keys = createPageKeys()
  const start = await keepStartFile(page, keys)
  const file = fileURLToPath(start.url)
  keys.exchange(keyIn(await readFile(file, 'utf8')))
  await start[Symbol.asyncDispose]()
  await expect(stat(dirname(file))).rejects.toMatchObject({ code: 'ENOENT' })
})

test.skipIf(process.platform === 'win32')('only this user may read it', async () => {
  await using start = await keepStartFile(page, createPageKeys())
  const file = fileURLToPath(start.url)
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700])
})

test.skipIf(process.platform !== 'linux')('the browser’s process gets no key in its arguments', async () => {
  const keys = createPageKeys()
  await using start = await keepStartFile(page, keys)
  await using folder = {
    path: await mkdtemp(join(tmpdir(), 'opener-')),
    [Symbol.asyncDispose]: () => rm(folder.path, { recursive: true }),
  }
  const seen = join(folder.path, 'seen')
  // A program as the process list shows it, with its environment.
  const opener = `#!/bin/sh\ntr '\\0' '\\n' < /proc/$$/cmdline > '${seen}.next'\ntr '\\0' '\\n' < /proc/$$/environ >> '${seen}.next'\nmv '${seen}.next' '${seen}'\n`
  await writeFile(join(folder.path, 'xdg-open'), opener)
  await chmod(join(folder.path, 'xdg-open'), 0o700)
  openInBrowser(start.url, { ...process.env, PATH: `${folder.path}:${process.env.PATH}` })
  const shown = () => readFile(seen, 'utf8').catch(() => '')
  await expect.poll(shown, { timeout: 30_000 }).toContain(start.url)
  expect(await shown()).not.toContain(keyIn(await readFile(fileURLToPath(start.url), 'utf8')))
  expect(await shown()).not.toContain('key=')
})
