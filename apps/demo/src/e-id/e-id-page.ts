import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languageAsked } from '@service-link/ui/language'
import { readTexts } from '@service-link/ui/texts'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

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

const style = readFileSync(join(import.meta.dirname, 'e-id.css'), 'utf8')

/** The application that sends people here. */
export interface Application {
  readonly url: string
  readonly name: Readonly<Record<Language, string>>
}

/** The pages in the reader's language, by the header `Accept-Language`. */
export function eIdPages(accepted: string | undefined, { url, name }: Application) {
  const language = languageAsked(accepted)
  const { t, find } = readTexts({ en, nb }, () => language)
  const application = name[language]
  const page = (title: string, content: Html): Html =>
    html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${t('name')}</title>
        <style>${raw(style)}</style>
      </head>
      <body>
        <header>
          <p><b>${t('name')}</b></p>
          <p>${t('warning')}</p>
        </header>
        <main>${content}</main>
      </body>
    </html>`
  const about = ({ name, ssn, level }: TestPerson, note?: string) =>
    html`<span>
      <b>${name}</b>
      <small>${t('choose.person', { number: `${ssn.slice(0, 6)} •••••`, level: t(`levels.${level}`) })}</small>
      ${note && html`<small>${note}</small>`}
    </span>`
  return {
    /** What it is, for somebody who was sent by no application. */
    start: (persons: readonly TestPerson[]): Html =>
      page(
        t('start.title'),
        html`<h1>${t('start.title')}</h1>
        <p>${t('start.what', { application })}</p>
        <p>${t('start.begin')}</p>
        <a class="button" href="${url}">${t('start.open', { application })}</a>
        <h2>${t('start.people')}</h2>
        <ul>
          ${persons.map(person => html`<li>${about(person, find(`people.${person.subject}`))}</li>`)}
        </ul>`,
      ),
    choosePerson: (action: string, persons: readonly TestPerson[]): Html =>
      page(
        t('choose.tab'),
        html`<h1>${t('choose.title', { application })}</h1>
        <form method="post" action="${action}">
          <fieldset>
            <legend>${t('choose.who')}</legend>
            ${persons.map(
              (person, index) =>
                html`<label>
                <input type="radio" name="subject" value="${person.subject}" required ${index === 0 ? 'checked' : ''} />
                ${about(person)}
              </label>`,
            )}
          </fieldset>
          <button type="submit" name="answer" value="log-in">${t('choose.logIn')}</button>
          <button type="submit" name="answer" value="cancel" class="quiet" formnovalidate>${t('choose.cancel')}</button>
        </form>`,
      ),
    /** Asks whether to log out at the e-ID too. The library's form protects against forged requests. */
    logOut: (form: string): Html =>
      page(
        t('logOut.tab'),
        html`<h1>${t('logOut.title')}</h1>
        <p>${t('logOut.text')}</p>
        ${raw(form)}
        <button type="submit" form="op.logoutForm" name="logout" value="yes">${t('logOut.yes')}</button>
        <button type="submit" form="op.logoutForm" class="quiet">${t('logOut.no')}</button>`,
      ),
    loggedOut: (): Html => page(t('loggedOut'), html`<h1>${t('loggedOut')}</h1>`),
    /** @param details of the library, for developers */
    problem: (code: string, details = ''): Html =>
      page(
        t('problem.tab'),
        html`<h1>${t('problem.title')}</h1>
        <p>${t(code === 'nobody_chosen' ? 'problem.choose' : 'problem.text')}</p>
        <p><small lang="en">${[code, details].filter(Boolean).join(': ')}</small></p>`,
      ),
  }
}

/** Content-Security-Policy of every page. Browsers also apply `form-action` to the redirects after a form. */
export const eIdPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'; frame-ancestors 'none'; form-action 'self' http: https:",
].join('; ')
