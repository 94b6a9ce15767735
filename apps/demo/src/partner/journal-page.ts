import type { PayloadClaims } from '@service-link/protocol-core'
import { html } from 'hono/html'
import journal from './journal.json' with { type: 'json' }

type Patient = PayloadClaims['contact'] & {
  readonly firstname: string
  readonly lastname: string
  readonly birthdate: string
}

/** Invented people. The month of their identity numbers is above 80, as for Norwegian test persons. */
export const patients: readonly Patient[] = journal.patients

export const { clinic, employees } = journal

export function patientName({ firstname, middlename, lastname }: Patient): string {
  return [firstname, middlename, lastname].filter(Boolean).join(' ')
}

interface JournalPageOptions {
  readonly payloadUrl: string
}

/** Page of the journal. Each patient has a button that opens the service in a new tab (specification 4.1). */
export function journalPage({ payloadUrl }: JournalPageOptions) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Nordlys Journal</title>
        <link rel="stylesheet" href="/assets/journal.css" />
        <script type="module" src="/assets/journal.js"></script>
      </head>
      <body data-payload-url="${payloadUrl}">
        <header>
          <p class="brand"><b>Nordlys</b> <span>Journal</span></p>
          <p>${clinic.organizationName}</p>
          <a href="/launcher">For developers: the launcher</a>
          <label>
            Logged in as
            <select id="employee" data-testid="employee" autocomplete="off">
              ${employees.map(
                ({ employeeId, employeeFirstname, employeeLastname }) =>
                  html`<option value="${employeeId}">${employeeFirstname} ${employeeLastname}</option>`,
              )}
            </select>
          </label>
        </header>
        <main>
          <h1>Today’s patients</h1>
          <p id="message" role="status"></p>
          <ul class="patients">
            ${patients.map(row)}
          </ul>
        </main>
      </body>
    </html>`
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function row(patient: Patient) {
  const name = patientName(patient)
  return html`<li>
    <b><bdi>${name}</bdi></b>
    <span>Born ${dates.format(new Date(patient.birthdate))}</span>
    <span>Diagnosis ${patient.diagnosis}</span>
    <button
      type="button"
      data-testid="open-${patient.id}"
      data-patient="${patient.id}"
      aria-label="Open in Service: ${name}"
    >
      Open in Service
    </button>
  </li>`
}
