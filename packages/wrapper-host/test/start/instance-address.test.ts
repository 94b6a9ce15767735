import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { readWrapperRecord } from '@service-link/pipe-client/running'
import { decodeJson, encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { handOff, offerLaunch } from '../../src/start/hand-off.ts'
import { placeOf } from '../../src/start/instance-place.ts'
import { claimAsWrapper, deadPid, leaveSocket, newPlace, taken, testKey } from '../support/instance-place.ts'
import { socketAddress } from '../support/pipe.ts'

const request = () => ({ launch: { id: randomUUID(), argv: ['id=1'], workingDirectory: '/' } })
describe('the record of a wrapper', () => {
  test.each([false, true])(
    '[1-single-instance] leads other starts to it, has a new key each time, and ends with it; random end: %s',
    async hasRandomEnd => {
      await using at = await newPlace()
      const place = hasRandomEnd
        ? { ...at.place, hasRandomEnd, address: socketAddress(at.folder, 's.') }
        : at.place
      const records: unknown[] = []
      for (let start = 0; start < 2; start++) {
        expect(await offerLaunch(place, request())).toBeUndefined()
        const claim = await claimAsWrapper(place)
        await claim.listen(async () => taken, { version: '3.1.0.0' })
        expect(await claimInstance(place, request())).toMatchObject({
          role: 'handed-off',
          outcome: { status: 'accepted' },
        })
        const record = readWrapperRecord(place.recordFile)
        expect(record).toMatchObject({ pid: process.pid, desktop: at.place.desktop, version: '3.1.0.0' })
        if (!record) return
        const { address, key } = record
        expect(new Set([key.ask, key.answer]).size).toBe(2)
        if (process.platform !== 'win32') expect((await stat(place.recordFile)).mode & 0o777).toBe(0o600)
        if (hasRandomEnd) expect(address.slice(place.address.length)).toMatch(/^[0-9a-f]{64}$/)
        else if (process.platform !== 'win32') expect(address).toBe(place.address)
        records.push(key.ask, key.answer, hasRandomEnd ? address : start)
        await claim.release()
        await expect(access(place.recordFile)).rejects.toMatchObject({ code: 'ENOENT' })
        expect(await handOff(record, request())).toBeUndefined()
      }
      expect(new Set(records).size).toBe(6)
    },
  )

  test('of a killed wrapper is replaced', async () => {
    await using at = await newPlace()
    await at.publish(socketAddress(at.folder, 'gone'), deadPid)
    const claim = await claimAsWrapper(at.place)
    await claim.listen(async () => taken)
    expect(await offerLaunch(at.place, request())).toMatchObject({ status: 'accepted' })
    await claim.release()
  })

  test('of a killed wrapper of another desktop is removed by the next start; a running one’s stays', async () => {
    await using at = await newPlace()
    const socket = socketAddress(at.folder, 'killed')
    if (process.platform !== 'win32') await leaveSocket(socket)
    await at.publish(socket, deadPid)
    const left = await readFile(at.place.recordFile, 'utf8')
    const other = {
      ...at.place,
      recordFile: `${at.place.privateFolder}/other.json`,
      lockFile: `${at.place.privateFolder}/other.lock`,
    }
    const running = `${at.place.privateFolder}/running.json`
    await writeFile(running, left.replace(String(deadPid), String(process.pid)), { mode: 0o600 })
    const claim = await claimAsWrapper({ ...other, address: socketAddress(at.folder, 'other') })
    await claim.listen(async () => taken)
    // On Windows a pipe goes with its process.
    for (const file of [at.place.recordFile, ...(process.platform === 'win32' ? [] : [socket])])
      await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' })
    await access(running)
    await claim.release()
  })

  test.each(['', 'x', '{}', '{"pid":1}', 'x'.repeat(9000)])(
    'with other content (%#) counts as none',
    async content => {
      await using at = await newPlace()
      await at.publish('nowhere')
      await writeFile(at.place.recordFile, content)
      expect(await offerLaunch(at.place, request())).toBeUndefined()
    },
  )
})

describe('a listener at a killed wrapper’s address', () => {
  test.each<[string, (ask: string) => string | undefined]>([
    ['answers nothing', () => undefined],
    ['takes whatever comes', () => '{"status":"accepted","pid":1,"waits":false}'],
    ['gives back what it was told', ask => JSON.stringify({ answer: ask })],
    ['talks nonsense', () => 'nonsense'],
  ])('and %s gets no launch', async (_title, reply) => {
    await using at = await newPlace()
    const address = socketAddress(at.folder, 'squatter')
    await at.publish(address)
    const heard: unknown[] = []
    const server = createServer(socket => {
      const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Uint8Array) => {
        for (const body of decoder.push(chunk)) {
          heard.push(decodeJson(body))
          const words = reply(testKey.ask)
          if (words === undefined) socket.end()
          else socket.write(encodeFrame(words))
        }
      })
    }).listen(address)
    await once(server, 'listening')
    expect(await offerLaunch(at.place, request())).toBeUndefined()
    expect(heard).toEqual([{ ask: testKey.ask }])
    const claim = await claimAsWrapper(at.place)
    await claim.release()
    server.close()
  })
})

test('a wrapper does not answer a client without its record', async () => {
  await using at = await newPlace()
  const claim = await claimAsWrapper(at.place)
  let count = 0
  await claim.listen(async () => {
    count += 1
    return taken
  })
  const address = readWrapperRecord(at.place.recordFile)?.address ?? ''
  expect(await handOff({ address, key: testKey }, request())).toBeUndefined()
  expect(count).toBe(0)
  await claim.release()
})

test('on Windows the address holds nothing that another user could work out', () => {
  const options = { name: 'name', desktop: '', application: 'Acme.Wrapper', userFolder: 'folder' }
  expect(placeOf(options, 'win32')).toMatchObject({
    address: String.raw`\\.\pipe\Acme.Wrapper.`,
    hasRandomEnd: true,
  })
})
