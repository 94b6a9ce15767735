import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findProgram } from '../check/find-program.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
/** Readers of the documentation load them all. */
const maxBytes = 150 * 1024

/** Part of the screen, in pixels. */
export interface PictureArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Takes pictures of the screen for the documentation. */
export interface Camera {
  /**
   * Writes `docs/images/<name>.png`.
   *
   * @param area default: the whole screen
   * @throws {Error} when the picture is larger than 150 KiB
   */
  take(name: string, area?: PictureArea): Promise<void>
}

/** @returns `undefined` when ImageMagick's import is not installed */
export function findCamera(environment: NodeJS.ProcessEnv): Camera | undefined {
  const program = findProgram('import')
  if (!program) return undefined
  return {
    async take(name, area) {
      const file = join(folder, `${name}.png`)
      const crop = area ? ['-crop', `${area.width}x${area.height}+${area.left}+${area.top}`, '+repage'] : []
      // A palette is enough for text and flat colours, and makes the file a third as large.
      const small = ['+dither', '-colors', '255', '-strip', '-define', 'png:compression-level=9']
      await run(program, ['-window', 'root', ...crop, ...small, `png8:${file}`], { env: environment })
      const { size } = await stat(file)
      process.stdout.write(`${file} ${Math.ceil(size / 1024)} KiB\n`)
      if (size > maxBytes) throw new Error(`${name}.png has ${size} bytes, more than ${maxBytes}.`)
    },
  }
}
