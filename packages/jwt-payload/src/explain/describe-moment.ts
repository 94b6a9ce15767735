const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
] as const

/** Latest second that a date of four digits has. */
const maxSeconds = 253_402_300_799

/**
 * A moment as ISO text, and how far it is from now: `2026-06-01T12:00:00Z, 3 minutes ago`.
 *
 * @param seconds since 1970, of any size
 */
export function describeMoment(seconds: number, now: Date): string {
  if (!(seconds >= 0 && seconds <= maxSeconds)) return 'a time beyond the year 9999'
  const iso = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
  const ahead = seconds - now.getTime() / 1000
  if (Math.abs(ahead) < 1) return `${iso}, now`
  return ahead > 0 ? `${iso}, in ${describeSpan(ahead)}` : `${iso}, ${describeSpan(-ahead)} ago`
}

/** A span in its largest unit, and the next smaller one where that says more: `2 hours 5 minutes`. */
export function describeSpan(seconds: number): string {
  const whole = Math.floor(seconds)
  const at = units.findIndex(unit => whole >= unit.seconds)
  const unit = units[at]
  if (!unit) return counted(whole, 'second')
  const count = Math.floor(whole / unit.seconds)
  const smaller = units[at + 1]
  const rest = smaller ? Math.floor((whole - count * unit.seconds) / smaller.seconds) : 0
  return `${counted(count, unit.name)}${smaller && rest > 0 && count < 10 ? ` ${counted(rest, smaller.name)}` : ''}`
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
