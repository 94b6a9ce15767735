import { Hono } from 'hono'

interface LandingRoutesOptions {
  /** Signs a payload that opens the first patient of the journal. */
  readonly signVisit: () => Promise<string | undefined>
  /** Puts another person in focus in the wrapper; the outcome is in the stream. */
  readonly drive: () => Promise<void>
}

/** What the buttons of the landing page do: `POST /payload` signs a visit, `POST /wrapper` drives the wrapper. */
export function landingRoutes({ signVisit, drive }: LandingRoutesOptions) {
  return new Hono()
    .post('/payload', async c => {
      c.header('cache-control', 'no-store')
      return c.json({ payload: await signVisit() })
    })
    .post('/wrapper', async c => {
      await drive()
      return c.body(null, 204)
    })
}
