import { submitPayload } from '/service-link/index.js'

const button = document.querySelector('#open')
button.addEventListener('click', () => {
  submitPayload('https://sso.example/partner/payload', tokenFor(button.value)).catch(error => {
    document.querySelector('#error').textContent =
      error.code === 'ERR_SUBMIT_BLOCKED' ? 'Allow pop-ups for this page, and try again.' : error.message
  })
})

async function tokenFor(patientId) {
  const response = await fetch('/payload', { method: 'POST', body: patientId })
  if (!response.ok) throw new Error(`The journal answers with ${response.status}.`)
  return response.text()
}
