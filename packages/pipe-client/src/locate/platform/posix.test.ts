import { join } from 'node:path'
import { expect, test } from 'vitest'
import { posixLocate } from './posix.ts'

test.skipIf(process.platform === 'win32')(
  'a program that is gone meanwhile is an error with a code',
  async () => {
    const file = join(import.meta.dirname, 'gone')
    await expect(posixLocate.assertTrusted(file)).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: `${file} cannot be looked at (ENOENT), and is not started.`,
    })
  },
)
