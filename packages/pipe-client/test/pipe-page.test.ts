import { existsSync, readFileSync } from 'node:fs'
import { commandNames, isClassicCommandName } from '@service-link/protocol-core'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'

const docs = new URL('../../../docs/', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, docs), 'utf8')
const page = textOf('reference/what-travels.md') + textOf('reference/pipe.md')

/** The code blocks of a language, in the order of the page. */
function blocksOf(language: string, text = page): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  )
}

describe('the pages', () => {
  test('print the exact bytes of a request and its reply', () => {
    const frames = blocksOf('text').map(block => block.replaceAll(/\s/g, ''))
    const expected = ['{"Method":"version"}', '3.0.0.0'].map(text =>
      Buffer.from(encodeFrame(text)).toString('hex'),
    )
    expect(frames).toEqual(expected)
  })

  test('have the reply of every command of the classic mode', () => {
    const table = page.slice(page.indexOf('| command '), page.indexOf('When a command failed'))
    const named = [...table.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(commandNames.filter(isClassicCommandName).sort())
  })
})

describe('the guide to the pipe from another language', () => {
  const guide = textOf('guides/pipe-from-another-language.md')

  test.each([...guide.matchAll(/\]\((\.\.?\/[^)#]+)/g)].map(([, link = '']) => link))('links to %s', link => {
    expect(existsSync(new URL(`guides/${link}`, docs))).toBe(true)
  })
})
