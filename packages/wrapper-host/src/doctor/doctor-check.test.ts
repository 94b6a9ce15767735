import { defaultBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { ConfigFileError } from '../settings/config-file.ts'
import { type DoctorCheck, doctorInput, ok, runChecks } from './doctor-check.ts'
import { formatFindings } from './run-doctor.ts'

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

test('findings stand in columns with remedies below, and the last line sums up', () => {
  const text = formatFindings([
    { check: 'system', status: 'ok', sentence: 'Well.' },
    { check: 'user-folder', status: 'problem', sentence: 'Not well.', remedy: 'Do this.' },
    { check: 'tray', status: 'warning', sentence: 'So so.', remedy: 'Or that.' },
  ])
  expect(text.split('\n')).toEqual([
    'ok       system       Well.',
    'problem  user-folder  Not well.',
    '                      → Do this.',
    'warning  tray         So so.',
    '                      → Or that.',
    '',
    'Problems: 1. Warnings: 1.',
    '',
  ])
})

test('only passed and skipped checks make no fault', () => {
  const text = formatFindings(
    [
      { check: 'a', status: 'ok', sentence: 'Well.' },
      { check: 'b', status: 'skipped', sentence: 'Not here.' },
    ],
    (status, padded) => (status === 'ok' ? `<${padded}>` : padded),
  )
  expect(text).toBe('<ok     >  a  Well.\nskipped  b  Not here.\n\nNothing is wrong.\n')
})
