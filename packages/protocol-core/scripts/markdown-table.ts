/** A table of Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return `${[lines[0], `|${'---|'.repeat(head.length)}`, ...lines.slice(1)].join('\n')}\n`
}
