import type { WrapperTexts } from './wrapper-texts.ts'

export const texts: WrapperTexts = {
  trayShow: 'Vis {name}',
  traySignOut: 'Logg ut',
  trayClose: 'Avslutt',
  unreachableTitle: 'Får ikke kontakt med {name}',
  unreachableReason:
    'Kontroller nettverkstilkoblingen. Denne siden forsvinner av seg selv når tjenesten svarer, og ventende kommandoer blir da utført. Gi meldingen nedenfor til brukerstøtte hvis problemet fortsetter.',
  unreachableRetry: 'Prøv igjen',
  crashedTitle: '{name} kan ikke vises',
  crashedReason:
    'Siden har stoppet flere ganger. Programmet prøver igjen om en stund. Kontakt brukerstøtte hvis problemet fortsetter.',
  crashedRetry: 'Prøv igjen',
  updateAvailable: 'En nyere versjon av {name} er tilgjengelig: {version}.',
  updateFollow: 'Last ned',
  closesForUpdate:
    'En ny versjon av {name} blir installert. Lagre arbeidet ditt: Programmet avsluttes senest om to minutter og starter på nytt.',
  signOnRefused: 'Påloggingen fra det andre programmet ble avvist. Åpne personen derfra på nytt.',
  signOnUnreachable:
    'Påloggingen fra det andre programmet nådde ikke frem til tjenesten. Åpne personen derfra på nytt.',
  noticeDismiss: 'Lukk',
  startFailedTitle: '{name} kunne ikke starte',
  startFailedAdvice: 'Prøv igjen. Hvis {name} fortsatt ikke starter, gi meldingen nedenfor til brukerstøtte.',
  startFailedLastingAdvice:
    'Det hjelper ikke å prøve igjen. Gi meldingen nedenfor til administratoren for denne datamaskinen.',
  lostTitle: '{name} er avsluttet',
  lostAdvice:
    'Vinduet sluttet å virke flere ganger. Start {name} på nytt. Kontakt brukerstøtte hvis problemet fortsetter.',
  logPlace: 'Loggen: {file}',
}
