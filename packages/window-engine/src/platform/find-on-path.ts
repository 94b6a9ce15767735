import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Environment } from './window-platform.ts'

/** Finds a program by its name in the folders of `PATH`. Ignores relative folders: they depend on the working directory. */
export function findOnPath(name: string, { PATH = '' }: Environment = process.env): string | undefined {
  const files = PATH.split(delimiter).flatMap(folder => (isAbsolute(folder) ? [join(folder, name)] : []))
  return files.find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
