import {
  compareVersions,
  type FourPartVersion,
  minimumPipeVersion,
  parseVersion,
} from '@service-link/protocol-core'
import { z } from 'zod'

/** Largest parts of a version that the Windows Installer stores. */
const largest: FourPartVersion = [255, 255, 65_535, 65_535]

const text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
const path = text.min(1, { error: 'must be the name of a file' })

const version = text.superRefine((value, context) => {
  const problem = problemOfVersion(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const sign = z
  .array(text, { error: 'must be a list: program and arguments' })
  .refine(([program = '']) => program !== '', { error: 'must begin with a program' })
  .refine(([, ...args]) => args.some(argument => argument.includes('{file}')), {
    error: 'needs an argument with {file}, which stands for the file to be signed',
  })

/** What a brand file may hold. Names and settings are checked further by what defines them. */
export const brandFileSchema = z.strictObject({
  name: text.optional(),
  vendor: text.optional(),
  application: text.optional(),
  displayName: text.optional(),
  pipePrefix: text.optional(),
  xmlRoot: text.optional(),
  appUrl: text.optional(),
  updateUrl: text.optional(),
  version,
  icon: path.optional(),
  distributorName: text.optional(),
  provider: text.optional(),
  settings: z.record(z.string(), text, { error: 'must be an object of texts' }).default({}),
  providers: z.array(path, { error: 'must be a list of files' }).default([]),
  entry: path.optional(),
  upgradeCode: text
    .regex(/^\{?[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}?$/i, { error: 'must be a GUID' })
    .transform(value => value.replaceAll(/[{}]/g, '').toUpperCase())
    .optional(),
  sign: sign.optional(),
})

/** A brand file as it is written, of the right shape. */
export type BrandFile = z.output<typeof brandFileSchema>

function problemOfVersion(value: string): string | undefined {
  // White space that a version may have elsewhere would end up in the names of files.
  if (!/^\d{1,5}(\.\d{1,5}){3}$/.test(value))
    return 'must be four numbers with dots between them, such as 3.0.0.0'
  if (/(^|\.)0\d/.test(value)) return 'must be numbers without leading zeros'
  if (value.split('.').some((part, index) => Number(part) > (largest[index] ?? 0)))
    return `must be at most ${largest.join('.')}, which is what the Windows Installer stores`
  if (compareVersions(parseVersion(value), minimumPipeVersion) < 0)
    return `must be at least ${minimumPipeVersion.join('.')}: clients look for no pipe in an older wrapper`
  return undefined
}
