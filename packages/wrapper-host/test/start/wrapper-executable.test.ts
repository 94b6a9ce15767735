import { execFileSync } from 'node:child_process'
import { access, readdir, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { defaultBrand, encodeFrame } from '@service-link/protocol-core'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'
import { dial } from '../support/pipe.ts'

const byArguments = `provider=${defaultBrand.providers.arguments}`
const byXml = `provider=${defaultBrand.providers.legacyXml}`
const person = (id: string) => [
  byArguments,
  `id=${id}`,
  'firstname=A',
  'lastname=B',
  'dateofbirth=1980-02-03',
]
const customIds = (calls: readonly { readonly value: Readonly<Record<string, unknown>> }[]) =>
  calls.map(({ value }) => value.customId)

describe.skipIf(!hasBrowser)('service-webwrapper', () => {
  test('[4.4-path] [4.4-delete] the XML file is found from the launching directory and deleted after its commands', async () => {
    await using wrapper = await wrapperExecutable()
    const running = wrapper.start()
    await running.isWrapper
    const xml = (attributes: string, id: string) =>
      `<?xml version="1.0" encoding="utf-8"?><serviceinput ${attributes}><source_customerno>${id}</source_customerno><firstname>A</firstname><lastname>B</lastname><born>1980-02-03</born></serviceinput>`
    await writeFile(join(wrapper.folder, 'input.xml'), xml('', 'deleted'))
    await writeFile(join(wrapper.folder, 'kept.xml'), xml('delete="false"', 'kept'))
    await writeFile(join(wrapper.folder, 'broken.xml'), xml('', 'broken').replace('</born>', ''))
    expect(await wrapper.start('input.xml', byXml, 'wait=true').ended).toEqual({ exitCode: 0, errors: '' })
    expect(await wrapper.start('kept.xml', byXml, 'wait=true').ended).toEqual({ exitCode: 0, errors: '' })
    const broken = await wrapper.start('broken.xml', byXml, 'wait=true').ended
    expect(broken).toEqual({ exitCode: 2, errors: expect.stringContaining('ERR_XML_SYNTAX') })
    expect((await readdir(wrapper.folder)).filter(name => name.endsWith('.xml')).sort()).toEqual([
      'broken.xml',
      'kept.xml',
    ])
    expect(customIds(wrapper.calls)).toEqual(['deleted', 'kept'])
  })

  test('a question and a refused first launch start nothing: no browser, the reason with exit code 2', async () => {
    await using wrapper = await wrapperExecutable()
    expect(await wrapper.start('--version').ended).toEqual({ exitCode: 0, errors: '' })
    const { exitCode, errors } = await wrapper.start(byArguments, 'id=1', 'firstname=A').ended
    expect(exitCode).toBe(2)
    expect(errors).toContain('lastname is missing')
    await expect(access(wrapper.profileFolder)).rejects.toMatchObject({ code: 'ENOENT' })
    const next = wrapper.start(...person('next'))
    await wrapper.called(calls => calls.length === 1)
    expect(next.child.exitCode).toBeNull()
  })

  test('a word that is nearly a subcommand is refused with it: by the first launch and by the second', async () => {
    await using wrapper = await wrapperExecutable()
    const refused = {
      exitCode: 2,
      errors: expect.stringMatching(/ERR_ARGS\)\nDid you mean doctor\?\nhttps:\S+#err_args\n$/),
    }
    expect(await wrapper.start(byArguments, 'doctr').ended).toEqual({
      exitCode: 2,
      errors: expect.not.stringContaining('Did you mean'),
    })
    expect(await wrapper.start('doctr', byArguments).ended).toEqual(refused)
    expect(await wrapper.start('help').ended).toEqual({ exitCode: 0, errors: '' })
    await wrapper.start(byArguments).isWrapper
    expect(await wrapper.start('Docter').ended).toEqual(refused)
    expect(await wrapper.start('help').ended).toEqual({ exitCode: 0, errors: '' })
    expect(wrapper.calls).toEqual([])
  })

  test('a misspelled argument is told where it was written: by the first launch and by the second', async () => {
    await using wrapper = await wrapperExecutable()
    const first = wrapper.start('--id=4711')
    await first.isWrapper
    const line = '--id=… was ignored; write id=…'
    expect(await wrapper.start('--id=4711').ended).toEqual({
      exitCode: 0,
      errors: expect.stringContaining(line),
    })
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual({ exitCode: 0, errors: expect.stringContaining(line) })
  })

  test('[1-single-instance] launches during the wrapper’s exit begin the next one', async () => {
    await using wrapper = await wrapperExecutable()
    const first = wrapper.start(...person('before'))
    await wrapper.called(calls => calls.length === 1)
    first.child.kill('SIGTERM')
    const later = ['a', 'b', 'c'].map(text => wrapper.start(byArguments, `queryexercises=${text}`))
    expect(await first.ended).toMatchObject({ exitCode: 0 })
    await wrapper.called(calls => calls.length === 4)
    const texts = wrapper.calls.slice(1).map(({ value }) => value.text)
    expect(texts.sort()).toEqual(['a', 'b', 'c'])
    const winner = await Promise.race(later.map(async start => start.isWrapper.then(() => start)))
    expect(winner.child.exitCode).toBeNull()
  })

  test('a launch that waits tells the number of its focus; one that ends it starts no wrapper', async () => {
    await using wrapper = await wrapperExecutable()
    const nobody = { exitCode: 0, errors: expect.stringContaining('nobody is signed in') }
    for (const end of ['clearperson=true', 'signout=true'])
      expect(await wrapper.start(end).ended).toEqual(nobody)
    await wrapper.start().isWrapper
    const selected = wrapper.start('wait=true', ...person('a'))
    expect(await selected.ended).toEqual({ exitCode: 0, errors: '' })
    expect(selected.output()).toBe('{"focusnumber":1}\n')
  })

  test('[4.5-close] a close while its window opens ends it without an error', async () => {
    await using wrapper = await wrapperExecutable()
    const started = wrapper.start(...person('never'))
    const address = await wrapper.pipeAppears()
    const socket = await dialWhenListening(address)
    socket.on('error', () => undefined)
    socket.end(encodeFrame('{"Method":"close"}'))
    expect(await started.ended).toEqual({ exitCode: 0, errors: expect.not.stringContaining('Unexpected') })
    expect(execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })).not.toContain(wrapper.profileFolder)
  })
})

/** The socket's file exists a moment before it listens. Connections are refused meanwhile. */
async function dialWhenListening(address: string): Promise<Socket> {
  for (;;) {
    try {
      return await dial(address)
    } catch {
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}
