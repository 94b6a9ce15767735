import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderRefusalPage } from '../../scripts/refusal-page.ts'

// After a change, `vitest -u` on this file writes the page.
test('docs/reference/partner-link-refusals.md shows what the receiver answers now', async () => {
  const page = new URL('../../../../docs/reference/partner-link-refusals.md', import.meta.url)
  await expect(await renderRefusalPage()).toMatchFileSnapshot(fileURLToPath(page))
})
