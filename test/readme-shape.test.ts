import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { docsUrlOf } from '../packages/protocol-core/src/errors/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Headings of each README, in this order. Others may stand between them. */
const headings = ['What it is not', 'Behavior', 'Options', 'Errors', 'Protocol', 'License']

const [errorIndex] = docsUrlOf('').split('#')

const documents = globSync('packages/*/README.md', { cwd: root })

test.each(documents)('%s has the shape of all READMEs', document => {
  const text = readFileSync(root + document, 'utf8')
  const [top = '', ...sections] = text.split(/^## /m)
  const titles = sections.map(section => section.split('\n')[0] ?? '')
  expect(titles.filter(title => headings.includes(title))).toEqual(headings)
  const bodyOf = (title: string) => sections[titles.indexOf(title)] ?? ''

  // Name, one sentence, install, a program.
  expect(top).toMatch(/^# @service-link\/[a-z-]+\n\n[A-Z].*?\n\n```(sh)?\nnpm install /s)
  expect(top.match(/^```/gm)?.length).toBeGreaterThanOrEqual(4)
  expect(bodyOf('Options')).toMatch(/^\| option .*\| unit \| default \|/m)
  expect(bodyOf('Errors').replaceAll('\n', ' ')).toContain(`error index](${errorIndex})`)
  expect(bodyOf('License')).toBe('License\n\nMIT\n')
})
