import { defaultBrand } from '@service-link/protocol-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConfigFile, ConfigFileError, readConfigFile, writeUserConfig } from './config-file.ts'

const brand = { ...defaultBrand, application: 'A' }

/** Pieces of complete and broken files. */
const pieces = fc.oneof(
  fc.constantFrom(
    '<configuration>',
    '</configuration>',
    '<configuration/>',
    '<userSettings>',
    '</userSettings>',
    '<userSettings />',
    '<applicationSettings>',
    '</applicationSettings>',
    '<A.Settings>',
    '</A.Settings>',
    '<A.Settings\n/>',
    '<setting name="Zoom">',
    "<setting name='Other' serializeAs='String'>",
    '<setting name="a&gt;>b" />',
    '<setting>',
    '</setting>',
    '<value>',
    '</value >',
    '<value/>',
    '<value a="/>">',
    '<!-- </value> -->',
    '<![CDATA[</value>]]>',
    '<?pi </value> ?>',
    '<?pi "?>',
    '<a b="<!--" ',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '">',
    '&amp;',
    '&#xD;',
    '\r\n',
    '\t',
    '😀',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
)

/** A file with most pieces at valid places. */
const files = fc
  .tuple(fc.array(pieces, { maxLength: 12 }), fc.array(pieces, { maxLength: 6 }), fc.boolean(), fc.boolean())
  .map(([inside, around, hasGroup, hasMark]) => {
    const settings = inside.map(piece =>
      piece.startsWith('<') ? piece : `<setting name="T${piece.length}"><value>${piece}</value></setting>`,
    )
    const body = hasGroup ? `<A.Settings>${settings.join('')}</A.Settings>` : settings.join('\n')
    return `${hasMark ? '\uFEFF' : ''}<configuration>${around.join('')}<userSettings>${body}</userSettings></configuration>`
  })

function read(text: string): ConfigFile | undefined {
  try {
    return readConfigFile(text, 'f', brand)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigFileError)
    return undefined
  }
}

describe('any text', () => {
  test('that can be read accepts a value, and keeps all others', () => {
    let readCount = 0
    fc.assert(
      fc.property(files, text => {
        const before = read(text)
        if (!before) return
        readCount++
        const after = readConfigFile(
          writeUserConfig(brand, { Zoom: '<1.5>' }, { text, file: 'f' }),
          'f',
          brand,
        )
        const kept = Object.fromEntries([...before.application, ...before.user])
        expect(Object.fromEntries(after.user)).toEqual({ ...kept, Zoom: '<1.5>' })
      }),
      { numRuns: 2000 },
    )
    // Otherwise nothing was tested.
    expect(readCount).toBeGreaterThan(100)
  })
})
