import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { personQuery, personsByIdQuery, type StoredPerson } from '../api/queries.ts'
import { currentHost, useVisible } from '../bridge/host.ts'
import { ageOf, formatDay, nameOf } from '../parts/format.ts'
import { Dialog } from '../parts/look.tsx'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { dropChoice, setFocus, usePendingChoice } from '../session/visit.ts'

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
    if (!person) return
    const { userId, customId, firstname, lastname } = person
    currentHost()?.personSelected({ userId, customId, firstname, lastname })
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

/** Shows a notice when the focus changes, so that nobody works on the wrong person. */
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

/** Lets the user choose one of several persons, or confirm a person whose data differ from the partner's. */
export function PersonChooser({ accountId }: { readonly accountId: string }) {
  const ids = usePendingChoice()
  const [, navigate] = useLocation()
  const { data: persons = [], error } = useQuery({ ...personsByIdQuery(ids), enabled: ids.length > 0 })
  const choose = (personId: number) => {
    setFocus({ accountId, personId })
    navigate(`/persons/${personId}`)
  }
  return (
    <Dialog
      isOpen={ids.length > 0}
      title="Which person is meant?"
      closeLabel="Choose nobody"
      testId="person-chooser"
      onClose={dropChoice}
    >
      <Stack gap="sm">
        <Text size="sm">
          {ids.length === 1
            ? 'Your journal has sent this person’s identifier with another name, date of birth or identity number. Nobody is in focus until you choose.'
            : 'Several persons fit what was sent. Nobody is in focus until you choose.'}
        </Text>
        {error && <Text c="red.8">{error.message}</Text>}
        {persons.map(person => (
          <Button
            key={person.userId}
            variant="default"
            h="auto"
            py="sm"
            justify="flex-start"
            data-testid="person-candidate"
            onClick={() => choose(person.userId)}
          >
            <Group gap="sm">
              <Text fw={600}>{nameOf(person)}</Text>
              {person.dateOfBirth && (
                <Text size="sm" c="dimmed">
                  Born {formatDay(person.dateOfBirth)} ({ageOf(person.dateOfBirth)} years)
                </Text>
              )}
            </Group>
          </Button>
        ))}
        <Text size="sm" c="dimmed">
          {ids.length === 1
            ? 'If it is somebody else, choose nobody and correct the identifier in the journal. If it is this person, correct what is wrong in the journal or here: until then you are asked each time.'
            : 'If it is none of them, choose nobody and correct the identifier in the journal.'}
        </Text>
      </Stack>
    </Dialog>
  )
}
