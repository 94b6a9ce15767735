/**
 * What the program prints for `--help`.
 *
 * @param command what its user types to start it
 */
export function helpText(command: string): string {
  return `${command} [key=value …] [file.xml]

Starts the wrapper, or hands these arguments to the one that runs and ends.

  provider="<type>, <assembly>"   provider of this launch; default: the setting ProtocolProvider
  id= firstname= lastname= dateofbirth=   the person to select or create (all four), also email=
  queryexercises=<text>           search exercises
  queryworkouts=<text>            search workouts
  openworkout=<id>                open a workout
  file.xml                        commands in an XML file, with the XML provider
  payload=@<file>                 signed payload of the partner link, in a file; it brings the person
  wait=true                       end only when the web app has taken the commands

Exit codes: 0 taken, 1 the wrapper failed and closed, 2 refused (the reason is on standard error).

${command} settings [--json]

Shows each setting that the next start has, where it comes from, and what is wrong. Changes nothing.
Exit codes: 0 all is right, 1 a file or a value is not, 2 other arguments.

${command} doctor [--json]

Shows whether this machine has what a wrapper needs, and what to do about the rest.

${command} installer close
${command} installer forget

For installers. close: asks this user's wrappers to close, and waits for it. forget: removes what is kept for this user, but for the settings.
Exit codes: 0 done, 1 not all of it, 2 other arguments.

Environment: SERVICE_WRAPPER_ROOT (application root), SERVICE_WRAPPER_DATA (per-user folder), SERVICE_BROWSER (browser).
`
}
