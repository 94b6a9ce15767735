import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../texts/texts.ts'
import { maskIdentity } from './identity-number.ts'

/** The field of an identity number. One that the user has not typed is masked, and cannot be changed, until the user asks for it. */
export function IdentityNumberInput({ value, onChange, ...props }: TextInputProps) {
  const text = String(value ?? '')
  const input = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState('')
  if (text === '' || text === shown)
    return (
      <TextInput
        {...props}
        value={text}
        ref={input}
        onChange={event => {
          setShown(event.currentTarget.value)
          onChange?.(event)
        }}
      />
    )
  return (
    <TextInput
      {...props}
      ref={input}
      value={maskIdentity(text)}
      readOnly
      rightSectionWidth="auto"
      rightSection={
        <Button
          variant="subtle"
          size="compact-sm"
          mx={4}
          aria-label={t('persons.showNumber')}
          onClick={() => {
            setShown(text)
            input.current?.focus()
          }}
        >
          {t('persons.show')}
        </Button>
      }
    />
  )
}
