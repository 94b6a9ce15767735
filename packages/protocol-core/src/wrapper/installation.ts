import * as z from 'zod/mini'
import { object } from '../schema/object.ts'
import { findTextProblem } from '../text/text-rules.ts'
import { parseVersion } from './four-part-version.ts'

/** A path or an argument, as an operating system can start a program with it. */
const commandText = z.string().check(
  z.minLength(1),
  z.refine(text => findTextProblem(text) === undefined),
)

/** Most texts of a command. */
const maxCommandLength = 16

const installationSchema = object({
  /** Absolute path of the folder that the wrapper lies in. */
  path: commandText,
  /** Four numbers with dots between them. */
  version: z.string().check(z.refine(isVersion)),
  /** The command that starts it: the absolute path of an executable, then arguments before those of a launch. */
  command: z.readonly(z.array(commandText).check(z.minLength(1), z.maxLength(maxCommandLength))),
})

/** Where a wrapper is installed, see {@link parseInstallation}. */
export type Installation = Readonly<z.output<typeof installationSchema>>

/** Most bytes of a file with an {@link Installation}. */
export const maxInstallationBytes = 256 * 1024

/**
 * Reads the text of a file in which a wrapper notes at each start where it is installed, for programs that start it
 * (spec 4.2). It holds nothing of a person.
 *
 * @returns nothing when it is not such a text
 */
export function parseInstallation(text: string): Installation | undefined {
  try {
    return z.safeParse(installationSchema, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text)
    return text === text.trim()
  } catch {
    return false
  }
}
