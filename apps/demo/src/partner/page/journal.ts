import { submitPayload } from '@service-link/jwt-payload/browser'

// The journal's page. A click opens the service's tab at once, as a browser wants it, and asks the journal's own server for a
// freshly signed payload meanwhile; the answer of the service is a page of its own.
const employee = document.querySelector('select')
const message = document.querySelector('#message')
const { payloadUrl = '' } = document.body.dataset

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    button.disabled = true
    say('')
    try {
      await submitPayload(payloadUrl, fetchPayload(button.dataset.patient), {
        waitingText: 'Opening Service…',
      })
    } catch {
      say('The journal could not open Service. Try again.')
    } finally {
      button.disabled = false
    }
  })
}

async function fetchPayload(patientId: string | undefined): Promise<string> {
  const answer = await fetch('/payload', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patientId, employeeId: employee?.value }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!answer.ok) throw new Error('refused')
  const { payload } = await answer.json()
  return payload
}

function say(text: string): void {
  if (message) message.textContent = text
}
