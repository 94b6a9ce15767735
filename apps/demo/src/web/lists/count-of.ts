/** A number with its noun: `1 exercise`, `12 exercises`. */
export function countOf(count: number, one: string, many: string): string {
  return count === 0 ? `No ${many}` : `${count} ${count === 1 ? one : many}`
}
