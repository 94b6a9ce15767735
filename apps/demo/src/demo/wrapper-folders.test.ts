import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { fillConfig } from './wrapper-folders.ts'

const shipped = await readFile(
  new URL('../../wrapper-root/Service.Client.WebWrapper.exe.config', import.meta.url),
  'utf8',
)

test('settings of the shipped file get other values, and nothing else changes', () => {
  const filled = fillConfig(shipped, { AppUrl: 'http://localhost:1/?a=1&b=$1', BrowserEngine: 'Headless' })
  expect(filled).toBe(
    shipped
      .replace('http://localhost:4280/', () => 'http://localhost:1/?a=1&amp;b=$1')
      .replace('EoWebBrowser', 'Headless'),
  )
})

test('a setting that the file does not have is named', () => {
  expect(() => fillConfig(shipped, { Zoom: '2' })).toThrow('no setting Zoom')
})
