import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refusalStatus } from '../src/index.ts'

const page = new URL('../../../docs/reference/partner-link-refusals.md', import.meta.url)

test('the page of refusals names exactly the codes with their statuses and anchors', () => {
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `(ERR_\w+)` <a id="(\w+)"><\/a> \| (\d+) /gm)]
  for (const [, code, anchor] of rows) expect(anchor).toBe(code?.toLowerCase())
  expect(Object.fromEntries(rows.map(([, code, , status]) => [code, Number(status)]))).toEqual(refusalStatus)
})
