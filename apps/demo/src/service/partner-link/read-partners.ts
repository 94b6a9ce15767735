import { readFile } from 'node:fs/promises'
import { type PartnerRegistration, partnerRegistrationSchema } from '@service-link/jwt-payload/receiver'
import { issuesOf } from '@service-link/protocol-core'
import { z } from 'zod'
import { StartError } from '../operations/start-error.ts'

/**
 * Reads the partners' registrations: a JSON array.
 *
 * @throws {StartError} says where the file is wrong and repeats nothing of it
 */
export async function readPartners(path: string): Promise<PartnerRegistration[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`PARTNERS_FILE: ${path} cannot be read.`)
  })
  return parsePartners(text, path)
}

/** {@link readPartners} of a file that was read already. */
export function parsePartners(text: string, path: string): PartnerRegistration[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new StartError(`PARTNERS_FILE: ${path} is not JSON.`)
  }
  const parsed = z.array(partnerRegistrationSchema).safeParse(content, { reportInput: true })
  if (parsed.success) return parsed.data
  const places = issuesOf(parsed.error).map(({ path, problem }) => `${path}: ${problem}`)
  throw new StartError(`PARTNERS_FILE: ${path} is not acceptable.\n${places.join('\n')}`)
}
