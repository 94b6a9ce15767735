import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeText } from '@service-link/ui'
import { Dialog } from '@service-link/ui/plain'
import type { Stranger } from '../request.ts'

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
      title="Send this to a stranger?"
      closeLabel="Cancel"
      testId="send-question"
      onClose={onCancel}
    >
      <Stack gap="xs">
        <Text>The signed token goes to this address:</Text>
        <CodeText label="Address of the post" text={stranger.target} />
        <Text>It opens the service of its aud. Whoever gets it may use it there:</Text>
        <CodeText label="aud of the token" text={stranger.audience ?? 'any service, because it has no aud'} />
        <Text>Send it only if you know each address. A link may have brought them.</Text>
        <Group>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button color="red" onClick={onSend}>
            Send it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
