import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { defaultBrand, encodeFrame, pipeAddress } from '@service-link/protocol-core'
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
  test('[1-single-instance] of 12 concurrent first launches one is the wrapper, and the page gets each launch once', async () => {
    await using wrapper = await wrapperExecutable()
    const ids = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const started = ids.map(id => wrapper.start(...person(id)))
    const winner = await Promise.race(started.map(async start => start.isWrapper.then(() => start)))
    const others = await Promise.all(started.filter(start => start !== winner).map(({ ended }) => ended))
    expect(others.map(({ exitCode, errors }) => `${exitCode}${errors}`)).toEqual(others.map(() => '0'))
    await wrapper.called(calls => calls.length >= 12)
    expect(customIds(wrapper.calls).sort()).toEqual([...ids].sort())
    expect(winner.child.exitCode).toBeNull()
  })

  test('the commands of a launch run in the order select, workouts, exercises, open', async () => {
    await using wrapper = await wrapperExecutable()
    wrapper.start('openworkout=3', 'queryexercises=knee', 'queryworkouts=hip', ...person('p'))
    await wrapper.called(calls => calls.length === 4)
    expect(wrapper.calls.map(({ name }) => name)).toEqual([
      'selectPerson',
      'queryWorkouts',
      'queryExercises',
      'openWorkout',
    ])
  })

  test('successive launches of one process arrive in order', async () => {
    await using wrapper = await wrapperExecutable()
    const first = wrapper.start(...person('0'))
    await first.isWrapper
    for (let index = 1; index <= 8; index++) await wrapper.start(...person(String(index))).ended
    await wrapper.called(calls => calls.length === 9)
    expect(customIds(wrapper.calls)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  })

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

  test('a refused first launch starts nothing: exit code 2, its reason, no browser', async () => {
    await using wrapper = await wrapperExecutable()
    const { exitCode, errors } = await wrapper.start(byArguments, 'id=1', 'firstname=A').ended
    expect(exitCode).toBe(2)
    expect(errors).toContain('lastname is missing')
    await expect(access(wrapper.profileFolder)).rejects.toMatchObject({ code: 'ENOENT' })
    const next = wrapper.start(...person('next'))
    await wrapper.called(calls => calls.length === 1)
    expect(next.child.exitCode).toBeNull()
  })

  // On Windows pipes are no files.
  test.skipIf(process.platform === 'win32')('whose pipe’s name is taken tells no address', async () => {
    await using wrapper = await wrapperExecutable()
    const running = wrapper.start()
    const taken = pipeAddress(defaultBrand, running.child.pid ?? 0, process.platform, wrapper.folder)
    writeFileSync(taken, '')
    await running.isWrapper
    running.child.kill('SIGTERM')
    const { exitCode, errors } = await running.ended
    expect(exitCode).toBe(0)
    expect(errors).toMatch(/^Something else.* has the name of this wrapper’s pipe.*report it/m)
    expect(errors).toMatch(/^The wrapper runs\. It has no pipe\.$/m)
  })

  test('[1-single-instance] launches during the wrapper’s exit begin the next one', async () => {
    await using wrapper = await wrapperExecutable()
    const first = wrapper.start(...person('before'))
    await wrapper.called(calls => calls.length === 1)
    first.child.kill('SIGTERM')
    const later = ['a', 'b', 'c'].map(id => wrapper.start(...person(id)))
    expect(await first.ended).toMatchObject({ exitCode: 0 })
    await wrapper.called(calls => calls.length === 4)
    expect(customIds(wrapper.calls).slice(1).sort()).toEqual(['a', 'b', 'c'])
    const winner = await Promise.race(later.map(async start => start.isWrapper.then(() => start)))
    expect(winner.child.exitCode).toBeNull()
  })

  test('a browser’s lock of another host, or of this one under another name, keeps nothing from starting', async () => {
    await using wrapper = await wrapperExecutable()
    await mkdir(wrapper.profileFolder, { recursive: true, mode: 0o700 })
    await symlink('otherhost-4711', join(wrapper.profileFolder, 'SingletonLock'))
    wrapper.start(...person('p'))
    await wrapper.called(calls => calls.length === 1)
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
