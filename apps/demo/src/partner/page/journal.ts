import { submitPayload } from '@service-link/jwt-payload/browser'

// The script of the journal's page. A click opens a tab at once, because browsers block later ones. Then the script
// asks the journal's server for a signed payload and posts it into the tab.
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
