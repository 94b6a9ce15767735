/** Longest time that a timer takes, in milliseconds. */
export const maxTimeoutMs = 2 ** 31 - 1

/** Whether a value can be a time-out: a whole number of milliseconds, 1 to {@link maxTimeoutMs}. */
export function isTimeoutMs(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxTimeoutMs
}
