import type { LogLevel, WrapperEvent } from './wrapper-event.ts'

const levels: Readonly<Record<WrapperEvent['type'], LogLevel>> = {
  started: 'info',
  closing: 'info',
  crashed: 'error',
  'setting-ignored': 'warn',
  'configuration-exposed': 'warn',
  'settings-damaged': 'warn',
  'settings-carried-over': 'info',
  'settings-unsaved': 'warn',
  'log-unwritable': 'warn',
  'events-dropped': 'warn',
  'launch-taken': 'info',
  'launch-refused': 'info',
  'launch-done': 'info',
  'launch-failed': 'warn',
  'launch-leftover': 'warn',
  'web-app-connected': 'debug',
  'signed-in': 'info',
  'signed-out': 'info',
  'sign-out-failed': 'error',
  'page-unreachable': 'warn',
  'page-reachable': 'info',
  'page-crashed': 'error',
  'page-hung': 'error',
  'page-restarted': 'info',
  'engine-lost': 'error',
  'engine-restarted': 'info',
  'page-given-up': 'error',
  'engine-given-up': 'error',
  'sign-on-refused': 'warn',
  'page-message-unclear': 'warn',
  'page-protocol': 'warn',
  'tray-absent': 'info',
  'tray-lost': 'warn',
  'notice-unshown': 'warn',
  'own-function-failed': 'error',
  'installation-unnoted': 'warn',
  'update-available': 'info',
  'update-check-failed': 'info',
}

/** How much an event matters. Warnings and errors are also told to people as a sentence. */
export function levelOf(event: WrapperEvent): LogLevel {
  return levels[event.type]
}
