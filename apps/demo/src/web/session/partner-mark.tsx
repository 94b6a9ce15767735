import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { nameOf, type Partner } from './partner.ts'
import { textOn } from './text-on.ts'

/** What {@link PartnerMark} shows. */
export interface PartnerMarkProps {
  readonly partner: Partner
  /** Height of the logo in pixels. */
  readonly size: number
}

/** The partner's logo and name, on its colour; without them, or where the logo cannot be shown, the name alone. */
export function PartnerMark({ partner, size }: PartnerMarkProps) {
  const { logoUrl, color } = partner.appearance
  const [brokenLogo, setBrokenLogo] = useState<string>()
  return (
    <Group
      gap={8}
      wrap="nowrap"
      className="partner-mark"
      data-testid="partner-mark"
      data-partner={partner.id}
      style={color === undefined ? undefined : { background: color, color: textOn(color) }}
    >
      {logoUrl !== undefined && logoUrl !== brokenLogo && (
        <img src={logoUrl} alt="" height={size} onError={() => setBrokenLogo(logoUrl)} />
      )}
      <Text size="sm" fw={600} c="inherit" truncate="end" title={nameOf(partner)}>
        {nameOf(partner)}
      </Text>
    </Group>
  )
}
