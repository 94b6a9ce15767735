/** How sure an electronic ID is of its person, as the European regulation on electronic identification names it. */
export const assuranceLevels = {
  low: 'http://eidas.europa.eu/LoA/low',
  substantial: 'http://eidas.europa.eu/LoA/substantial',
  high: 'http://eidas.europa.eu/LoA/high',
} as const

/** Somebody who can log in at the test e-ID. */
export interface TestPerson {
  /** The issuer's own identifier, `sub`; tells nothing of the person. */
  readonly subject: string
  /** National identity number. */
  readonly ssn: string
  readonly name: string
  readonly level: keyof typeof assuranceLevels
}

/**
 * Invented people, with identity numbers that are nobody's: their month is above 80, as that of Norwegian test persons. The
 * first two are patients of the demo's partner application; the third is nobody's patient; the fourth's log-in is too weak.
 */
export const testPersons: readonly TestPerson[] = [
  { subject: 'test-person-1', ssn: '12857948392', name: 'Åse Marie Øvergård', level: 'high' },
  { subject: 'test-person-2', ssn: '03917246181', name: 'Torbjørn Sæther', level: 'substantial' },
  { subject: 'test-person-3', ssn: '24889312576', name: 'Nora Vik', level: 'high' },
  { subject: 'test-person-4', ssn: '09868144327', name: 'Per Lie', level: 'low' },
]
