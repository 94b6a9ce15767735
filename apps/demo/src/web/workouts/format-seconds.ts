/** A length of time as people read it: `45 s`, `3 min`, `2 min 30 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
