// Writes docs/reference/partner-link-refusals.md.
//
//   node -C @service-link/source scripts/write-refusals.ts
import { writeFile } from 'node:fs/promises'
import { renderRefusalPage } from './refusal-page.ts'

await writeFile(
  new URL('../../../docs/reference/partner-link-refusals.md', import.meta.url),
  await renderRefusalPage(),
)
