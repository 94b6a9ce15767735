import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describePacked, installed, nodesOf, run, startWrapper } from './packed.ts'

/** The first program of a README, and the text block after it. */
function programOf(name: string): { readonly program: string; readonly printed: string | undefined } {
  const readme = readFileSync(installed(`@service-link/${name}/README.md`), 'utf8')
  const [, program = '', printed] = /```ts\n(.*?)```\n(?:\n```text\n(.*?)```)?/s.exec(readme) ?? []
  return { program, printed }
}

describePacked('the first program of the README', () => {
  test.each(['cli-args', 'jwt-payload', 'receiver', 'xml-input'])(
    'of %s prints the README’s output',
    async name => {
      const { program, printed } = programOf(name)
      expect(printed).toBeTruthy()
      expect(await run(nodesOf(name)[0]?.path ?? '', ['--input-type=module', '--eval', program])).toBe(
        printed,
      )
    },
  )

  test('of protocol-core runs', async () => {
    const { program } = programOf('protocol-core')
    const [oldest] = nodesOf('protocol-core')
    const printed = await run(oldest?.path ?? '', ['--input-type=module', '--eval', program])
    expect(printed).toBe("{ name: 'openworkout', args: { id: 17 } }\n")
  })

  test('of pipe-client runs beside a wrapper', async () => {
    const { program } = programOf('pipe-client')
    await using wrapper = await startWrapper()
    const env = { SERVICE_WRAPPER_DATA: JSON.parse(wrapper.firstLine).userFolder }
    const [oldest] = nodesOf('pipe-client')
    expect(await run(oldest?.path ?? '', ['--input-type=module', '--eval', program], env)).toBe('created 1\n')
  })
})
