/** People that the launches of the check select; nobody else may know of them. */
export const wrapperPersons = {
  kari: { customId: 'wrapper-1001', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' },
  ola: { customId: 'wrapper-1002', firstname: 'Ola', lastname: 'Nordmann', dateOfBirth: '1971-11-05' },
  bo: {
    customId: 'wrapper-1003',
    firstname: 'Bo "B" <i>',
    lastname: 'O’Hara & Sønn',
    dateOfBirth: '2001-01-31',
  },
} as const
