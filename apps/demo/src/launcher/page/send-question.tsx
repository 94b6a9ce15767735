import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeText } from '@service-link/ui'
import { Dialog } from '@service-link/ui/plain'
import type { Stranger } from '../request.ts'
import { t } from './texts.ts'

interface SendQuestionProps {
  readonly stranger: Stranger
  readonly onCancel: () => void
  readonly onSend: () => void
}

/** Asks before a signed token goes to a stranger: anybody may have written the link. */
export function SendQuestion({ stranger, onCancel, onSend }: SendQuestionProps) {
  return (
    <Dialog
      isOpen
      title={t('question.title')}
      closeLabel={t('question.cancel')}
      testId="send-question"
      onClose={onCancel}
    >
      <Stack gap="xs">
        <Text>{t('question.address')}</Text>
        <CodeText label={t('question.addressLabel')} text={stranger.target} />
        <Text>{t('question.audience')}</Text>
        <CodeText label={t('question.audienceLabel')} text={stranger.audience ?? t('question.any')} />
        <Text>{t('question.careful')}</Text>
        <Group>
          <Button onClick={onCancel}>{t('question.cancel')}</Button>
          <Button variant="default" onClick={onSend}>
            {t('question.send')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
