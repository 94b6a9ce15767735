export function listUsers(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    customId: `person-${index + 1}`,
    firstname: 'Ada',
    lastname: `Lovelace ${index + 1}`,
    dateOfBirth: '1980-04-03',
  }))
}
