import * as z from 'zod/mini'
import { maxLaunchArguments } from '../text/text-rules.ts'

/** One start of the executable. A second process hands it to the running wrapper (design: a launch). */
export const launchSchema = z.object({
  /** Chosen by the launching process; a launch that arrives twice under one id is taken once. */
  id: z.uuid(),
  /** Arguments after the executable's own name, as the operating system split them. */
  argv: z.array(z.string()).check(z.maxLength(maxLaunchArguments)),
  /** Working directory of the launching process; relative paths in `argv` start here. */
  workingDirectory: z.string().check(z.minLength(1)),
})

/** See {@link launchSchema}. */
export type Launch = z.output<typeof launchSchema>
