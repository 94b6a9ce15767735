import { Alert, Stack } from '@mantine/core'
import { useSyncExternalStore } from 'react'

/** Something that the user should know of; stays until it is dismissed or replaced. */
export interface Notice {
  /** A later notice of the same subject takes the place of the former. */
  readonly subject: 'account' | 'focus' | 'visit' | 'workout'
  readonly title: string
  readonly text: string
  readonly tone: 'info' | 'success' | 'warning'
}

let notices: readonly Notice[] = []
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Tells the user something. */
export function tell(notice: Notice): void {
  change([...notices.filter(({ subject }) => subject !== notice.subject), notice])
}

/** Takes the notice of a subject away. */
export function dismissNotice(subject: Notice['subject']): void {
  change(notices.filter(notice => notice.subject !== subject))
}

const colors = { info: 'blue', success: 'teal', warning: 'orange' }

/** Shows the present notices and reads them out. */
export function Notices() {
  const present = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div role="status">
      {present.length > 0 && (
        <Stack gap="xs" mb="md">
          {present.map(notice => (
            <Alert
              key={notice.subject}
              data-testid="notice"
              data-subject={notice.subject}
              color={colors[notice.tone]}
              title={notice.title}
              withCloseButton
              closeButtonLabel="Dismiss"
              onClose={() => dismissNotice(notice.subject)}
            >
              {notice.text}
            </Alert>
          ))}
        </Stack>
      )}
    </div>
  )
}
