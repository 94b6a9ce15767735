/** One option of `service-pipe`. */
export interface OptionFacts {
  /** What its value is called; none for a switch. */
  readonly value?: string
  /** For the help. */
  readonly summary: string
}

/** Every option. Light on purpose: `list` is read with it, without the schemas of the commands. */
export const optionFacts = {
  pid: { value: 'id', summary: 'process id of the wrapper; needed when several are running' },
  start: { summary: 'starts the wrapper when none is running' },
  timeout: {
    value: 'seconds',
    summary:
      'longest wait once the arguments are read, for finding or starting the wrapper and for the command; default 35, with --start 60 for the start and 35 more for the command',
  },
  count: { value: 'number', summary: 'ends after that many events' },
  json: { summary: 'prints a failure as JSON as well, for programs' },
  'brand-name': {
    value: 'name',
    summary: 'name of the wrapper’s brand, as in its brand file; default Service',
  },
  vendor: { value: 'name', summary: 'vendor of the brand, where it has its own; default its name' },
  application: {
    value: 'name',
    summary: 'application of the brand, where it has its own; default its name and .Client.WebWrapper',
  },
  'pipe-prefix': {
    value: 'prefix',
    summary:
      'first part of the pipe’s name, where the brand has its own; default its name and pipe. On Windows with --brand-name, as whose pipe it is shows by the brand',
  },
  help: { summary: 'explains service-pipe, or the command before it' },
} as const satisfies Readonly<Record<string, OptionFacts>>

/** Name of an option, without its hyphens. */
export type OptionName = keyof typeof optionFacts

/** Whether there is an option of this name. */
export function isOptionName(text: string): text is OptionName {
  return Object.hasOwn(optionFacts, text)
}

/** Which brand a wrapper is of. */
const ofBrand: readonly OptionName[] = ['brand-name', 'vendor', 'application', 'pipe-prefix']

const forOneWrapper: readonly OptionName[] = ['pid', 'start', 'timeout', 'json', ...ofBrand, 'help']

/** The options of a command, in the table's order. */
export function optionsOf(command: string): readonly OptionName[] {
  if (command === 'list') return ['json', ...ofBrand, 'help']
  if (command === 'completion') return ['help']
  if (command === 'watch') return ['pid', 'start', 'timeout', 'count', 'json', ...ofBrand, 'help']
  return forOneWrapper
}
