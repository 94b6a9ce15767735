import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { url as audience } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { importVerificationKey, refusalStatus, verifyPayload } from '../src/index.ts'

const page = readFileSync(new URL('../../../docs/reference/partner-link.md', import.meta.url), 'utf8')
const refusals = readFileSync(
  new URL('../../../docs/reference/partner-link-refusals.md', import.meta.url),
  'utf8',
)

describe('docs/reference', () => {
  test('the page of refusals names exactly the codes with their statuses and anchors', () => {
    const rows = [...refusals.matchAll(/^\| `(ERR_\w+)` <a id="(\w+)"><\/a> \| (\d+) /gm)]
    for (const [, code, anchor] of rows) expect(anchor).toBe(code?.toLowerCase())
    const statuses = rows.map(([, code, , status]) => [code, Number(status)])
    expect(Object.fromEntries(statuses)).toEqual(refusalStatus)
  })

  test.skipIf(!canRunShell())(
    '[5.1-asymmetric] keys and tokens of its shell commands are accepted',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reference-'))
      try {
        const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
        const [makeKey = '', script = '', use = ''] = blocks
        writeFileSync(join(folder, 'sign.sh'), script)
        const sign = `${use.split('\nprintf')[0]}\nprintf '%s' "$token"`
        const run = (command: string) =>
          execFileSync('sh', ['-ec', command], {
            cwd: folder,
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          })
        run(makeKey)
        const token = run(sign)
        const pem = readFileSync(join(folder, 'keys/certificate.pem'), 'utf8')
        const keys = await importVerificationKey({ kind: 'x509', pem, kid: '<kid>' })
        const { payload } = await verifyPayload(token, { keys, audience })
        expect(payload).toEqual({ organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711' } })
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})

function canRunShell(): boolean {
  try {
    return execFileSync('sh', ['-c', 'command -v openssl && command -v tr']).length > 0
  } catch {
    return false
  }
}
