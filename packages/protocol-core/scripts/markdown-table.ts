/** A table with columns of equal width, as the formatter wants them. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) =>
    Math.max(text.length, ...rows.map(row => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = widths.map(width => '-'.repeat(width))
  return `${[head, rule, ...rows].map(line).join('\n')}\n`
}
