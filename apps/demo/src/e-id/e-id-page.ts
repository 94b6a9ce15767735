import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Levels of assurance of the European regulation on electronic identification (eIDAS). */
export const assuranceLevels = {
  low: 'http://eidas.europa.eu/LoA/low',
  substantial: 'http://eidas.europa.eu/LoA/substantial',
  high: 'http://eidas.europa.eu/LoA/high',
} as const

export interface TestPerson {
  /** The issuer's identifier, `sub`, without personal data. */
  readonly subject: string
  readonly ssn: string
  readonly name: string
  readonly level: keyof typeof assuranceLevels
}

/**
 * Invented people. The month of their identity numbers is above 80, as for Norwegian test persons. The first two are
 * patients of the demo's journal. The third is in no journal. The fourth has a log-in that is too weak.
 */
export const testPersons: readonly TestPerson[] = [
  { subject: 'test-person-1', ssn: '12857948368', name: 'Åse Marie Øvergård', level: 'high' },
  { subject: 'test-person-2', ssn: '03917246105', name: 'Torbjørn Sæther', level: 'substantial' },
  { subject: 'test-person-3', ssn: '24889312579', name: 'Nora Vik', level: 'high' },
  { subject: 'test-person-4', ssn: '09868144327', name: 'Per Lie', level: 'low' },
]

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Test e-ID</title>
        <link rel="stylesheet" href="/assets/e-id.css" />
      </head>
      <body>
        <header>
          <p><b>Test e-ID</b></p>
          <p>Not a real electronic ID: everybody here is invented, and no password is asked for.</p>
        </header>
        <main>${content}</main>
      </body>
    </html>`
}

interface ChoosePersonPageOptions {
  readonly clientName: string
  readonly action: string
  readonly persons: readonly TestPerson[]
}

export function choosePersonPage({ clientName, action, persons }: ChoosePersonPageOptions): Html {
  return page(
    'Log in',
    html`<h1>Log in to ${clientName}</h1>
      <form method="post" action="${action}">
        <fieldset>
          <legend>Who are you?</legend>
          ${persons.map(
            ({ subject, name, ssn, level }, index) =>
              html`<label>
                <input type="radio" name="subject" value="${subject}" required ${index === 0 ? 'checked' : ''} />
                <span><b>${name}</b> <small>${ssn}, security level ${level}</small></span>
              </label>`,
          )}
        </fieldset>
        <button type="submit" name="answer" value="log-in">Log in</button>
        <button type="submit" name="answer" value="cancel" class="quiet" formnovalidate>Cancel</button>
      </form>`,
  )
}

/** Asks whether to log out at the e-ID too. The library's form protects against forged requests. */
export function logOutPage(form: string): Html {
  return page(
    'Log out',
    html`<h1>Log out of the e-ID too?</h1>
      <p>You have logged out of the application. Log out here as well, unless this device is only yours.</p>
      ${raw(form)}
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>
      <button type="submit" form="op.logoutForm" class="quiet">Stay logged in</button>`,
  )
}

export function loggedOutPage(): Html {
  return page('Logged out', html`<h1>You are logged out</h1>`)
}

export function problemPage(code: string, description: string | undefined): Html {
  return page(
    'Problem',
    html`<h1>This log-in cannot go on</h1>
      <p>${description ?? 'Go back to the application and begin anew.'}</p>
      <p><small>${code}</small></p>`,
  )
}

/** Content-Security-Policy of every page. Browsers also apply `form-action` to the redirects after a form. */
export const eIdPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' http: https:"
