// The journal's page. A click asks the journal's own server for a freshly signed payload and submits a real form with it
// into a new tab, so that the service's answer is a page of its own.
const form = document.querySelector('#open-service')
const employee = document.querySelector('#employee')
const message = document.querySelector('#message')

for (const button of document.querySelectorAll('button[data-patient]')) {
  button.addEventListener('click', async () => {
    button.disabled = true
    message.textContent = ''
    try {
      form.elements.payload.value = await fetchPayload(button.dataset.patient)
      form.submit()
    } catch {
      message.textContent = 'The journal could not open Service. Try again.'
    } finally {
      form.elements.payload.value = ''
      button.disabled = false
    }
  })
}

async function fetchPayload(patientId) {
  const answer = await fetch('/payload', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patientId, employeeId: employee.value }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error('refused')
  return (await answer.json()).payload
}
