import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldTypeName, readTypeName } from './type-name.ts'

describe('readTypeName', () => {
  test.each([
    ['Acme.Journal.Component, Acme.Journal', 'Acme.Journal.Component', 'Acme.Journal'],
    ['  Component ,Acme  ', 'Component', 'Acme'],
    ['_a._b, Acme.2_x', '_a._b', 'Acme.2_x'],
    ['A.B, A, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null', 'A.B', 'A'],
    ['Component, Console.Journal', 'Component', 'Console.Journal'],
  ])('%j is a type and its assembly', (text, type, assembly) => {
    expect(readTypeName(text)).toEqual({ type, assembly })
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['no assembly', 'Component'],
    ['an unknown fact', 'Component, Acme, Path=Evil'],
    ['a fact with a path', 'Component, Acme, Version=../evil'],
    ['a parent folder', 'Component, ../evil'],
    ['dots alone', 'Component, ..'],
    ['a leading dot', 'Component, .Acme'],
    ['a path', 'Component, Acme/Journal'],
    ['a Windows path', 'Component, Acme\\Journal'],
    ['a drive', 'Component, C:\\evil'],
    ['a network share', 'Component, \\\\host\\share\\evil'],
    ['a built-in module', 'Component, node:child_process'],
    ['a data address', 'Component, data:text/javascript,evil'],
    ['percent signs', 'Component, %2e%2e%2fevil'],
    ['a NUL', 'Component, Acme\0'],
    ['a line break at the end', 'Component, Acme\n'],
    ['a letter that looks like an A', 'Component, \u0410cme'],
    ['an invisible character', 'Component, Acme\u200b'],
    ['a device', 'Component, con'],
    ['a device with more behind it', 'Component, NUL.Journal'],
    ['300 characters', `Component, ${'A'.repeat(300)}`],
    ['a type with a path', '../Component, Acme'],
  ])('%s is no type name', (_title, text) => {
    expect(readTypeName(text)).toBeUndefined()
  })

  test('every accepted name is a file name in the searched folder', () => {
    const piece = fc.constantFrom(
      'Acme',
      '.',
      '..',
      '/',
      '\\\\',
      ':',
      'nul',
      'C',
      '%2e',
      '\0',
      ' ',
      '_1',
      '~1',
      '*',
      ',',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 6 }), pieces => {
        const read = readTypeName(`Component, ${pieces.join('')}`)
        if (!read) return
        const file = `${read.assembly}.mjs`
        for (const { dirname, basename, normalize, join } of [posix, win32]) {
          expect(dirname(join('providers', file))).toBe('providers')
          expect(basename(normalize(file))).toBe(file)
        }
        expect(new URL(file, 'file:///root/providers/').href).toBe(`file:///root/providers/${file}`)
      }),
    )
  })

  test('takes no longer for a long text', () => {
    expect(readTypeName(`Component, ${'a.'.repeat(1_000_000)}`)).toBeUndefined()
  })
})

test('[4.2-provider] white space and case distinguish no names', () => {
  expect(foldTypeName(' service.desktop.legacy.COMPONENT,Service.Desktop')).toBe(
    foldTypeName('Service.Desktop.Legacy.Component, Service.Desktop'),
  )
})
