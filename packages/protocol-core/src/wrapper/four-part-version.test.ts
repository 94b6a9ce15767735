import { describe, expect, test } from 'vitest'
import { loadVectors, thrownBy } from '../../test/support/vectors.ts'
import { compareVersions, formatVersion, minimumPipeVersion, parseVersion } from './four-part-version.ts'

type Input =
  | { readonly text: string }
  | { readonly left: string; readonly right: string; readonly parts: number }

const vectors = loadVectors<Input, { readonly parts?: readonly number[]; readonly sign?: number }>(
  'versions.json',
)

describe('versions', () => {
  test.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
    if ('left' in input) {
      const order = compareVersions(parseVersion(input.left), parseVersion(input.right), input.parts)
      expect(Math.sign(order)).toBe(expected?.sign)
    } else if (error) expect(thrownBy(() => parseVersion(input.text))).toMatchObject({ code: error.code })
    else expect(parseVersion(input.text)).toEqual(expected?.parts)
  })

  test('[8-minimum-version] the pipe needs at least 2.1.4.19787', () => {
    expect(formatVersion(minimumPipeVersion)).toBe('2.1.4.19787')
  })

  test('[9-version-parts] a written version is read back', () => {
    expect(formatVersion(parseVersion('2.1.4.19787'))).toBe('2.1.4.19787')
  })
})
