import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { pipeAddress } from '@service-link/protocol-core/brand'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { removeDeadPipes } from '../../src/pipe/remove-dead-pipes.ts'
import { deadPid, leaveSocket } from '../support/instance-place.ts'

// A pipe is a file there.
test.skipIf(process.platform === 'win32')('pipes of killed wrappers are removed, and no others', async () => {
  await using folder = await temporaryFolder()
  const at = (pid: number) => pipeAddress(defaultBrand, pid, process.platform, folder.path)
  await leaveSocket(at(deadPid))
  const kept = [at(process.pid), `${at(deadPid)}.x`, `${at(deadPid)}`.replace('servicepipe', 'otherpipe')]
  for (const file of kept) await leaveSocket(file)
  // Processes of another container are not seen from here.
  const listening = createServer().listen(at(deadPid - 1))
  await once(listening, 'listening')
  await removeDeadPipes(defaultBrand, `${folder.path}/`)
  const names = [...kept, at(deadPid - 1)].map(file => basename(file))
  expect((await readdir(folder.path)).sort()).toEqual(names.sort())
  listening.close()
})
