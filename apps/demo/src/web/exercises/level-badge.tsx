import { Badge } from '@mantine/core'

const colors: Readonly<Record<string, string>> = { easy: 'teal', medium: 'yellow', hard: 'red' }

/** How demanding an exercise is, in word and colour. */
export function LevelBadge({ level }: { readonly level: string }) {
  return (
    <Badge
      variant="light"
      color={colors[level] ?? 'gray'}
      radius="sm"
      tt="none"
      style={{ flexShrink: 0, color: '#33413f' }}
    >
      {level}
    </Badge>
  )
}
