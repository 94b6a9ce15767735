import { type DestinationStream, type Logger, pino } from 'pino'

/** Fields that must never be readable in a log, wherever they stand in an object; a second line of defence. */
const secretFields = [
  'payload',
  'token',
  'password',
  'cookie',
  'authorization',
  'email',
  'ssn',
  'firstname',
  'middlename',
  'lastname',
  'name',
  'person',
  'contact',
  'delivery',
  'handle',
]

/**
 * Makes the service's log: JSON lines, on stderr.
 *
 * @param level pino's; `silent` writes nothing. Default `info`
 */
export function createLogger(level = 'info', destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { app: 'service' },
      redact: {
        paths: secretFields.flatMap(field => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
}
