#!/usr/bin/env node
import { isServiceLinkError } from '@service-link/protocol-core'
import { kindOf } from '../log/failure-reason.ts'
import { BrandFileError } from '../packaging/brand/brand-file-error.ts'
import { readBrandFile } from '../packaging/brand/read-brand-file.ts'
import { packTargets } from '../packaging/pack-target.ts'
import { type PackedWrapper, packWrapper } from '../packaging/pack-wrapper.ts'
import { type PackArguments, readPackArguments } from '../packaging/read-pack-arguments.ts'
import { helpText } from './help-text.ts'

const exitFailed = 1
const exitUsage = 2

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())

const read = readPackArguments(process.argv.slice(2))
if ('exitCode' in read) {
  const stream = read.exitCode === 0 ? process.stdout : process.stderr
  stream.write(read.text)
  process.exitCode = read.exitCode
} else {
  process.exitCode = await pack(read)
}

async function pack(options: PackArguments): Promise<number> {
  try {
    const plan = await readBrandFile(options.brandFile)
    const made = []
    for (const platform of options.platforms) {
      const target = packTargets[platform]
      const packed = await packWrapper({
        ...options,
        helpText,
        plan,
        target,
        signal: ending.signal,
        onProgress: report,
      })
      made.push({ platform, ...packed })
    }
    process.stdout.write(options.json ? `${JSON.stringify(made, null, 2)}\n` : made.map(linesOf).join(''))
    return 0
  } catch (error) {
    report(sentenceOf(error))
    return error instanceof BrandFileError ? exitUsage : exitFailed
  }
}

function linesOf({ folder, installer }: PackedWrapper): string {
  return installer === undefined ? `${folder}\n` : `${folder}\n${installer}\n`
}

function sentenceOf(error: unknown): string {
  if (ending.signal.aborted) return 'It was ended: what was being packed is not there.'
  if (isServiceLinkError(error)) return `${error.message} (${error.code})`
  return `Something failed that should not have (${kindOf(error)}). Report it. (ERR_INTERNAL)`
}

function report(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
