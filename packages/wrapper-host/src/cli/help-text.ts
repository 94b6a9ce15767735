/** What `service-webwrapper --help` prints. */
export const helpText = `service-webwrapper [key=value …] [file.xml]

Starts the wrapper, or hands these arguments to the one that runs and ends.

  provider="<type>, <assembly>"   provider of this launch; default: the setting ProtocolProvider
  id= firstname= lastname= dateofbirth=   the person to select or create (all four), also email=
  queryexercises=<text>           search exercises
  queryworkouts=<text>            search workouts
  openworkout=<id>                open a workout
  file.xml                        commands in an XML file, with the XML provider
  wait=true                       end only when the web app has taken the commands

Exit codes: 0 taken, 2 refused (the reason is on standard error).
Environment: SERVICE_WRAPPER_ROOT (application root), SERVICE_WRAPPER_DATA (per-user folder), SERVICE_BROWSER (browser).
`
