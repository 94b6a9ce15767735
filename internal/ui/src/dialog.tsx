import { type ReactNode, useId } from 'react'

interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Label of the close button for screen readers. */
  readonly closeLabel: string
  readonly testId: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page, which the browser makes inert. Escape and a click beside it close it. */
export function Dialog(props: DialogProps) {
  const { isOpen, title, closeLabel, testId, onClose, children } = props
  const titleId = useId()
  if (!isOpen) return null
  return (
    <dialog
      className="card dialog"
      ref={openDialog}
      closedby="any"
      aria-labelledby={titleId}
      data-testid={testId}
      onCancel={onClose}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  )
}

/** The end gives the keyboard's focus back. */
function openDialog(dialog: HTMLDialogElement) {
  dialog.showModal()
  return () => dialog.close()
}
