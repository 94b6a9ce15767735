import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOpenLaunchArguments } from '@service-link/cli-args'
import { type ProviderContext, ProviderRefusalError } from '../../src/launch/provider.ts'

/** The context of a provider for these arguments in a directory. */
export function providerContext(argv: readonly string[], workingDirectory = '/'): ProviderContext {
  return {
    launch: { id: '6f0e2ad0-0000-4000-8000-000000000000', argv: [...argv], workingDirectory },
    arguments: readOpenLaunchArguments(argv),
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
