import type { PayloadInput } from '@service-link/protocol-core'

/** A patient of the journal, in the fields of the partner link. */
export type Patient = PayloadInput['contact'] & {
  readonly firstname: string
  readonly lastname: string
  readonly birthdate: string
}

/**
 * Invented people. Identity numbers carry a month above 80, as those of Norwegian test persons do, so that they are
 * nobody's.
 */
export const patients: readonly Patient[] = [
  {
    id: '12857948392',
    ssn: '12857948392',
    firstname: 'Åse',
    middlename: 'Marie',
    lastname: 'Øvergård',
    birthdate: '1979-05-12',
    gender: 'female',
    mobile: '+47 400 00 101',
    email: 'aase.overgard@example.com',
    diagnosis: 'L15',
  },
  {
    id: '03917246181',
    ssn: '03917246181',
    firstname: 'Torbjørn',
    middlename: '',
    lastname: 'Sæther',
    birthdate: '1972-11-03',
    gender: 'male',
    mobile: '+47 400 00 102',
    diagnosis: 'L03',
  },
  {
    id: '7c0f3a0e-51d2-4c8e-9d6f-2a1f0f8f6b11',
    firstname: 'Gráinne',
    middlename: 'O’Malley',
    lastname: 'D’Angelo-Nuñez',
    birthdate: '1991-02-28',
    gender: 'F',
    email: 'grainne@example.com',
    diagnosis: 'L92',
  },
  {
    id: '0d9f7b62-8a3c-4f55-b1c9-6f0a4c1e7d22',
    firstname: '明美',
    lastname: '田中',
    birthdate: '1985-09-17',
    gender: 'female',
    mobile: '+81 90 0000 0103',
    diagnosis: 'L84',
  },
  {
    id: 'b3e5c1d7-2f48-4a0b-8f1e-9d3b5a7c8e33',
    firstname: 'ليلى',
    lastname: 'الحدّاد',
    birthdate: '1998-12-05',
    gender: 'female',
    diagnosis: 'L81',
  },
  {
    id: 'e1a4f8c2-6b90-4d3e-a7f5-0c2d4e6f8a44',
    firstname: 'Дмитро',
    lastname: 'Шевчук',
    birthdate: '1966-07-21',
    gender: 'male',
    email: 'd.shevchuk@example.com',
    diagnosis: 'L89',
  },
  {
    id: 'f2b6d0e4-9c13-4e7a-b8d2-1e3f5a7b9c55',
    firstname: 'Nguyễn Thị',
    lastname: 'Phương Anh',
    birthdate: '2004-03-30',
    gender: 'female',
    diagnosis: 'L77',
  },
  {
    id: 'a8c2e6f0-3d57-4b9c-9e1a-5f7b9d1c3e66',
    firstname: 'Sol',
    middlename: 'Ångström',
    lastname: 'van der Westhuizen-Lindqvist',
    birthdate: '1988-06-09',
    gender: 'other',
    mobile: '+46 70 000 01 04',
    diagnosis: 'L18',
  },
]

/** Name as the journal writes it. */
export function patientName({ firstname, middlename, lastname }: Patient): string {
  return [firstname, middlename, lastname].filter(Boolean).join(' ')
}
