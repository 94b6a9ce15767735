import { Button, Code, CopyButton, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { presentLanguage } from './page-language.ts'

interface CardProps {
  readonly title: string
  /** Beside the title. */
  readonly side?: ReactNode
  /** Closed until somebody opens it, by this test id. Default: always open. */
  readonly fold?: string
  readonly children: ReactNode
}

export function Card({ title, side, fold, children }: CardProps) {
  const content = (
    <Stack gap="sm" mt="xs">
      {children}
    </Stack>
  )
  if (fold !== undefined)
    return (
      <Paper component="details" {...box} data-testid={fold}>
        <summary>
          <Title order={2} component="span">
            {title}
          </Title>
        </summary>
        {content}
      </Paper>
    )
  return (
    <Paper component="section" {...box} aria-label={title}>
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        {side}
      </Group>
      {content}
    </Paper>
  )
}

const box = { p: 'md', miw: 0, style: { overflowWrap: 'anywhere' } } as const

/** Program text or a part of a request. It can be scrolled by the keyboard. */
export function CodeText({
  label,
  text,
  testId,
  children,
  color = 'inherit',
}: {
  readonly label: string
  readonly text: string
  readonly testId?: string
  readonly color?: string
  /** Default: the text. */
  readonly children?: ReactNode
}) {
  return (
    <Code
      block
      c={color}
      mah="26rem"
      style={{ overflowY: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      tabIndex={0}
      aria-label={label}
      role="group"
      data-testid={testId}
    >
      {children ?? text}
    </Code>
  )
}

const copyWords = { en: ['Copy', 'Copied'], nb: ['Kopier', 'Kopiert'] }

/** @param label of the button. Default: "Copy" in the page's language */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }) {
  const [copyWord, copiedWord] = copyWords[presentLanguage()]
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" onClick={copy}>
          {copied ? copiedWord : (label ?? copyWord)}
        </Button>
      )}
    </CopyButton>
  )
}

export function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? undefined : (
    <Text role="alert" c="var(--text-danger)">
      {text}
    </Text>
  )
}

/** A text to copy, or why there is none. */
export type Copyable =
  | { readonly text: string; readonly note?: string | undefined }
  | { readonly problem: string }

/** The same thing in several forms, by their names. Each has the test id `copy-<name>`. */
export function CopyAs({ copies }: { readonly copies: Readonly<Record<string, Copyable>> }) {
  const names = Object.keys(copies)
  // A part of the elements' ids, which hold no space.
  const tabOf = (name: string) => name.replaceAll(' ', '-')
  return (
    <Tabs defaultValue={tabOf(names[0] ?? '')} keepMounted={false}>
      <Tabs.List>
        {names.map(name => (
          <Tabs.Tab key={name} value={tabOf(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(copies).map(([name, copy]) => (
        <Tabs.Panel key={name} value={tabOf(name)} pt="xs">
          {'problem' in copy ? (
            <Text size="sm" c="dimmed" data-testid={`copy-${name}`}>
              {copy.problem}
            </Text>
          ) : (
            <>
              <Text size="sm" mb={6}>
                {copy.note}
              </Text>
              <Copy text={copy.text} />
              <CodeText label={name} text={copy.text} testId={`copy-${name}`} />
            </>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
