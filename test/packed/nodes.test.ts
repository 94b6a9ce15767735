import { expect, test } from 'vitest'
import { describePacked, installed, nodes, nodesOf, packages, run, runsOn } from './packed.ts'

describePacked('each packed package', () => {
  const runs = packages.flatMap(each => nodes.map(node => ({ ...each, node, on: node.version })))

  const promised = nodesOf('pipe-client')
  test.each(runs.filter(({ entries, node }) => entries.length > 0 && promised.includes(node)))(
    'every entry of $name can be imported and required on Node $on',
    async ({ node, entries }) => {
      const program = `
        for (const entry of ${JSON.stringify(entries)}) {
          const names = Object.keys(await import(entry))
          if (names.length === 0) throw new Error(entry + ' is empty')
          if (Object.keys(require(entry)).length < names.length) throw new Error(entry + ' differs as CommonJS')
        }`
      await run(node.path, ['--input-type=commonjs', '--eval', `(async () => {${program}})()`])
    },
  )

  const programs = runs.flatMap(({ programs, ...each }) =>
    Object.entries(programs).map(([command, file]) => ({ ...each, command, file })),
  )
  test.each(programs)(
    '$command prints its help and version on Node $on, or names the Node that it needs',
    async each => {
      const help = run(each.node.path, [installed(`${each.name}/${each.file}`), '--help'])
      if (runsOn(each, each.node)) {
        expect(await help).toContain(`Usage: ${each.command}`)
        const version = await run(each.node.path, [installed(`${each.name}/${each.file}`), '--version'])
        expect(version).toMatch(new RegExp(`^${each.version}(, wrapper \\d+\\.\\d+\\.\\d+\\.\\d+)?\n$`))
      } else await expect(help).rejects.toThrow(/ needs Node \d+\.\d+ .*; this is Node \d.*ERR_NODE_VERSION/)
    },
  )

  const tooOld = promised.filter(node => !nodesOf('wrapper-host').includes(node))
  test.each(tooOld)(
    'the functions of wrapper-host name the Node that they need on Node $version',
    async node => {
      const program = `
      const { createWrapper } = await import('@service-link/wrapper-host')
      const { startTestWrapper } = await import('@service-link/wrapper-host/testing')
      try { createWrapper() } catch ({ message, code }) { console.log(code, message) }
      await startTestWrapper().catch(({ message, code }) => console.log(code, message))`
      const told = await run(node.path, ['--input-type=module', '--eval', program])
      expect(told).toMatch(/^(ERR_NODE_VERSION .* needs Node 22\.18 .*this is Node \d.*\n){2}$/)
    },
  )
})
