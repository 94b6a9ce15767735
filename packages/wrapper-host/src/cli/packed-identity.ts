import { basename } from 'node:path'
import { getAsset } from 'node:sea'
import { assetNames, type PackedIdentity, type ProgramIdentity } from './program-identity.ts'

/** Reads what this packed executable holds about itself. */
export function packedIdentity(): ProgramIdentity {
  const { brand, version, ...own }: PackedIdentity = JSON.parse(getAsset(assetNames.identity, 'utf8'))
  return { brand, version, own, programName: basename(process.execPath) }
}
