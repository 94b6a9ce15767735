import type { WrapperTexts } from './wrapper-texts.ts'

// A brand's name is not inflected, so it stands as the subject, in quotation marks, or behind a noun that is inflected for it.
export const texts: WrapperTexts = {
  trayShow: 'Näytä {name}',
  traySignOut: 'Kirjaudu ulos',
  trayClose: 'Lopeta',
  unreachableTitle: '{name} ei vastaa',
  unreachableReason:
    'Tarkista verkkoyhteys. Tämä sivu poistuu itsestään, kun palvelu vastaa, ja odottavat komennot suoritetaan silloin. Jos ongelma jatkuu, anna alla oleva viesti tukeen.',
  unreachableRetry: 'Yritä uudelleen',
  crashedTitle: '{name} ei ole näytettävissä',
  crashedReason:
    'Sivu on lakannut toimimasta useita kertoja. Ohjelma yrittää hetken kuluttua uudelleen. Jos ongelma jatkuu, ota yhteyttä tukeen.',
  crashedRetry: 'Yritä uudelleen',
  updateAvailable: 'Ohjelmasta {name} on saatavilla uudempi versio: {version}.',
  updateFollow: 'Lataa',
  closesForUpdate:
    'Ohjelmasta {name} asennetaan uutta versiota. Tallenna työsi: ohjelma sulkeutuu viimeistään kahden minuutin kuluttua ja käynnistyy uudelleen.',
  signOnRefused: 'Kirjautuminen toisesta ohjelmasta hylättiin. Avaa henkilö siellä uudelleen.',
  signOnUnreachable:
    'Kirjautuminen toisesta ohjelmasta ei tavoittanut palvelua. Avaa henkilö siellä uudelleen.',
  noticeDismiss: 'Sulje',
  startFailedTitle: '{name} ei käynnistynyt',
  startFailedAdvice: 'Yritä uudelleen. Jos {name} ei vieläkään käynnisty, anna alla oleva viesti tukeen.',
  startFailedLastingAdvice:
    'Uudelleen yrittäminen ei auta. Anna alla oleva viesti tietokoneen ylläpitäjälle.',
  lostTitle: '{name} on sulkeutunut',
  lostAdvice:
    'Ikkuna lakkasi toimimasta useita kertoja. Käynnistä {name} uudelleen. Jos ongelma jatkuu, ota yhteyttä tukeen.',
  logPlace: 'Loki: {file}',
}
