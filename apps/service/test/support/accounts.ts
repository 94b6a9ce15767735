import { type DemoAccount, demoAccounts } from '../../src/server/demo-data.ts'

/** A second organization, whose employee must see nothing of the first. */
const otherAccount: DemoAccount = {
  email: 'pat.murphy@harbour.example',
  password: 'harbour-physio-2026',
  name: 'Pat Murphy',
  organization: 'Harbour Physio',
}

/** Every account of a test's service. */
export const testAccounts: readonly DemoAccount[] = [...demoAccounts, otherAccount]

/** The accounts of a test: two of one clinic, one of another. */
export const accounts = { ingrid: accountAt(0), samuel: accountAt(1), pat: otherAccount }

function accountAt(index: number): DemoAccount {
  const account = demoAccounts[index]
  if (!account) throw new Error('The demo has too few accounts.')
  return account
}
