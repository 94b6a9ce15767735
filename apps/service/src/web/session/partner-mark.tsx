import { useState } from 'react'
import { nameOf, type Partner } from './visit.ts'

interface PartnerMarkProps {
  readonly partner: Partner
  readonly size: number
}

/** The partner's logo and name on its color. Without a working logo, only the name. */
export function PartnerMark({ partner, size }: PartnerMarkProps) {
  const { logoUrl, color } = partner.appearance
  const [brokenLogo, setBrokenLogo] = useState<string>()
  return (
    <div
      className="partner-mark"
      data-testid="partner-mark"
      data-partner={partner.id}
      style={color === undefined ? undefined : { background: color, color: textOn(color) }}
    >
      {logoUrl !== undefined && logoUrl !== brokenLogo && (
        <img src={logoUrl} alt="" height={size} onError={() => setBrokenLogo(logoUrl)} />
      )}
      <b title={nameOf(partner)}>{nameOf(partner)}</b>
    </div>
  )
}

/**
 * Color of a text on a background: black or white, whichever contrasts more (WCAG 2, relative luminance). The
 * contrast is at least 4.5.
 */
export function textOn(background: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(background)
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff'
}

/** Relative luminance, from 0 (black) to 1 (white). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
