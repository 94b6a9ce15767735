import { EngineError } from '@service-link/window-engine'
import { expect, test } from 'vitest'
import { ConfigFileError } from '../settings/config-file.ts'
import { mayPass } from './failed-start.ts'

test.each([
  [new EngineError('forbidden', 'x'), false],
  [new EngineError('not-available', 'x'), false],
  [new EngineError('profile-unusable', 'x'), false],
  [new ConfigFileError('the file', 'is wrong'), false],
  [new EngineError('timeout', 'x'), true],
  [new EngineError('did-not-start', 'x'), true],
  [new TypeError('x'), true],
])('whether another start may help after %o: %s', (error, expected) => {
  expect(mayPass(error)).toBe(expected)
})
