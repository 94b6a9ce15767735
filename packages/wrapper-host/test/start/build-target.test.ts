import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

test.each(['tsup.config.ts', 'tsup.executable.ts'])('%s builds for its oldest supported Node', name => {
  const oldest = /"node": "\^(\d+\.\d+)/.exec(read('package.json'))?.[1]
  expect(/target: 'node([\d.]+)'/.exec(read(name))?.[1]).toBe(oldest)
})
