import { Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** What the button that closes it says to a screen reader. Default `Close`. */
  readonly closeLabel?: string
  readonly testId: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A window over the page. Its title is no `<header>`: beside the page's own it would be a second banner to a screen reader. */
export function Dialog({ isOpen, title, closeLabel = 'Close', testId, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered>
      <Modal.Overlay />
      <Modal.Content data-testid={testId}>
        <Modal.Body>
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label={closeLabel} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
