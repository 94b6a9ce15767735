import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { object } from '../schema/object.ts'
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

/** The message of a launching process to the running wrapper, sent after the proof (design: a launch). */
export const handOffRequestSchema = object({ launch: launchSchema })

/** See {@link handOffRequestSchema}. */
export type HandOffRequest = z.output<typeof handOffRequestSchema>

const notice = z.optional(
  described(
    z.string(),
    'Which arguments were ignored, how a culture read a date, or what remains, such as a file that was not deleted',
  ),
)

/** The running wrapper's answer to a launch. One that waits gets two. */
export const handOffOutcomeSchema = z.union([
  object({
    status: described(z.literal('accepted'), 'The wrapper carries the launch out'),
    pid: described(z.int().check(z.gte(1)), 'Process id of the wrapper'),
    waits: described(z.boolean(), 'Whether a second answer follows when the web app has taken its commands'),
    notice,
  }),
  object({
    status: described(z.literal('completed'), 'The web app has taken all commands of a launch that waited'),
    notice,
    focusNumber: z.optional(
      described(z.int(), 'Number of the focus on the person of the launch, as status tells it'),
    ),
  }),
  object({
    status: described(z.literal('refused'), 'Nothing was done'),
    code: z.string(),
    message: z.string(),
    docsUrl: z.optional(
      described(
        z.string(),
        'Entry of the code in the error index; missing for a code of an integrator’s provider',
      ),
    ),
  }),
])

/** See {@link handOffOutcomeSchema}. */
export type HandOffOutcome = Readonly<z.output<typeof handOffOutcomeSchema>>
