import { Button, Fieldset, Group, Text } from '@mantine/core'
import { useId, useState } from 'react'
import type { PersonField } from '../../server/persons/person-row.ts'
import { maskIdentity } from '../parts/identity-number.ts'
import { t } from '../texts/texts.ts'
import { factText } from './person-facts.tsx'

interface DifferenceProps {
  readonly field: PersonField
  readonly label: string
  readonly theirs: string
  readonly mine: string
  /** Gets the value that the user wants. */
  readonly onChoose: (value: string) => void
}

/** What somebody else has saved in a field meanwhile, beside what the user typed. */
export function Difference({ field, label, theirs, mine, onChoose }: DifferenceProps) {
  const id = useId()
  const [isMasked, setMasked] = useState(field === 'ssn')
  const shown = (value: string) => {
    if (value === '') return t('drafts.empty')
    return isMasked ? maskIdentity(value) : factText(field, value)
  }
  const [shownTheirs, shownMine] = [shown(theirs), shown(mine)]
  const hidden = shownTheirs === shownMine ? ` (${t('chooser.hiddenDiffers')})` : ''
  return (
    <Fieldset variant="unstyled" aria-label={label} data-testid="difference">
      <Text
        id={id}
        role="alert"
        size="sm"
        mt={4}
        c="var(--text-warning)"
        lineClamp={6}
        style={{ overflowWrap: 'anywhere' }}
      >
        {t('drafts.difference', { theirs: shownTheirs, mine: shownMine + hidden })}
      </Text>
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" variant="default" aria-describedby={id} onClick={() => onChoose(mine)}>
          {t('drafts.keepMine')}
        </Button>
        <Button size="compact-sm" variant="default" aria-describedby={id} onClick={() => onChoose(theirs)}>
          {t('drafts.takeTheirs')}
        </Button>
        {isMasked && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('persons.showNumber')}
            onClick={() => setMasked(false)}
          >
            {t('persons.show')}
          </Button>
        )}
      </Group>
    </Fieldset>
  )
}
