import { test } from 'vitest'
import { compareWithXmllint } from './support/compare-with-xmllint.ts'
import { whyNoXmllint } from './support/xmllint.ts'

const missing = whyNoXmllint()

test.skipIf(missing !== undefined && !process.env.CI)(
  `of 1,000 mutations, xmllint accepts the same, with the same text${missing ? `: ${missing}` : ''}`,
  () => compareWithXmllint(4711, 1_000),
)
