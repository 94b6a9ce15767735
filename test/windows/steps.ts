/** A part of the tests of programs that is run alone, by `npm run windows -- <name>`. */
export interface WindowsStep {
  /** Beginnings of the files' names. */
  readonly files: readonly string[]
  /** Matches the names of its tests. Default: all */
  readonly tests?: string
}

/**
 * What Wine cannot show for Windows itself. On Windows each of these tests must run: one that was skipped has not passed. A test for
 * Wine alone is not there at all.
 */
export const windowsSteps: Readonly<Record<string, WindowsStep>> = {
  foreground: { files: ['window-front', 'window-identity'] },
  tray: { files: ['wrapper-tray', 'user-desk'] },
  'msi-user': { files: ['msi-'], tests: '^(?!.*for all users)' },
  'msi-machine': { files: ['msi-'], tests: 'for all users' },
  policies: { files: ['browser-policies'] },
  sessions: { files: ['two-sessions'] },
}
