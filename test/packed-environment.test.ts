import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { bundleWrapper } from '../packages/wrapper-pack/src/bundle-program.ts'

const threatModel = new URL('../docs/reference/threat-model.md', import.meta.url)

/** An expression that stands for the environment. */
const environment = /(?:^|\.)env(?:ironment)?\d*$/
const variable = /^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)*|SystemRoot|ProgramFiles(?:\(x86\))?|ProgramW6432)$/

/** Whether a pattern may take members of the environment, also as a parameter without a default. */
function mayBeEnvironment({ parent }: ts.ObjectBindingPattern): boolean {
  return parent.initializer === undefined || environment.test(parent.initializer.getText())
}

/** Computed names: those of `folderVariable`, the ones that are taken away, of a library's options, which have none, and of `askSecret`, which no wrapper calls. */
const computed = ['[name]', '[option.envVar]', '[variable]']

/** Names of the variables that a program reads; `[…]` for one whose name is computed. */
function variablesOf(program: string): ReadonlySet<string> {
  const found = new Set<string>()
  const read = (node: ts.Expression) => {
    if (ts.isStringLiteralLike(node)) found.add(node.text)
    else found.add(`[${node.getText().replace(/\d+$/, '')}]`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && environment.test(node.expression.getText()))
      found.add(node.name.text)
    if (ts.isElementAccessExpression(node) && environment.test(node.expression.getText()))
      read(node.argumentExpression)
    if (ts.isCallExpression(node) && /^(?:folderV|v)ariable\d*$/.test(node.expression.getText())) {
      const name = node.arguments.find(argument => !environment.test(argument.getText()))
      if (name) read(name)
    }
    if (ts.isObjectBindingPattern(node) && mayBeEnvironment(node))
      for (const { propertyName, name } of node.elements) {
        const key = propertyName ?? name
        const text = ts.isStringLiteralLike(key) ? key.text : key.getText()
        if (variable.test(text)) found.add(text)
      }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('program.js', program, ts.ScriptTarget.Latest, true))
  return found
}

test('the threat model names each variable that a packed wrapper reads', async () => {
  const { main, assets } = await bundleWrapper()
  const found = new Set([main, ...Object.values(assets)].flatMap(text => [...variablesOf(text)]))
  expect(found).toContain('XDG_DATA_HOME')
  const text = await readFile(threatModel, 'utf8')
  const [, section = ''] = text.split('### What the environment decides in a packed wrapper\n')
  const rows = (section.split('\n#')[0] ?? '').split('\n').filter(line => line.startsWith('| `'))
  const names = rows.flatMap(row => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
  const listed = new Set([...computed, ...names.map(([, name]) => name)])
  expect([...found].filter(name => !listed.has(name))).toEqual([])
})
