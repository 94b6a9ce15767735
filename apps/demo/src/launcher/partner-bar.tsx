import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PartnerBarProps {
  readonly title: string
  readonly subtitle: string
  readonly children: ReactNode
}

/** The top of each page of the partner application. */
export function PartnerBar({ title, subtitle, children }: PartnerBarProps) {
  return (
    <Group
      component="header"
      justify="space-between"
      px="md"
      py="sm"
      c="var(--focus-bar-text)"
      bg="light-dark(#2f3a56, #1d2438)"
    >
      <Group gap="xs">
        <Title order={1} fz="h3">
          {title}
        </Title>
        <Text>{subtitle}</Text>
      </Group>
      {children}
    </Group>
  )
}
