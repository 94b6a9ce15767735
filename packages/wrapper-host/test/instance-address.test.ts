import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { decodeJson, encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../src/instance/claim-instance.ts'
import { handOff } from '../src/instance/hand-off-client.ts'
import { offerLaunch } from '../src/instance/offer-launch.ts'
import { windowsPlace } from '../src/instance/platform/windows.ts'
import { socketAddress } from './_socket-address.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const request = () => ({ launch: { id: randomUUID(), argv: ['id=1'], workingDirectory: '/' } })
const digits = 'a'.repeat(64)
const ask = 'b'.repeat(64)

/** What the file of an address holds. */
const fileOf = (beginning: string) => [beginning + digits, ask, 'c'.repeat(64)].join('\n')

const taken = { waits: false, completed: Promise.resolve(undefined) }

/** A place as on Windows: with a file that holds the address. Elsewhere a Unix socket stands in for the pipe. */
async function secretPlace() {
  const folder = await temporaryFolder()
  const beginning = socketAddress(folder.path, 's.')
  const addressFile = join(folder.path, 'name.address')
  return {
    place: {
      handOffAddress: beginning,
      addressFile,
      lockFile: join(folder.path, 'name.lock'),
      privateFolder: undefined,
    },
    folder: folder.path,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function claimAsWrapper(place: Awaited<ReturnType<typeof secretPlace>>['place']) {
  const claim = await claimInstance(place, request())
  if (claim.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
  return claim
}

/** Somebody who sits at an address, and notes who comes. */
async function squatter(address: string) {
  let visits = 0
  const server = createServer(socket => {
    visits += 1
    socket.destroy()
  }).listen(address)
  await once(server, 'listening')
  return {
    visits: () => visits,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

describe('an address that is chosen at random', () => {
  test('[1-single-instance] is found by this user’s other starts, is another one each time, and goes with the wrapper', async () => {
    await using at = await secretPlace()
    const addresses: string[] = []
    for (let start = 0; start < 2; start++) {
      expect(await offerLaunch(at.place, request())).toBeUndefined()
      const claim = await claimAsWrapper(at.place)
      await claim.listen(async () => taken)
      expect(await claimInstance(at.place, request())).toMatchObject({
        role: 'handed-off',
        outcome: { status: 'accepted' },
      })
      const [address = '', ...proof] = (await readFile(at.place.addressFile, 'utf8')).split('\n')
      expect(new Set(proof.filter(digits => /^[0-9a-f]{64}$/.test(digits))).size).toBe(2)
      expect(address.slice(0, at.place.handOffAddress.length)).toBe(at.place.handOffAddress)
      expect(address.slice(at.place.handOffAddress.length)).toMatch(/^[0-9a-f]{64}$/)
      if (process.platform !== 'win32') expect((await stat(at.place.addressFile)).mode & 0o777).toBe(0o600)
      addresses.push(address)
      await claim.release()
      await expect(access(at.place.addressFile)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await handOff(address, request())).toBeUndefined()
    }
    expect(addresses[0]).not.toBe(addresses[1])
  })

  test('that a wrapper left which was killed is no wrapper', async () => {
    await using at = await secretPlace()
    await writeFile(at.place.addressFile, fileOf(at.place.handOffAddress))
    const claim = await claimAsWrapper(at.place)
    await claim.listen(async () => taken)
    expect(await offerLaunch(at.place, request())).toMatchObject({ status: 'accepted' })
    await claim.release()
  })

  test('is the only one that anybody connects to, whatever else listens or is in the file', async () => {
    await using at = await secretPlace()
    const elsewhere = socketAddress(at.folder, 'other')
    await using atBeginning = await squatter(at.place.handOffAddress)
    await using other = await squatter(elsewhere)
    expect(await offerLaunch(at.place, request())).toBeUndefined()
    for (const content of [
      '',
      at.place.handOffAddress,
      elsewhere,
      `${at.place.handOffAddress}${digits}`,
      fileOf(elsewhere),
      fileOf(at.place.handOffAddress).toUpperCase(),
      `${fileOf(at.place.handOffAddress)}\n`,
      'x'.repeat(2000),
    ]) {
      await writeFile(at.place.addressFile, content)
      expect(await offerLaunch(at.place, request())).toBeUndefined()
    }
    expect([atBeginning.visits(), other.visits()]).toEqual([0, 0])
  })
})

describe('whoever sits at the address that a killed wrapper left', () => {
  test.each<[string, (ask: string) => string | undefined]>([
    ['answers nothing', () => undefined],
    ['takes whatever comes', () => '{"status":"accepted","pid":1,"waits":false}'],
    ['gives back what it was told', ask => JSON.stringify({ answer: ask })],
    ['talks nonsense', () => 'nonsense'],
  ])('and %s is given no launch', async (_title, reply) => {
    await using at = await secretPlace()
    await writeFile(at.place.addressFile, fileOf(at.place.handOffAddress))
    const heard: unknown[] = []
    const server = createServer(socket => {
      const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Uint8Array) => {
        for (const body of decoder.push(chunk)) {
          const message = decodeJson(body)
          heard.push(message)
          const words = reply(ask)
          if (words === undefined) socket.end()
          else socket.write(encodeFrame(words))
        }
      })
    }).listen(at.place.handOffAddress + digits)
    await once(server, 'listening')
    expect(await offerLaunch(at.place, request())).toBeUndefined()
    expect(heard).toEqual([{ ask }])
    const claim = await claimAsWrapper(at.place)
    await claim.release()
    server.close()
  })
})

test('a wrapper answers nobody who does not know its file', async () => {
  await using at = await secretPlace()
  const claim = await claimAsWrapper(at.place)
  let count = 0
  await claim.listen(async () => {
    count += 1
    return taken
  })
  const [address = ''] = (await readFile(at.place.addressFile, 'utf8')).split('\n')
  expect(await handOff(address, request())).toBeUndefined()
  const proof = { ask, answer: digits }
  expect(await handOff(address, request(), { proof })).toBeUndefined()
  expect(count).toBe(0)
  await claim.release()
})

test('on Windows nothing that another user could work out is in the address', () => {
  const place = windowsPlace.place('name', 'Acme.Wrapper', 'folder')
  expect(place.handOffAddress).toBe(String.raw`\\.\pipe\Acme.Wrapper.`)
  expect(place.addressFile).toBe(join('folder', 'name.address'))
})
