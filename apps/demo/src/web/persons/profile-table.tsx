import { Table, Text } from '@mantine/core'
import type { ProfileEntry } from '@service-link/protocol-core'

const knownMembers = new Set(['key', 'name', 'value', 'unit', 'date', 'source', 'description'])

/** Profile data as the partner sent it, further members included. */
export function ProfileTable({ entries }: { readonly entries: readonly ProfileEntry[] }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="#5a6a69">
        The journal has sent no profile data for this person.
      </Text>
    )
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table verticalSpacing="sm" data-testid="profile-data">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th>Source</Table.Th>
            <Table.Th>Notes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(entry => (
            <Table.Tr key={JSON.stringify(entry)}>
              <Table.Td fw={550}>{textOf(entry.name) || textOf(entry.key)}</Table.Td>
              <Table.Td>{[textOf(entry.value), textOf(entry.unit)].filter(Boolean).join(' ')}</Table.Td>
              <Table.Td>{textOf(entry.date)}</Table.Td>
              <Table.Td>{textOf(entry.source)}</Table.Td>
              <Table.Td>{notesOf(entry)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function notesOf(entry: ProfileEntry): string {
  const further = Object.entries(entry)
    .filter(([name]) => !knownMembers.has(name))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
  return [textOf(entry.description), ...further].filter(Boolean).join('; ')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
