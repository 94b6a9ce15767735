import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLaunchWords } from '@service-link/cli-args'
import { type ProviderInput, ProviderRefusalError } from '../../src/launch/provider.ts'

/** The input of a provider for these arguments in a directory. */
export function providerInput(argv: readonly string[], workingDirectory = '/'): ProviderInput {
  return {
    launch: { id: '6f0e2ad0-0000-4000-8000-000000000000', argv: [...argv], workingDirectory },
    arguments: readLaunchWords(argv),
    culture: 'en',
    refusal: sentence => new ProviderRefusalError(sentence),
  }
}

/** Writes a signed payload to a file of a folder, like a partner, and returns its argument. */
export async function payloadArgument(folder: string, payload = 'a.b.c'): Promise<string> {
  const file = join(folder, 'link.jwt')
  await writeFile(file, payload, { mode: 0o600 })
  return `payload=@${file}`
}
