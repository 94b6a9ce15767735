import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { personQuery, type StoredPerson } from '../api/queries.ts'
import { currentHost, useVisible } from '../bridge/host.ts'
import { ageOf, formatDay, nameOf } from '../parts/format.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { setFocus } from './focus-store.ts'

/** Shows the person in focus, at the same place on every page. */
export function PersonBar({ personId }: { readonly personId: number | undefined }) {
  return (
    <section className="focus-bar" aria-label="Person in focus" data-is-empty={personId === undefined}>
      {personId === undefined ? <NobodyInFocus /> : <FocusedPerson personId={personId} />}
    </section>
  )
}

function NobodyInFocus() {
  return (
    <Group px="lg" mih={52}>
      <Text size="sm">Nobody is in focus. Choose a person under Persons.</Text>
    </Group>
  )
}

function FocusedPerson({ personId }: { readonly personId: number }) {
  const query = useQuery(personQuery(personId))
  const person = query.data
  useVisible(`focus:${personId}:${person?.customId ?? ''}`, query)
  useVisible(`focus:${personId}`, query)
  useFocusNotice(person)
  useEffect(() => {
    if (person) currentHost()?.personSelected(person)
  }, [person])
  if (query.error)
    return (
      <Group px="lg" mih={52}>
        <Text size="sm">The person in focus cannot be shown: {query.error.message}</Text>
        <Button size="compact-sm" variant="white" onClick={() => setFocus(undefined)}>
          Clear
        </Button>
      </Group>
    )
  if (!person) return <Group px="lg" mih={52} />
  return (
    <Group px="lg" mih={52} gap="lg" wrap="nowrap">
      <Text
        fw={650}
        size="lg"
        truncate
        data-testid="person-in-focus"
        data-user-id={person.userId}
        data-custom-id={person.customId ?? ''}
      >
        {nameOf(person)}
      </Text>
      <Group gap="lg" wrap="nowrap" className="focus-facts">
        {person.dateOfBirth && (
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            Born {formatDay(person.dateOfBirth)} ({ageOf(person.dateOfBirth)} years)
          </Text>
        )}
        {person.customId && (
          <Badge
            className="focus-custom-id"
            variant="white"
            color="teal"
            radius="sm"
            tt="none"
            maw={400}
            title={person.customId}
          >
            CustomId {person.customId}
          </Badge>
        )}
      </Group>
      <Button
        component={Link}
        href={`/persons/${person.userId}`}
        size="compact-sm"
        variant="white"
        style={{ flexShrink: 0 }}
      >
        Open
      </Button>
      <Button
        className="wide-only"
        size="compact-sm"
        variant="outline"
        color="gray.0"
        style={{ flexShrink: 0 }}
        onClick={() => setFocus(undefined)}
      >
        Clear
      </Button>
    </Group>
  )
}

/** Says that the focus went from one person to another: working on the wrong person is what must not happen. */
function useFocusNotice(person: StoredPerson | undefined): void {
  const shown = useRef<StoredPerson>(undefined)
  useEffect(() => () => dismissNotice('focus'), [])
  useEffect(() => {
    const before = shown.current
    if (!person) return
    shown.current = person
    if (!before || before.userId === person.userId) return
    dismissNotice('workout')
    tell({
      subject: 'focus',
      tone: 'info',
      title: `${nameOf(person)} is in focus now`,
      text: `Before it was ${nameOf(before)}.`,
    })
  }, [person])
}
