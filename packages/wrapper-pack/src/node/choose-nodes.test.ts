import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeVersionOf } from './choose-nodes.ts'

test('the version of this Node is read from its file', () => {
  expect(nodeVersionOf(readFileSync(process.execPath))).toBe(process.versions.node)
})

test.each([
  ['', undefined],
  ['https://nodejs.org/download/release/v', undefined],
  ['https://nodejs.org/download/release/vX/ https://nodejs.org/download/release/v1.2.3/a', '1.2.3'],
  ['https://nodejs.org/download/nightly/v27.0.0-nightly/', undefined],
  ['https://nodejs.org/download/release/v27.0.0-rc.1/', undefined],
])('%j holds %s', (text, version) => {
  expect(nodeVersionOf(Buffer.from(text))).toBe(version)
})
