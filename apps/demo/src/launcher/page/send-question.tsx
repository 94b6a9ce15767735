import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeText } from '@service-link/ui'
import { Dialog } from '@service-link/ui/plain'
import type { Strangers } from '../launch.ts'

interface SendQuestionProps {
  readonly strangers: Strangers
  readonly own: string
  readonly onCancel: () => void
  readonly onSend: () => void
}

/** Asks before a signed token or a registration concerns a stranger: anybody may have written the link. */
export function SendQuestion({ strangers, own, onCancel, onSend }: SendQuestionProps) {
  const { isElsewhere, target, audience, keySetUrl } = strangers
  return (
    <Dialog
      isOpen
      title="Send this to a stranger?"
      closeLabel="Cancel"
      testId="send-question"
      onClose={onCancel}
    >
      <Stack gap="xs">
        {isElsewhere && (
          <>
            <Text>The signed token goes to this address:</Text>
            <CodeText label="Address of the post" text={target} />
            <Text>It opens the service of its aud. Whoever gets it may use it there:</Text>
            <CodeText label="aud of the token" text={audience ?? 'any service, because it has no aud'} />
          </>
        )}
        {keySetUrl !== undefined && (
          <>
            <Text>Until the demo ends the service {own} trusts the keys at this address:</Text>
            <CodeText label="Address of the key set" text={keySetUrl} />
          </>
        )}
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
