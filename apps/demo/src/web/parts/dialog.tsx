import { Group, Modal } from '@mantine/core'
import { t } from 'i18next'
import type { ReactNode } from 'react'

interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Label of the close button for screen readers. Default: close. */
  readonly closeLabel?: string
  readonly testId: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page. Its title is no `<header>`, which screen readers would take for a second banner. */
export function Dialog({
  isOpen,
  title,
  closeLabel = t('app.close'),
  testId,
  onClose,
  children,
}: DialogProps) {
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
