import type { PageDocument } from './page-window.ts'

/**
 * Submits a real form with the hidden field `payload` (specification 4.1), and takes it out of the document again, the token
 * with it: the browser has its contents by then.
 */
export function submitForm(document: PageDocument, url: string, token: string, target: string): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.target = target
  form.acceptCharset = 'utf-8'
  form.hidden = true
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'payload'
  field.value = token
  form.append(field)
  document.body.append(form)
  try {
    form.submit()
  } finally {
    field.value = ''
    form.remove()
  }
}
