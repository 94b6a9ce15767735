import { defaultBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { ConfigFileError } from '../settings/config-file.ts'
import { type DoctorCheck, doctorInput, ok, runChecks } from './doctor-check.ts'

const input = doctorInput({
  brand: defaultBrand,
  version: '3.0.0.0',
  folders: { applicationRoot: '/nowhere', userFolder: '/nowhere' },
  environment: {},
})

test('findings come in the order of the checks, for any results', async () => {
  let aborted = false
  const late: DoctorCheck = (_, signal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise(() => undefined)
  }
  const failed: DoctorCheck = async () => {
    throw new ConfigFileError('the file', 'is wrong')
  }
  const broken: DoctorCheck = async () => {
    throw new Error('of a library, with secrets')
  }
  const findings = await runChecks({ late, failed, broken, well: () => ok('Well.') }, input, 50)
  expect(findings).toMatchObject([
    { check: 'late', status: 'problem' },
    { check: 'failed', status: 'problem', sentence: 'the file: is wrong' },
    { check: 'broken', status: 'problem' },
    { check: 'well', status: 'ok', sentence: 'Well.' },
  ])
  expect(aborted).toBe(true)
  expect(JSON.stringify(findings)).not.toContain('secrets')
})
