import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { personsByIdQuery } from '../api/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ageOf, formatDay, nameOf } from '../parts/format.ts'
import { dropChoice, setFocus, usePendingChoice } from './focus-store.ts'

/** Lets the user say which of several persons is meant, or whether the only one is whose data are not what a partner sent. */
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
                <Text size="sm" c="#5a6a69">
                  Born {formatDay(person.dateOfBirth)} ({ageOf(person.dateOfBirth)} years)
                </Text>
              )}
            </Group>
          </Button>
        ))}
        <Text size="sm" c="#5a6a69">
          {ids.length === 1
            ? 'If it is somebody else, choose nobody and correct the identifier in the journal. If it is this person, correct what is wrong in the journal or here: until then you are asked each time.'
            : 'If it is none of them, choose nobody and correct the identifier in the journal.'}
        </Text>
      </Stack>
    </Dialog>
  )
}
