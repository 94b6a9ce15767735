import { describe, expect, test } from 'vitest'
import { maxLaunchArguments } from '../text/text-rules.ts'
import { launchSchema } from './hand-off.ts'

const launch = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  argv: ['firstname=Kåre Nils', '', 'input.xml'],
  workingDirectory: 'C:\\Journal',
}

describe('launchSchema', () => {
  test('[1-single-instance] carries every argument unchanged, including an empty one', () => {
    expect(launchSchema.parse(launch)).toEqual(launch)
  })

  test.each([
    ['an id that is none', { ...launch, id: '1' }],
    ['arguments that are not text', { ...launch, argv: [1] }],
    ['too many arguments', { ...launch, argv: Array.from({ length: maxLaunchArguments + 1 }, String) }],
    ['no working directory', { ...launch, workingDirectory: '' }],
  ])('refuses %s', (_, value) => {
    expect(launchSchema.safeParse(value).success).toBe(false)
  })
})
